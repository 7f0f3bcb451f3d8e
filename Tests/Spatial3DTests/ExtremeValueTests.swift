import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Numbers at and beyond the ends of their ranges, alone and together.
@Suite(.hangLimit) struct ExtremeValueTests {
  private static let numbers: [Float] = [
    0, .leastNonzeroMagnitude, 1e-30, 1e-9, 1e-4, 0.5, 1, 343.3, 1e4, 1e9, 1e18, 1e20, 1e30, 3.4e38,
    .greatestFiniteMagnitude,
  ]

  private struct Dice {
    var generator: SplitMix64

    mutating func number() -> Float { numbers.randomElement(using: &generator) ?? 0 }

    mutating func vector() -> SIMD3<Float> { [signed(), signed(), signed()] }

    mutating func model() -> DistanceModel { DistanceModel.allCases.randomElement(using: &generator) ?? .none }

    mutating func isSet() -> Bool { Int.random(in: 0..<3, using: &generator) == 0 }

    mutating func bool() -> Bool { Bool.random(using: &generator) }

    private mutating func signed() -> Float { bool() ? number() : -number() }
  }

  /// Sets some properties of a source and its context.
  private func shake(_ source: SoundSource, _ dice: inout Dice) {
    let context = source.context
    if dice.isSet() { source.position = dice.vector() }
    if dice.isSet() { source.velocity = dice.vector() }
    if dice.isSet() { source.direction = dice.vector() }
    if dice.isSet() { source.radius = dice.number() }
    if dice.isSet() { source.airAbsorption = dice.number() }
    if dice.isSet() { source.pitch = dice.number() }
    if dice.isSet() { source.gain = Gain(min(dice.number(), 1)) }
    if dice.isSet() { source.roomRolloff = dice.number() }
    if dice.isSet() { source.isListenerRelative = dice.bool() }
    if dice.isSet() {
      source.cone = Cone(innerAngle: dice.number(), outerAngle: dice.number(), outerGain: Gain(dice.number()))
    }
    if dice.isSet() {
      source.attenuation = DistanceAttenuation(
        referenceDistance: dice.number(),
        maximumDistance: dice.number(),
        rolloffFactor: dice.number(),
        model: dice.model()
      )
    }
    if dice.isSet() {
      context.listener = Listener(
        position: dice.vector(),
        velocity: dice.vector(),
        orientation: Orientation(forward: dice.vector(), up: dice.vector())
      )
    }
    if dice.isSet() { context.dopplerFactor = dice.number() }
    if dice.isSet() { context.speedOfSound = dice.number() }
  }

  @Test(arguments: [
    (PCMFormat.stereo(sampleRate: 48_000), OutputSettings.HRTF.off), (.stereo(sampleRate: 48_000), .on),
    (PCMFormat(sampleRate: 22_050, layout: .surround51), .off),
  ])
  func `Extreme property values keep the mix finite and below a peak of 20`(
    format: PCMFormat,
    hrtf: OutputSettings.HRTF
  ) throws {
    for seed in 0..<2 as Range<UInt64> {
      var dice = Dice(generator: SplitMix64(seed: seed))
      var renderer = try OfflineRenderer(format: format, settings: OutputSettings(hrtf: hrtf))
      renderer.context.onDiagnostic = { _ in }
      renderer.context.reverb = Reverb(.mediumHall)
      let sources = [
        try Scenes.noise(in: renderer.context),
        try SoundSource(streaming: SampleReader(frames: 48_000), in: renderer.context),
      ]
      let tokens = sources.map { $0.observe(.all) { _ in } }
      for source in sources {
        source.reverbBlend = 0.5
        source.isLooping = true
      }
      for step in 0..<60 {
        if dice.bool() {
          renderer.context.withDeferredUpdates { for source in sources { shake(source, &dice) } }
        } else {
          for source in sources { shake(source, &dice) }
        }
        for source in sources where source.state != .playing { source.play() }
        let peak = peak(renderer.render(frameCount: 256))
        let values = sources.map(renderer.context.inspector.values(of:))
        try #require(peak < 20, "seed \(seed), step \(step): \(values), \(renderer.context.listener)")
      }
      withExtendedLifetime(tokens) {}
    }
  }

  /// The largest sample; infinite if a sample is not finite.
  private func peak(_ mix: PCMBuffer<Float>) -> Float {
    mix.samples.reduce(0) { max($0, $1.isFinite ? abs($1) : .infinity) }
  }

