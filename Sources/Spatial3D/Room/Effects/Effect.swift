/// The effect of an ``EffectUnit`` on the sources that feed it.
///
/// A value out of its range becomes the nearest in it.
public enum Effect: Hashable, Sendable {
  /// A room, beside the room of the whole scene.
  case reverb(Reverb)

  /// Distinct repetitions (`AL_EFFECT_ECHO`).
  case echo(Echo)

  /// Copies that waver, as of many voices (`AL_EFFECT_CHORUS`).
  case chorus(Modulation)

  /// A copy that wanders against the sound, as of a jet (`AL_EFFECT_FLANGER`).
  case flanger(Modulation)

  /// An overdriven loudspeaker (`AL_EFFECT_DISTORTION`).
  case distortion(Distortion)

  /// Loud parts softer, soft parts louder (`AL_EFFECT_COMPRESSOR`).
  case compressor

  /// Four bands (`AL_EFFECT_EQUALIZER`).
  case equalizer(Equalizer)

  /// The same at another pitch (`AL_EFFECT_PITCH_SHIFTER`).
  case pitchShifter(PitchShifter)

  /// All frequencies moved by the same number of hertz (`AL_EFFECT_FREQUENCY_SHIFTER`).
  case frequencyShifter(FrequencyShifter)

  /// Multiplied with an oscillation, as robots speak (`AL_EFFECT_RING_MODULATOR`).
  case ringModulator(RingModulator)
}

extension Effect {
  /// The largest part of an effect's result that may be fed back.
  static let largestFeedback: Float = 0.9999
}

extension Effect: Clampable {
  var isFinite: Bool {
    switch self {
    case .reverb(let reverb): reverb.isFinite
    case .equalizer(let equalizer): equalizer.isFinite
    case .distortion(let distortion) where !distortion.gain.isUsable: false
    default: (EffectParameters(self)?.values ?? []).allSatisfy(\.isFinite)
    }
  }

  var clamped: Effect {
    switch self {
    case .reverb(let effect): .reverb(effect.clamped)
    case .echo(let effect): .echo(effect.clamped)
    case .chorus(let effect): .chorus(effect.clamped(longestDelay: .milliseconds(16)))
    case .flanger(let effect): .flanger(effect.clamped(longestDelay: .milliseconds(4)))
    case .distortion(let effect): .distortion(effect.clamped)
    case .compressor: .compressor
    case .equalizer(let effect): .equalizer(effect.clamped)
    case .pitchShifter(let effect): .pitchShifter(effect.clamped)
    case .frequencyShifter(let effect): .frequencyShifter(effect.clamped)
    case .ringModulator(let effect): .ringModulator(effect.clamped)
    }
  }
}
