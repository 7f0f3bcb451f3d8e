import Glibc
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Effects at combinations of the bounds of their ranges, and random rooms: the mix stays finite.
@Suite struct EffectGridTests {
  static let rates = [MixRateTests.lowestRate, 16_000, 22_050, 48_000, 192_000]

  private static let frequencies: [Float] = [80, 1_000, 8_000, 16_000, 24_000]

  /// All combinations of bounds and inner values.
  private static var distortions: [Effect] {
    combinations([0, 0.5, 1], [0.01, 1], frequencies, frequencies, frequencies).map { values in
      .distortion(
        .init(edge: values[0], gain: Gain(values[1]), lowPassCutoff: values[2], center: values[3], bandwidth: values[4])
      )
    }
  }

  private static var echoes: [Effect] {
    combinations([0, 1, 207], [0, 404], [0, 0.5, 0.99], [0, 0.5, 1], [-1, 0, 1]).map { values in
      .echo(
        .init(
          delay: .milliseconds(Double(values[0])),
          otherSideDelay: .milliseconds(Double(values[1])),
          damping: values[2],
          feedback: values[3],
          spread: values[4]
        )
      )
    }
  }

  private static var modulations: [Effect] {
    let all = combinations([0, 1], [-180, 0, 180], [0, 0.01, 10], [0, 0.5, 1], [-1, 0, 1], [0, 4, 16])
    return all.flatMap { values -> [Effect] in
      var modulation = Effect.Modulation.chorus
      (modulation.waveform, modulation.phase) = (values[0] == 0 ? .sine : .triangle, values[1])
      (modulation.rate, modulation.depth) = (values[2], values[3])
      (modulation.feedback, modulation.delay) = (values[4], .milliseconds(Double(values[5])))
      return [.chorus(modulation), .flanger(modulation)]
    }
  }

  private static var equalizers: [Effect] {
    let gains: [Float] = [-18, 18]
    let shelves = combinations([50, 800], [4_000, 11_000, 16_000], gains)
    let bands = combinations([200, 3_000], [0.01, 1], gains, [1_000, 3_950, 8_000], [0.01, 1], gains)
    return shelves.flatMap { shelf in
      bands.map { band in
        var equalizer = Effect.Equalizer()
        equalizer.low = .init(cutoff: shelf[0], level: Decibels(shelf[2]))
        equalizer.high = .init(cutoff: shelf[1], level: Decibels(shelf[2]))
        equalizer.band1 = .init(center: band[0], width: band[1], level: Decibels(band[2]))
        equalizer.band2 = .init(center: band[3], width: band[4], level: Decibels(band[5]))
        return .equalizer(equalizer)
      }
    }
  }

  private static var shifters: [Effect] {
    let pitches = [-12.5, 0, 12.5].map { Effect.pitchShifter(.init(semitones: $0)) }
    let frequencies = combinations([0, 4_000, 24_000], [0, 1, 2], [0, 1]).map { values in
      let left: Effect.FrequencyShifter.Direction = values[1] == 0 ? .up : values[1] == 1 ? .down : .off
      return Effect.frequencyShifter(.init(frequency: values[0], left: left, right: values[2] == 0 ? .up : .down))
    }
    let rings = combinations([0, 0.01, 4_000, 8_000], [0, 800, 24_000], [0, 1, 2]).map { values in
      let waveform: Effect.RingModulator.Waveform = values[2] == 0 ? .sine : values[2] == 1 ? .sawtooth : .square
      return Effect.ringModulator(.init(frequency: values[0], highPassCutoff: values[1], waveform: waveform))
    }
    return pitches + frequencies + rings + [.compressor]
  }

  private static func combinations(_ lists: [Float]...) -> [[Float]] {
    lists.reduce([[]]) { shorter, values in shorter.flatMap { start in values.map { start + [$0] } } }
  }

  @Test(arguments: rates)
  func `Every effect's mix is finite, of noise and of a step at full scale`(rate: Int) throws {
    var renderer = try OfflineRenderer(format: .mono(sampleRate: rate))
    renderer.context.onDiagnostic = { _ in }
    let sources = try Self.sources(in: renderer.context)
    for kind in [Self.distortions, Self.echoes, Self.modulations, Self.equalizers, Self.shifters] {
      let unit = try EffectUnit(kind[0], in: renderer.context)
      for source in sources { source.effectSends = [EffectSend(to: unit)] }
      for effect in kind {
        unit.effect = effect
        #expect(unit.effect == effect.clamped)
        let mix = renderer.render(frameCount: 192).channel(0)
        #expect(mix.allSatisfy { abs($0) < 20_000 }, "\(effect)")
      }
      for source in sources { source.effectSends = [] }
    }
  }

