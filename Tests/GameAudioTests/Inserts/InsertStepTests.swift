import PCM
import SignalProcessing
import Spatial3D
import TestSupport
import Testing

@testable import GameAudio

/// The settings of processors that inserts have.
@Suite struct InsertStepTests {
  @Test(arguments: NumberCase.all)
  func `The default of a number is the default of its processor`(_ number: NumberCase) {
    #expect(number.hasDefaultOfProcessor)
  }

  @Test(arguments: NumberCase.all)
  func `A number changes its setting alone`(_ number: NumberCase) {
    var random = SplitMix64(seed: 5)
    let (lower, upper) = (number.used(-1e30), number.used(1e30))
    for _ in 0..<200 {
      let value = Double.random(in: lower...upper, using: &random)
      // A whole number, and a time in nanoseconds, may be the default.
      guard !number.insert(value).kind.isDefault else { continue }
      #expect(number.changesItsSettingAlone(value), "\(value)")
    }
  }

  @Test func `Each choice has its setting`() throws {
    for shape in Insert.Equalizer.Band.Shape.allCases {
      let step = Insert.equalizer([.init(shape, 500)]).step()
      guard case .equalizer(let bands) = step?.settings else { throw Unexpected() }
      #expect("\(bands[0].shape)" == shape.rawValue)
    }
    for curve in Insert.Distortion.Curve.allCases {
      guard case .distortion(let settings) = Insert.distortion(curve).step()?.settings else { throw Unexpected() }
      #expect("\(settings.curve)" == curve.rawValue)
    }
    var compressor = Insert.Compressor()
    #expect(compressor.settings.detector == .rootMeanSquare)
    compressor.detector = .peak
    #expect(compressor.settings.detector == .peak)
    var delay = Insert.Delay()
    #expect(!delay.settings.crossesOver)
    delay.crossesOver = true
    #expect(delay.settings.crossesOver)
    #expect(Insert.Limiter().settings == LookAheadLimiter.Settings())
    #expect(!Insert.Limiter(isTruePeak: false).settings.isTruePeak)
  }

  private struct Unexpected: Error {}

  @Test func `Mix and bypass reach the step, and a mix that is NaN is 1`() {
    var insert = Insert.compressor()
    #expect(insert.step()?.mix == 1 && insert.step()?.isBypassed == false)
    (insert.mix, insert.isBypassed) = (0.25, true)
    #expect(insert.step()?.mix == 0.25 && insert.step()?.isBypassed == true)
    for (mix, used) in [(Float.nan, 1.0), (-.infinity, 0), (.infinity, 1), (-1, 0), (2, 1)] {
      insert.mix = mix
      #expect(insert.step()?.mix == used)
    }
  }

  @Test(arguments: kindNames)
  func `Random inserts make finite sound`(name: String) {
    var random = SplitMix64(seed: 99)
    let format = PCMFormat.stereo(sampleRate: 24_000)
    for _ in 0..<20 {
      let insert = Insert.random(name, &random)
      var objects = InsertObjects()
      if case .convolution(let convolution) = insert.kind {
        let samples = (0..<6_000).map { _ in Float.random(in: -1...1, using: &random) }
        objects.responses[convolution] = ImpulseResponse([samples], convolution.preparation, sampleRate: 24_000)
      }
      let step = insert.step(objects)
      var chain = ProcessorChain([step].compactMap(\.self), format: format)
      var sound = (0..<4_096).map { _ in Float.random(in: -1...1, using: &random) }
      var samples = sound.mutableSpan
      chain.process(&samples, at: 0)
      #expect(step != nil && sound.allSatisfy(\.isFinite))
    }
  }

  @Test func `The description of an insert has what differs from the defaults`() {
    #expect("\(Insert.gate())" == "gate" && "\(Insert.closure("half") { _, _ in })" == "custom (half)")
    var bypassed = Insert.compressor(threshold: -20, ratio: 4)
    bypassed.isBypassed = true
    #expect("\(bypassed)" == "compressor (threshold -20.0 dB, ratio 4.0, bypassed)")
    #expect("\(Insert.delay(.milliseconds(250)))" == "delay (time 0.25 seconds, mix 0.3)")
    let bands = "shape highPass frequency 90.0, shape bell frequency 2500.0 level -3.0 dB"
    #expect("\(Insert.equalizer([.init(.highPass, 90), .init(.bell, 2_500, level: -3)]))" == "equalizer (\(bands))")
    let hall = Insert.Convolution("hall.wav", level: -3)
    #expect(hall.path == "hall.wav" && hall.level == -3)
    #expect(Insert(.convolution(hall)).description == "convolution (path hall.wav, level -3.0 dB)")
  }

