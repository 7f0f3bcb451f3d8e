internal import Glibc

// The laws that OpenAL's mixer applies, for programs that compare sounds before they play them.

extension DistanceAttenuation {
  /// The gain at a distance, in metres, as the mixer computes it.
  ///
  /// `contextModel` counts where ``model`` is `nil`. The unclamped models go above 1 in front of the reference
  /// distance; ``SoundSource/gainLimits`` then limit the product of all gains. Values out of range are clamped, a
  /// distance that is not a number counts as 0, and an attenuation with an unusable value has the gain 1.
  /// ``DistanceModel`` has the formulas.
  public func gain(at distance: Float, model contextModel: DistanceModel = .inverseClamped) -> Gain {
    guard isFinite else { return .unity }
    let law = clamped
    // The widest values overflow in single precision.
    let (reference, maximum) = (Double(law.referenceDistance), Double(law.maximumDistance))
    let rolloff = Double(law.rolloffFactor)
    let model = model ?? contextModel
    var place = distance.isNaN ? 0 : Double(min(max(distance, 0), .greatestFiniteMagnitude))
    if model.isClamped {
      guard maximum >= reference else { return .unity }
      place = min(max(place, reference), maximum)
    }
    let gain: Double
    switch model {
    case .none: return .unity
    case .inverse, .inverseClamped:
      let divisor = reference + rolloff * (place - reference)
      gain = reference > 0 && divisor > 0 ? reference / divisor : 1
    case .linear, .linearClamped:
      gain = maximum == reference ? 1 : max(1 - rolloff * (place - reference) / (maximum - reference), 0)
    case .exponent, .exponentClamped:
      gain = reference > 0 && place > 0 ? pow(place / reference, -rolloff) : 1
    }
    return Gain(Float(min(gain, Double(Float.greatestFiniteMagnitude))))
  }
}

extension DistanceModel {
  /// Whether the model limits the distance to the reference and the maximum distance.
  fileprivate var isClamped: Bool {
    switch self {
    case .inverseClamped, .linearClamped, .exponentClamped: true
    case .none, .inverse, .linear, .exponent: false
    }
  }
}

extension Cone {
  /// The gain for a listener at an angle, in degrees, from the direction of the source, as the mixer computes it.
  ///
  /// Range of the angle: -180 to 180; the sign has no effect. High frequencies also have ``outerHighFrequencyGain``.
  /// Values out of range are clamped, an angle that is not a number counts as 0, and a cone with an unusable value has
  /// the gain 1.
  public func gain(at angle: Float) -> Gain {
    guard isFinite else { return .unity }
    let cone = clamped
    // The cone's two angles span whole cones, on both sides of the direction.
    let whole = angle.isNaN ? 0 : 2 * min(abs(angle), 180)
    if whole <= cone.innerAngle { return .unity }
    if whole >= cone.outerAngle { return cone.outerGain }
    let part = (whole - cone.innerAngle) / (cone.outerAngle - cone.innerAngle)
    return Gain(1 + part * (cone.outerGain.rawValue - 1))
  }
}
