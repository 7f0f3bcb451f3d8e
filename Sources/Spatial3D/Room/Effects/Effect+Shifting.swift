extension Effect {
  /// The same sound higher or lower.
  public struct PitchShifter: Hashable, Sendable {
    /// The shift in semitones, hundredths included.
    ///
    /// Range: -12.5 to 12.5. Default: 0 (`AL_PITCH_SHIFTER_COARSE_TUNE` and
    /// `AL_PITCH_SHIFTER_FINE_TUNE`).
    public var semitones: Float

    /// A shift by a number of semitones.
    public init(semitones: Float = 0) {
      self.semitones = semitones
    }

    var clamped: PitchShifter {
      PitchShifter(semitones: semitones.clamped(to: -12.5...12.5))
    }
  }

  /// All frequencies moved by the same number of hertz, which bends chords out of tune.
  public struct FrequencyShifter: Hashable, Sendable {
    /// The direction of the shift on one side.
    public enum Direction: String, Hashable, Sendable, CaseIterable, Codable {
      /// Down.
      case down

      /// Up.
      case up

      /// The side is silent.
      case off
    }

    /// The shift in hertz.
    ///
    /// Range: 0 to 24,000. Default: 0 (`AL_FREQUENCY_SHIFTER_FREQUENCY`).
    public var frequency: Float

    /// The direction on the left side.
    ///
    /// Default: ``Direction/down`` (`AL_FREQUENCY_SHIFTER_LEFT_DIRECTION`).
    public var left: Direction

    /// The direction on the right side.
    ///
    /// Default: ``Direction/down`` (`AL_FREQUENCY_SHIFTER_RIGHT_DIRECTION`).
    public var right: Direction

    /// A shift; the default is 0 Hz.
    public init(
      frequency: Float = 0,
      left: Direction = .down,
      right: Direction = .down
    ) {
      self.frequency = frequency
      self.left = left
      self.right = right
    }

    var clamped: FrequencyShifter {
      var shifter = self
      shifter.frequency = frequency.clamped(to: 0...24_000)
      return shifter
    }
  }

  /// A sound multiplied with an oscillation.
  public struct RingModulator: Hashable, Sendable {
    /// The shape of the oscillation.
    public enum Waveform: String, Hashable, Sendable, CaseIterable, Codable {
      /// Round.
      case sine

      /// Rising evenly, then falling at once.
      case sawtooth

      /// On and off.
      case square
    }

    /// The frequency of the oscillation.
    ///
    /// Range: 0 to 8,000 hertz. Default: 440 (`AL_RING_MODULATOR_FREQUENCY`).
    public var frequency: Float

    /// The cutoff of the high-pass filter behind the modulation.
    ///
    /// Range: 0 to 24,000 hertz. Default: 800
    /// (`AL_RING_MODULATOR_HIGHPASS_CUTOFF`).
    public var highPassCutoff: Float

    /// The shape of the oscillation.
    ///
    /// Default: ``Waveform/sine`` (`AL_RING_MODULATOR_WAVEFORM`).
    public var waveform: Waveform

    /// A ring modulator; the defaults are OpenAL's own.
    public init(
      frequency: Float = 440,
      highPassCutoff: Float = 800,
      waveform: Waveform = .sine
    ) {
      self.frequency = frequency
      self.highPassCutoff = highPassCutoff
      self.waveform = waveform
    }

    var clamped: RingModulator {
      var modulator = self
      modulator.frequency = frequency.clamped(to: 0...8_000)
      modulator.highPassCutoff = highPassCutoff.clamped(to: 0...24_000)
      return modulator
    }
  }
}
