/// The fading of a source with distance.
public struct DistanceAttenuation: Hashable, Sendable {
  /// The distance, in metres, at which the source has its own gain.
  ///
  /// Range: 0 and 10⁻⁹ to 10⁹, clamped; at 0 the inverse and exponent models do not attenuate. Default: 1. The OpenAL
  /// counterpart is `AL_REFERENCE_DISTANCE`.
  public var referenceDistance: Float

  /// The steepness of the fading: 1 is natural, 0 turns it off.
  ///
  /// Range: 0 to 10⁹, clamped. Default: 1. The OpenAL counterpart is `AL_ROLLOFF_FACTOR`.
  public var rolloffFactor: Float

  /// The distance, in metres, beyond which the clamped models attenuate no further.
  ///
  /// The linear models end there. Range: 0, and 10⁻⁹ and up, clamped. Default: unlimited. The OpenAL counterpart is
  /// `AL_MAX_DISTANCE`.
  public var maximumDistance: Float

  /// The model that turns distance into gain; `nil`, the default, is the context's ``AudioContext/distanceModel``.
  ///
  /// The OpenAL counterpart is `AL_EXT_source_distance_model`.
  public var model: DistanceModel?

  /// An attenuation; the defaults are OpenAL's own.
  public init(
    referenceDistance: Float = 1,
    maximumDistance: Float = .greatestFiniteMagnitude,
    rolloffFactor: Float = 1,
    model: DistanceModel? = nil
  ) {
    self.referenceDistance = referenceDistance
    self.maximumDistance = maximumDistance
    self.rolloffFactor = rolloffFactor
    self.model = model
  }
}

extension DistanceAttenuation: Clampable {
  /// An infinite maximum distance is valid, and therefore is the last number: `UnusablePart` reports the first that is
  /// not finite.
  var isFinite: Bool {
    referenceDistance.isFinite && rolloffFactor.isFinite && (maximumDistance.isFinite || maximumDistance == .infinity)
  }

  var clamped: DistanceAttenuation {
    DistanceAttenuation(
      referenceDistance: Self.distance(min(referenceDistance, Ranges.length.upperBound)),
      maximumDistance: Self.distance(min(maximumDistance, .greatestFiniteMagnitude)),
      rolloffFactor: rolloffFactor.clamped(to: Ranges.rolloffFactor),
      model: model
    )
  }

  /// Returns 0, or a distance that is large enough to divide by.
  private static func distance(_ value: Float) -> Float { value > 0 ? max(value, Ranges.shortestDistance) : 0 }
}