  @Test func `The latencies are the latencies of the documentation`() {
    func latency(_ insert: Insert) -> Int {
      let chain = ProcessorChain([insert].compactMap { $0.step() }, format: .stereo(sampleRate: 48_000))
      return chain.latency
    }
    #expect(latency(.limiter(isTruePeak: false)) == 71 && latency(.limiter()) == 82)
    #expect(latency(.distortion()) == 41)
    let others: [Insert] = [
      .highPass(90), .compressor(), .gate(), .leveler(), .bitCrusher(), .delay(), .chorus(), .width(0),
    ]
    for insert in others { #expect(latency(insert) == 0) }
  }

  @Test func `The level of an equalizer is the response of its chain`() {
    var random = SplitMix64(seed: 2)
    let shapes = Insert.Equalizer.Band.Shape.allCases
    for rate in [44_100, 48_000, 96_000] {
      for _ in 0..<20 {
        let bands = (0..<Int.random(in: 0...9, using: &random)).map { _ in
          Insert.Equalizer.Band(
            shapes.randomElement(using: &random) ?? .bell,
            .random(in: 200...8_000, using: &random),
            level: Decibels(.random(in: -12...12, using: &random)),
            q: .random(in: 0.3...3, using: &random)
          )
        }
        let equalizer = Insert.Equalizer(bands)
        let response = Self.response(of: [Insert(.equalizer(equalizer))], rate: rate)
        for frequency: Float in [50, 300, 1_000, 3_000, 10_000] {
          let gain = Double(equalizer.level(at: frequency, sampleRate: rate).rawValue)
          // Float samples have no exact values below.
          guard gain > -60 else { continue }
          #expect(abs(level(at: Double(frequency), of: response, rate: rate) - gain) < 0.02)
        }
      }
    }
    let one = Insert.Equalizer([.init(.lowPass, 1_000)])
    #expect(one.level(at: .nan, sampleRate: 48_000) == 0 && one.level(at: .infinity, sampleRate: .min) < -100)
    #expect(Insert.Equalizer().level(at: 100, sampleRate: 48_000) == 0)
  }

  private static func response(of inserts: [Insert], rate: Int) -> [Float] {
    var chain = ProcessorChain(inserts.compactMap { $0.step() }, format: .mono(sampleRate: rate))
    var sound = [Float](repeating: 0, count: 32_768)
    sound[0] = 1
    var samples = sound.mutableSpan
    chain.process(&samples, at: 0)
    return sound
  }

  @Test func `The curve of a compressor is the level of a steady sound`() {
    var random = SplitMix64(seed: 77)
    for _ in 0..<60 {
      var compressor = Insert.Compressor(
        threshold: Decibels(.random(in: -50...0, using: &random)),
        ratio: .random(in: 1...20, using: &random),
        knee: Decibels(.random(in: 0...24, using: &random)),
        makeup: Decibels(.random(in: -6...6, using: &random)),
        attack: .milliseconds(5),
        release: .milliseconds(20)
      )
      compressor.detector = .random(using: &random) ? .peak : .rms
      let input = Decibels(.random(in: -60...0, using: &random))
      var chain = ProcessorChain(
        [Insert(.compressor(compressor))].compactMap { $0.step() },
        format: .mono(sampleRate: 48_000)
      )
      // A constant has one level for both detectors.
      var sound = [Float](repeating: input.factor, count: 24_000)
      var samples = sound.mutableSpan
      chain.process(&samples, at: 0)
      let output = Decibels(factor: sound[23_999])
      #expect(abs((output - compressor.output(for: input)).rawValue) < 0.05)
    }
    let extreme = Insert.Compressor(threshold: Decibels(.nan), ratio: .infinity, knee: -5)
    #expect(abs(extreme.output(for: 0).rawValue + 18) < 0.1)
    #expect(extreme.output(for: .silence) == .silence && extreme.output(for: Decibels(.nan)).rawValue.isNaN)
    #expect(extreme.output(for: Decibels(.infinity)) == Decibels(.infinity))
  }
}

extension Insert.Kind {
  /// Whether the settings are the defaults.
  fileprivate var isDefault: Bool {
    let defaults: [Insert.Kind] = [
      .equalizer(.init([.init(.bell, 1_000)])), .compressor(.init()), .gate(.init()), .limiter(.init()),
      .leveler(.init()), .distortion(.init()), .bitCrusher(.init()), .delay(.init()), .chorus(.init()), .width(.init()),
    ]
    return defaults.contains(self)
  }
}
