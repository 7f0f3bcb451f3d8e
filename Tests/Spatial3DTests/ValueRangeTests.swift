import Testing

@testable import Spatial3D

/// The ranges of all numbers of effects, as their documentation states them.
@Suite struct ValueRangeTests {
  /// A number of an effect, and its range.
  private struct Number {
    let name: String
    let range: ClosedRange<Float>
    let effect: @Sendable (Float) -> Effect

    init(_ name: String, _ range: ClosedRange<Float>, _ effect: @escaping @Sendable (Float) -> Effect) {
      (self.name, self.range, self.effect) = (name, range, effect)
    }

    /// A number of a value that an effect has.
    init<Value: Sendable>(
      _ name: String,
      _ range: ClosedRange<Float>,
      of value: Value,
      _ path: any WritableKeyPath<Value, Float> & Sendable,
      _ effect: @escaping @Sendable (Value) -> Effect
    ) {
      self.init(name, range) { number in
        var value = value
        value[keyPath: path] = number
        return effect(value)
      }
    }
  }

  private static let rooms: [Number] = {
    func room(_ range: ClosedRange<Float>, _ path: any WritableKeyPath<RoomAcoustics, Float> & Sendable) -> Number {
      Number("room", range, of: RoomAcoustics(), path) { .reverb(Reverb(room: $0)) }
    }
    return [
      room(0...1, \.density), room(0...1, \.diffusion), room(0...1, \.gain.rawValue),
      room(0...1, \.highFrequencyGain.rawValue),
      room(0...1, \.lowFrequencyGain.rawValue), room(0...1, \.echoDepth), room(0...1, \.modulationDepth),
      room(0.1...2, \.highFrequencyDecayRatio), room(0.1...2, \.lowFrequencyDecayRatio),
      room(0...3.16, \.reflectionsGain.rawValue), room(0...10, \.lateGain.rawValue),
      room(0.892...1, \.airAbsorptionGain.rawValue),
      room(1_000...20_000, \.highFrequencyReference), room(20...1_000, \.lowFrequencyReference),
      room(0...10, \.roomRolloff),
    ]
  }()

  private static let equalizers: [Number] = {
    func equalizer(
      _ range: ClosedRange<Float>,
      _ path: any WritableKeyPath<Effect.Equalizer, Float> & Sendable
    ) -> Number {
      Number("equalizer", range, of: Effect.Equalizer(), path) { .equalizer($0) }
    }
    func gain(_ path: any WritableKeyPath<Effect.Equalizer, Decibels> & Sendable) -> Number {
      Number("gain", -18...18) { number in
        var value = Effect.Equalizer()
        value[keyPath: path] = Decibels(number)
        return .equalizer(value)
      }
    }
    func parametric(
      _ range: ClosedRange<Float>,
      _ path: any WritableKeyPath<ParametricEqualizer, Float> & Sendable
    ) -> Number {
      Number("parametric equaliser", range, of: ParametricEqualizer(), path) {
        .reverb(Reverb(.smallRoom, equalizer: $0))
      }
    }
    return [
      equalizer(50...800, \.low.cutoff), equalizer(4_000...16_000, \.high.cutoff),
      equalizer(200...3_000, \.band1.center), equalizer(1_000...8_000, \.band2.center),
      equalizer(0.01...1, \.band1.width), equalizer(0.01...1, \.band2.width),
      gain(\.low.level), gain(\.band1.level), gain(\.band2.level), gain(\.high.level),
      parametric(10...20_000, \.frequency), parametric(0.05...4, \.bandwidth),
      Number("parametric gain", -18...18) {
        .reverb(Reverb(.smallRoom, equalizer: ParametricEqualizer(level: Decibels($0))))
      },
    ]
  }()