  @Test(arguments: DistanceModel.allCases)
  func `A source without gain is silent under any attenuation until its gain is restored`(model: DistanceModel) throws {
    var renderer = try OfflineRenderer(format: Scenes.stereo)
    renderer.context.reverb = Reverb(.mediumHall)
    renderer.context.distanceModel = model
    let source = try Scenes.noise(in: renderer.context)
    source.gain = 0
    source.reverbBlend = 0.5
    for reference in Self.numbers {
      for rolloff in [0, 1, 10, 30, 3.4e38] as [Float] {
        for distance in [0.001, 100] as [Float] {
          source.position = [distance, 0, 0]
          let maximum = reference == 1 ? 0.5 : Float.greatestFiniteMagnitude
          source.attenuation = .init(referenceDistance: reference, maximumDistance: maximum, rolloffFactor: rolloff)
          try #require(renderer.render(frameCount: 16).level == .silence, "\(source.attenuation), \(distance) m")
        }
      }
    }
    source.attenuation = DistanceAttenuation()
    source.position = [0.5, 0, 0]
    source.gain = 1
    #expect(renderer.render(frameCount: 2_048).level > -30)
  }

  /// Movements whose Doppler shift overflows a `Float`, or is a quotient of two infinities.
  enum Movement: CaseIterable, Sendable {
    case away, apart, along, alongFast, relative, factor

    func apply(to source: SoundSource) {
      let context = source.context
      source.position = [-1, 1, -1]
      switch self {
      case .away: source.velocity = [-1e18, 0, 0]
      case .apart:
        (source.position, context.listener.position) = ([3.4e38, 0, 0], [-3.4e38, 0, 0])
        (source.velocity, context.listener.velocity) = ([3.4e38, 0, 0], [-3.4e38, 0, 0])
      case .along:
        context.listener.velocity = [-3.4e38, 0, -3.4e38]
        source.velocity = [-3.4e38, 0, -3.4e38]
      case .alongFast:
        context.dopplerFactor = .greatestFiniteMagnitude
        context.listener.velocity = [-100, 0, 0]
        source.velocity = [-100, 0, 0]
      case .relative:
        source.isListenerRelative = true
        context.listener.velocity = [-3.4e38, 1e20, -3.4e38]
        source.velocity = [0.5, -1, 1e30]
      case .factor:
        context.dopplerFactor = .greatestFiniteMagnitude
        context.speedOfSound = .leastNonzeroMagnitude
        source.velocity = [3.4e38, -3.4e38, 0]
      }
    }
  }

  @Test(arguments: Movement.allCases, [false, true])
  func `A mix with extreme speeds of sounds and streams ends`(movement: Movement, isDeferred: Bool) throws {
    var renderer = try OfflineRenderer(format: Scenes.stereo)
    let context = renderer.context
    let sources = [
      try Scenes.noise(in: context), try SoundSource(streaming: SampleReader(frames: 48_000), in: context),
    ]
    for source in sources {
      source.isLooping = true
      if isDeferred {
        context.withDeferredUpdates { movement.apply(to: source) }
      } else {
        movement.apply(to: source)
      }
      source.play()
    }
    #expect(peak(renderer.render(frameCount: 4_096)) < 4)
    #expect(sources.allSatisfy { $0.state == .playing })
    for source in sources { (source.velocity, source.position) = (.zero, [0, 0, -1]) }
    (context.listener, context.dopplerFactor) = (Listener(), 1)
    #expect(renderer.render(frameCount: 4_096).level > -40)
  }

  @Test(arguments: Movement.allCases)
  func `A silent device keeps mixing at extreme speeds`(movement: Movement) async throws {
    let context = try AudioContext(device: .silent)
    let stream = try SoundSource(streaming: SampleReader(frames: 48_000), in: context)
    stream.isLooping = true
    let noise = try Scenes.noise(in: context)
    let token = noise.observe(.loop) { _ in }
    stream.play()
    movement.apply(to: stream)
    movement.apply(to: noise)
    let end = try SoundSource(playing: Scenes.silence(frames: 4_800, in: context), in: context)
    // The listener may be faster than the sound.
    end.dopplerFactor = 0
    end.play()
    await end.waitUntilStopped()
    #expect(stream.state == .playing)
    withExtendedLifetime(token) {}
  }

