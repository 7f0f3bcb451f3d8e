/// The formula that turns distance into gain.
///
/// In the formulas, d is the distance, r the reference distance, m the maximum distance and f the rolloff factor of a
/// source's ``DistanceAttenuation``. A clamped model first clamps d to r…m. The source's ``SoundSource/gainLimits``
/// limit the result.
///
/// The OpenAL counterparts are the values of `alDistanceModel`.
public enum DistanceModel: String, Hashable, Sendable, CaseIterable, Codable {
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