  private static let others: [Number] = [
    Number("edge", 0...1, of: Effect.Distortion(), \.edge) { .distortion($0) },
    Number("gain", 0.01...1, of: Effect.Distortion(), \.gain.rawValue) { .distortion($0) },
    Number("low pass", 80...24_000, of: Effect.Distortion(), \.lowPassCutoff) { .distortion($0) },
    Number("center", 80...24_000, of: Effect.Distortion(), \.center) { .distortion($0) },
    Number("bandwidth", 80...24_000, of: Effect.Distortion(), \.bandwidth) { .distortion($0) },
    Number("damping", 0...0.99, of: Effect.Echo(), \.damping) { .echo($0) },
    Number("feedback", 0...0.9999, of: Effect.Echo(), \.feedback) { .echo($0) },
    Number("spread", -1...1, of: Effect.Echo(), \.spread) { .echo($0) },
    Number("phase", -180...180, of: Effect.Modulation.chorus, \.phase) { .chorus($0) },
    Number("rate", 0...10, of: Effect.Modulation.chorus, \.rate) { .chorus($0) },
    Number("depth", 0...1, of: Effect.Modulation.flanger, \.depth) { .flanger($0) },
    Number("feedback", -0.9999...0.9999, of: Effect.Modulation.flanger, \.feedback) { .flanger($0) },
    Number("semitones", -12.5...12.5, of: Effect.PitchShifter(), \.semitones) { .pitchShifter($0) },
    Number("shift", 0...24_000, of: Effect.FrequencyShifter(), \.frequency) { .frequencyShifter($0) },
    Number("frequency", 0...8_000, of: Effect.RingModulator(), \.frequency) { .ringModulator($0) },
    Number("high pass", 0...24_000, of: Effect.RingModulator(), \.highPassCutoff) { .ringModulator($0) },
  ]

  @Test func `Each number out of its range becomes the nearest in it, and leaves the others`() {
    for number in Self.rooms + Self.equalizers + Self.others {
      let (low, high) = (number.range.lowerBound, number.range.upperBound)
      let middle = ((low + high) / 2).rounded(.up).clamped(to: number.range)
      for inside in [low, middle, high] {
        let effect = number.effect(inside)
        #expect(effect.clamped == effect && effect.isFinite, "\(number.name) \(inside)")
      }
      for (outside, bound) in [
        (low - 1, low), (low.nextDown, low), (high.nextUp, high), (high + 1, high), (1e30, high),
      ] {
        let clamped = number.effect(outside).clamped
        #expect(clamped == number.effect(bound), "\(number.name) \(outside)")
      }
      for unusable in [Float.nan, .infinity] { #expect(!number.effect(unusable).isFinite, "\(number.name)") }
    }
  }

  @Test func `Each time out of its range becomes the nearest in it`() {
    func room(_ path: WritableKeyPath<RoomAcoustics, Duration>) -> (Duration) -> Effect {
      { time in
        var room = RoomAcoustics()
        room[keyPath: path] = time
        return .reverb(Reverb(room: room))
      }
    }
    func modulation(_ value: Effect.Modulation, _ effect: @escaping (Effect.Modulation) -> Effect) -> (Duration) ->
      Effect
    {
      { time in
        var value = value
        value.delay = time
        return effect(value)
      }
    }
    let times: [(low: Int, high: Int, effect: (Duration) -> Effect)] = [
      (100, 20_000, room(\.decayTime)), (0, 300, room(\.reflectionsDelay)), (0, 100, room(\.lateDelay)),
      (75, 250, room(\.echoTime)), (40, 4_000, room(\.modulationTime)),
      (0, 207, { .echo(Effect.Echo(delay: $0)) }), (0, 404, { .echo(Effect.Echo(otherSideDelay: $0)) }),
      (0, 16, modulation(.chorus) { .chorus($0) }), (0, 4, modulation(.flanger) { .flanger($0) }),
    ]
    for (index, time) in times.enumerated() {
      let (low, high) = (Duration.milliseconds(time.low), Duration.milliseconds(time.high))
      for inside in [low, (low + high) / 2, high] {
        #expect(time.effect(inside).clamped == time.effect(inside), "\(index): \(inside)")
      }
      for (outside, bound) in [
        (low - .nanoseconds(1), low), (.seconds(-5), low), (high + .nanoseconds(1), high), (.seconds(100), high),
      ] {
        #expect(time.effect(outside).clamped == time.effect(bound), "\(index): \(outside)")
      }
    }
  }
}
