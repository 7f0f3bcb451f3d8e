import Glibc
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Effects at the bounds of their ranges and inside, together: the mix stays finite, and the process alive.
@Suite struct EffectGridTests {
  static let rates = [11_025, 16_000, 22_050, 48_000, 192_000]

  /// Combinations of bounds and inner values, the worst ones first.
  private static func effects(_ numbers: inout SplitMix64) -> [Effect] {
    func one<Value>(_ values: [Value]) -> Value { values[Int.random(in: values.indices, using: &numbers)] }
    var effects: [Effect] = []
    for (center, bandwidth): (Float, Float) in [
      (80, 16_000), (80, 24_000), (100, 24_000), (16_000, 80), (24_000, 24_000),
    ] {
      effects.append(.distortion(.init(edge: 1, gain: 1, lowPassCutoff: center, center: center, bandwidth: bandwidth)))
    }
    let frequencies: [Float] = [80, 100, 1_000, 8_000, 15_900, 16_000, 24_000]
    for _ in 0..<10 {
      effects.append(
        .distortion(
          .init(
            edge: one([0, 0.5, 1]),
            gain: one([0.01, 1]),
            lowPassCutoff: one(frequencies),
            center: one(frequencies),
            bandwidth: one(frequencies)
          )
        )
      )
      effects.append(
        .echo(
          .init(
            delay: .milliseconds(one([0, 1, 207])),
            otherSideDelay: .milliseconds(one([0, 404])),
            damping: one([0, 0.5, 0.99]),
            feedback: one([0, 0.5, 1]),
            spread: one([-1, 0, 1])
          )
        )
      )
      var modulation = Effect.Modulation.chorus
      (modulation.waveform, modulation.phase) = (one([.sine, .triangle]), one([-180, 0, 180]))
      (modulation.rate, modulation.depth) = (one([0, 0.01, 10]), one([0, 0.5, 1]))
      (modulation.feedback, modulation.delay) = (one([-1, 0, 1]), one([.zero, .milliseconds(4), .milliseconds(16)]))
      effects += [.chorus(modulation), .flanger(modulation)]
      var equalizer = Effect.Equalizer()
      let gains: [Decibels] = [-18, 0, 18]
      equalizer.low = .init(cutoff: one([50, 800]), gain: one(gains))
      equalizer.band1 = .init(center: one([200, 3_000]), width: one([0.01, 1]), gain: one(gains))
      equalizer.band2 = .init(center: one([1_000, 3_950, 8_000]), width: one([0.01, 1]), gain: one(gains))
      equalizer.high = .init(cutoff: one([4_000, 11_000, 16_000]), gain: one(gains))
      effects.append(.equalizer(equalizer))
      effects.append(.pitchShifter(.init(semitones: one([-12.5, 0, 12.5]))))
      effects.append(
        .frequencyShifter(
          .init(frequency: one([0, 4_000, 24_000]), left: one([.up, .down, .off]), right: one([.up, .down]))
        )
      )
      effects.append(
        .ringModulator(
          .init(
            frequency: one([0, 0.01, 4_000, 8_000]),
            highPassCutoff: one([0, 800, 24_000]),
            waveform: one([.sine, .sawtooth, .square])
          )
        )
      )
    }
    return effects + [.compressor]
  }

  @Test(arguments: rates)
  func `Every effect's mix is finite, of noise and of a step at full scale`(rate: Int) throws {
    var numbers = SplitMix64(seed: UInt64(rate))
    let format = PCMFormat.mono(sampleRate: rate)
    var renderer = try OfflineRenderer(format: format)
    renderer.context.onDiagnostic = { _ in }
    let sources = try Self.sources(in: renderer.context)
    for (index, effect) in Self.effects(&numbers).enumerated() {
      let unit = try EffectUnit(effect, in: renderer.context)
      #expect(unit.effect == effect.clamped)
      sources[index % 2].effectSends = [EffectSend(to: unit)]
      let mix = renderer.render(frameCount: 600).channel(0)
      #expect(mix.allSatisfy { abs($0) < 10_000 }, "\(effect)")
      sources[index % 2].effectSends = []
    }
  }

  @Test(arguments: rates)
  func `Every room's mix is finite, at any density, decay, ratio, reference, level and equalizer`(rate: Int) throws {
    var numbers = SplitMix64(seed: UInt64(rate))
    var renderer = try OfflineRenderer(format: .mono(sampleRate: rate))
    let sources = try Self.sources(in: renderer.context)
    for source in sources { source.reverbSendLevel = 1 }
    func one<Value>(_ values: [Value]) -> Value { values[Int.random(in: values.indices, using: &numbers)] }
    for index in 0..<24 {
      var room = RoomAcoustics()
      (room.density, room.diffusion) = (one([0, 0.9, 1]), one([0, 1]))
      room.decayTime = .milliseconds(one([100, 550, 700, 1_000, 20_000]))
      (room.highFrequencyDecayRatio, room.lowFrequencyDecayRatio) = (one([0.1, 0.13, 1, 2]), one([0.1, 0.13, 1, 2]))
      (room.highFrequencyReference, room.lowFrequencyReference) = (one([1_000, 5_000, 20_000]), one([20, 250, 1_000]))
      (room.highFrequencyGain, room.lowFrequencyGain) = (one([0, 1]), one([0, 1]))
      (room.airAbsorptionGain, room.limitsHighFrequencyDecay) = (one([0.892, 1]), one([true, false]))
      let equalizer = ParametricEqualizer(frequency: one([10, 3_900, 20_000]), bandwidth: 4, gain: one([-18, 18]))
      let reverb = Reverb(room: room, level: one([-40, 0, 40]), equalizer: index % 4 == 0 ? equalizer : nil)
      let unit = index % 2 == 0 ? try EffectUnit(.reverb(reverb), in: renderer.context) : nil
      sources[index % 3 % 2].effectSends = unit.map { [EffectSend(to: $0)] } ?? []
      if unit == nil { renderer.context.reverb = reverb }
      let mix = renderer.render(frameCount: 1_200).channel(0)
      #expect(mix.allSatisfy { abs($0) < 1_000_000 }, "\(reverb)")
      for source in sources { source.effectSends = [] }
    }
  }

  /// Noise and a step, behind what muffles all of the direct sound.
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

  @Test func `A distortion that is no number in the library is the widest one, and reported once`() throws {
    var renderer = try OfflineRenderer(format: Rooms.mono)
    let told = Told()
    renderer.context.onDiagnostic = { told.add($0) }
    let wide = Effect.distortion(.init(gain: 1, center: 80, bandwidth: 24_000))
    let unit = try EffectUnit(wide, in: renderer.context)
    #expect(unit.effect == wide)
    #expect(told.codes == [.effectLimited])
    #expect(told.messages.first?.contains("bandwidth of a distortion was set to 24000.0 Hz") == true)
    let source = try Self.sources(in: renderer.context)[0]
    source.effectSends = [EffectSend(to: unit)]
    #expect(renderer.render(frameCount: 4_800).channel(0).allSatisfy { $0.isFinite })
    unit.effect = .distortion(.init())
    unit.effect = wide
    #expect(told.codes.count == 1)
  }

  @Test func `Feedback at its highest does not add up without end`() throws {
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