  @Test(arguments: rates)
  func `The mix of rooms drawn from all ranges is finite, at any density, decay, ratio, reference, level and equalizer`(
    rate: Int
  ) throws {
    var numbers = SplitMix64(seed: UInt64(rate))
    var renderer = try OfflineRenderer(format: .mono(sampleRate: rate))
    let sources = try Self.sources(in: renderer.context)
    for source in sources { source.reverbBlend = 1 }
    func one<Value>(_ values: [Value]) -> Value { values[Int.random(in: values.indices, using: &numbers)] }
    for index in 0..<24 {
      var room = RoomAcoustics()
      (room.density, room.diffusion) = (one([0, 0.9, 1]), one([0, 1]))
      room.decayTime = .milliseconds(one([100, 550, 700, 1_000, 20_000]))
      (room.highFrequencyDecayRatio, room.lowFrequencyDecayRatio) = (one([0.1, 0.13, 1, 2]), one([0.1, 0.13, 1, 2]))
      (room.highFrequencyReference, room.lowFrequencyReference) = (one([1_000, 5_000, 20_000]), one([20, 250, 1_000]))
      (room.highFrequencyGain, room.lowFrequencyGain) = (one([0, 1]), one([0, 1]))
      (room.airAbsorptionGain, room.limitsHighFrequencyDecay) = (one([0.892, 1]), one([true, false]))
      let equalizer = ParametricEqualizer(frequency: one([10, 3_900, 20_000]), bandwidth: 4, level: one([-18, 18]))
      let reverb = Reverb(room: room, level: one([-40, 0, 40]), equalizer: index % 4 == 0 ? equalizer : nil)
      let unit = index % 2 == 0 ? try EffectUnit(.reverb(reverb), in: renderer.context) : nil
      sources[index % 3 % 2].effectSends = unit.map { [EffectSend(to: $0)] } ?? []
      if unit == nil { renderer.context.reverb = reverb }
      let mix = renderer.render(frameCount: 1_200).channel(0)
      #expect(mix.allSatisfy { abs($0) < 1_000_000 }, "\(reverb)")
      for source in sources { source.effectSends = [] }
    }
  }

  /// Noise and a step, with their direct sound obstructed completely.
  private static func sources(in context: AudioContext) throws -> [SoundSource] {
    let format = PCMFormat.mono(sampleRate: context.sampleRate)
    let step = try PCMBuffer(samples: [Float](repeating: 1, count: 4_800), format: format)
    let noise = TestSignal.noise(duration: .milliseconds(100), format: format)
    return try [noise, step].map { sound in
      let source = try SoundSource(playing: SoundBuffer(sound, in: context), in: context)
      source.isLooping = true
      source.obstruction = -100
      source.play()
      return source
    }
  }

  @Test func `A distortion with unstable filters is limited and logs one diagnostic`() throws {
    var renderer = try OfflineRenderer(format: Rooms.mono)
    let diagnostics = DiagnosticLog()
    renderer.context.onDiagnostic = { diagnostics.add($0) }
    let wide = Effect.distortion(.init(gain: 1, center: 80, bandwidth: 24_000))
    let unit = try EffectUnit(wide, in: renderer.context)
    #expect(unit.effect == wide)
    #expect(diagnostics.codes == [.effectLimited])
    #expect(diagnostics.messages.first?.contains("bandwidth of a distortion was set to 24000.0 Hz") == true)
    let source = try Self.sources(in: renderer.context)[0]
    source.effectSends = [EffectSend(to: unit)]
    #expect(renderer.render(frameCount: 4_800).channel(0).allSatisfy { $0.isFinite })
    unit.effect = .distortion(.init())
    unit.effect = wide
    #expect(diagnostics.codes.filter { $0 == .effectLimited }.count == 1)
  }

  @Test func `The highest feedback does not grow without bound`() throws {
    var renderer = try OfflineRenderer(format: Rooms.mono)
    let source = try Self.sources(in: renderer.context)[1]
    let echo = Effect.Echo(delay: .zero, otherSideDelay: .zero, damping: 0, feedback: 1, spread: 1)
    var modulation = Effect.Modulation.chorus
    (modulation.feedback, modulation.delay) = (1, .zero)
    for effect in [Effect.echo(echo), .chorus(modulation), .flanger(modulation)] {
      let unit = try EffectUnit(effect, in: renderer.context)
      source.effectSends = [EffectSend(to: unit)]
      _ = renderer.render(frameCount: 48_000)
      #expect(renderer.render(frameCount: 600).channel(0).allSatisfy { abs($0) < 25_000 }, "\(effect)")
    }
  }
}