  @Test func `Every position property clamps a position beyond its range`() throws {
    var renderer = try OfflineRenderer(format: Scenes.stereo)
    let context = renderer.context
    let far = PolarPosition(azimuth: 3.4e38, elevation: -3.4e38, distance: 3.4e38)
    let sound = try Scenes.silence(frames: 4_800, in: context)
    context.listener.position = SIMD3(repeating: -.greatestFiniteMagnitude)
    #expect(context.listener.position == SIMD3(repeating: -1e9))
    for position in [SIMD3(far), context.listener.position(at: far), SIMD3(repeating: .greatestFiniteMagnitude)] {
      let source = try context.playOnce(sound, at: position)
      #expect(source.position.max() == 1e9 || source.position.min() == -1e9)
    }
    let position = context.listener.polarPosition(of: SIMD3(repeating: .greatestFiniteMagnitude))
    #expect(position.distance.isFinite && position.azimuth.isFinite && position.elevation.isFinite)
    #expect(renderer.render(frameCount: 1_024).level == .silence)
  }

  @Test(arguments: [OutputSettings.HRTF.off, .on])
  func `The largest samples at the largest gains keep the mix finite and decay`(hrtf: OutputSettings.HRTF) throws {
    var renderer = try OfflineRenderer(format: Scenes.stereo, settings: OutputSettings(hrtf: hrtf))
    let context = renderer.context
    context.onDiagnostic = { _ in }
    context.reverb = Reverb(.mediumHall, level: 40)
    context.listener.gain = 16
    let samples = (0..<4_800).map { $0 % 48 < 24 ? Float(1e6) : -1e6 }
    let sound = try SoundBuffer(PCMBuffer(samples: samples, format: Scenes.mono), in: context)
    let sources = try (0..<16).map { _ in try SoundSource(playing: sound, in: context) }
    for source in sources {
      (source.gainLimits, source.gain, source.reverbBlend) = (0...16, 16, 0.7)
      source.pitch = 1.1
      source.position = [0.1, 0, 0]
      source.play()
    }
    let loudest = peak(renderer.render(frameCount: 24_000))
    // A third of the range from the largest sample to the largest `Float`, in powers of ten.
    #expect(loudest > 1e6 && loudest < 1e17)
    for source in sources { source.stop() }
    context.listener.gain = 1
    renderer.render(.seconds(6))
    #expect(peak(renderer.render(frameCount: 4_800)) < loudest / 1e3)
  }

  @Test func `A fast sound leaves a room as it is`() throws {
    func mix(_ speed: Float) throws -> [Float] {
      var renderer = try OfflineRenderer(format: Scenes.stereo)
      renderer.context.reverb = Reverb(.mediumHall)
      renderer.context.speedOfSound = speed
      let source = try Scenes.noise(in: renderer.context, at: [3, 0, 0])
      source.reverbBlend = 0.5
      return renderer.render(frameCount: 9_600).samples
    }
    #expect(try mix(1e9) == mix(343.3))
    #expect(try mix(0.001) == mix(343.3))
  }
}

/// The arithmetic that keeps numbers in range.
@Suite struct SaturatingTests {
  @Test(arguments: [0, 1, -1, 1.9, -1.9, 4e9, -4e9] as [Double])
  func `A number in range loses its fraction`(value: Double) {
    #expect(Int(saturating: value) == Int(value))
    #expect(Int64(saturating: value) == Int64(value))
  }

  @Test(arguments: [9.3e18, 1e300, .infinity, .greatestFiniteMagnitude] as [Double])
  func `A number beyond an integer's range saturates, and NaN converts to 0`(value: Double) {
    #expect(Int(saturating: value) == .max)
    #expect(Int(saturating: -value) == .min)
    #expect(Int32(saturating: value) == .max)
    #expect(UInt8(saturating: -value) == 0)
    #expect(Int(saturating: .nan) == 0)
    #expect(Int64(saturating: .signalingNaN) == 0)
  }

  @Test func `A vector that is clamped keeps its direction`() {
    var generator = SplitMix64(seed: 1)
    for _ in 0..<1_000 {
      func component() -> Float {
        let size = Float(sign: .plus, exponent: Int.random(in: -20...127, using: &generator), significand: 1)
        return Float.random(in: -1...1, using: &generator) * size
      }
      let vector: SIMD3<Float> = [component(), component(), component()]
      let clamped = vector.clamped
      let largest = max(abs(clamped.x), abs(clamped.y), abs(clamped.z))
      let before = max(abs(vector.x), abs(vector.y), abs(vector.z))
      #expect(largest <= 1e9)
      if before <= 1e9 { #expect(clamped == vector) } else { #expect(largest > 0.999_999e9) }
      let (direction, wanted) = (SIMD3<Double>(clamped) / Double(largest), SIMD3<Double>(vector) / Double(before))
      #expect(abs((direction - wanted).max()) < 1e-6 && abs((direction - wanted).min()) < 1e-6)
    }
  }
}
