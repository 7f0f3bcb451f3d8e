/// An effect as a list of numbers, in the order of the shim's tables.
struct EffectParameters: Hashable, Sendable {
  let kind: Kind
  let values: [Float]

  /// The shim's `S3D_EFFECT_…`.
  enum Kind: Hashable, Sendable, CaseIterable {
    case reverb
    case echo
    case chorus
    case flanger
    case distortion
    case compressor
    case equalizer
    case pitchShifter
    case frequencyShifter
    case ringModulator
  }

  private init(_ kind: Kind, _ values: [Float]) { (self.kind, self.values) = (kind, values) }

  init(_ room: RoomAcoustics) { self.init(.reverb, room.parameters) }

  /// The parameters of an effect; `nil` for a reverb, which depends on more than its values.
  init?(_ effect: Effect) {
    switch effect {
    case .reverb: return nil
    case .echo(let echo):
      self.init(
        .echo,
        [echo.delay.inSeconds, echo.otherSideDelay.inSeconds, echo.damping, echo.feedback, echo.spread]
      )
    case .chorus(let modulation): self.init(.chorus, Self.values(of: modulation))
    case .flanger(let modulation): self.init(.flanger, Self.values(of: modulation))
    case .distortion(let distortion):
      self.init(
        .distortion,
        [distortion.edge, distortion.gain.rawValue, distortion.lowPassCutoff, distortion.center, distortion.bandwidth]
      )
    case .compressor: self.init(.compressor, [1])
    case .equalizer(let equalizer): self.init(equalizer)
    case .pitchShifter(let shifter):
      let coarse = shifter.semitones.rounded().clamped(to: -12...12)
      self.init(.pitchShifter, [coarse, ((shifter.semitones - coarse) * 100).rounded()])
    case .frequencyShifter(let shifter):
      self.init(.frequencyShifter, [shifter.frequency, Self.index(of: shifter.left), Self.index(of: shifter.right)])
    case .ringModulator(let modulator):
      self.init(
        .ringModulator,
        [modulator.frequency, modulator.highPassCutoff, Self.index(of: modulator.waveform)]
      )
    }
  }

  init(_ equalizer: Effect.Equalizer) {
    self.init(
      .equalizer,
      [
        Self.gain(equalizer.low.level), equalizer.low.cutoff,
        Self.gain(equalizer.band1.level), equalizer.band1.center, equalizer.band1.width,
        Self.gain(equalizer.band2.level), equalizer.band2.center, equalizer.band2.width,
        Self.gain(equalizer.high.level), equalizer.high.cutoff,
      ]
    )
  }

  private static func values(of modulation: Effect.Modulation) -> [Float] {
    [
      index(of: modulation.waveform), modulation.phase, modulation.rate, modulation.depth, modulation.feedback,
      modulation.delay.inSeconds,
    ]
  }

  /// The library's bounds are 18 dB rounded to three decimals.
  private static func gain(_ level: Decibels) -> Float { level.factor.clamped(to: 0.126...7.943) }

  /// The index in the order of the cases, which is the library's order.
  private static func index<Choice: CaseIterable & Equatable>(of choice: Choice) -> Float {
    Float(Choice.allCases.enumerated().first { $0.element == choice }?.offset ?? 0)
  }
}
