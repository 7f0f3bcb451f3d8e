/// How distance becomes gain.
///
/// With d the distance, r the reference distance, m the maximum distance and f the rolloff factor of a source's
/// ``DistanceAttenuation``. In a clamped model d is first brought into r…m. The result is limited by the source's
/// ``SoundSource/gainLimits``.
///
/// The OpenAL counterparts are the values of `alDistanceModel`.
public enum DistanceModel: Hashable, Sendable, CaseIterable {
  /// Distance has no effect (`AL_NONE`).
  case none

  /// r / (r + f (d - r)) (`AL_INVERSE_DISTANCE`).
  case inverse

  /// The same with d in r…m: the default (`AL_INVERSE_DISTANCE_CLAMPED`).
  case inverseClamped

  /// 1 - f (d - r) / (m - r), at least 0 (`AL_LINEAR_DISTANCE`).
  case linear

  /// The same with d in r…m (`AL_LINEAR_DISTANCE_CLAMPED`).
  case linearClamped

  /// (d / r) to the power of -f (`AL_EXPONENT_DISTANCE`).
  case exponent

  /// The same with d in r…m (`AL_EXPONENT_DISTANCE_CLAMPED`).
  case exponentClamped
}
