/// The orientation of a listener: two directions of length 1 at a right angle.
///
/// The coordinates are right-handed. An unrotated listener looks along -z, with +y up and +x to the right.
///
/// The OpenAL counterpart is `AL_ORIENTATION`.
public struct Orientation: Hashable, Sendable {
  /// The direction ahead.
  public let forward: SIMD3<Float>

  /// The direction over the head, at a right angle to ``forward``.
  public let up: SIMD3<Float>

  /// The direction of the right ear.
  public var right: SIMD3<Float> { cross(forward, up) }

  /// Looking along -z with +y up.
  public static let identity = Orientation(forward: [0, 0, -1], up: [0, 1, 0])

  /// An orientation from a direction ahead and a rough direction up, of any length.
  ///
  /// `up` is turned to a right angle with `forward`. If the two are parallel or `up` has no length, the head tilts from
  /// level: looking straight up turns the top of the head backwards, looking straight down turns it forwards. A
  /// `forward` without a length or with a component that is not finite is unusable: a listener that receives such an
  /// orientation keeps its previous one. Directions that an orientation has already are taken as they are.
  public init(forward: SIMD3<Float>, up: SIMD3<Float>) {
    guard let ahead = normalized(forward) else {
      self.forward = .zero
      self.up = .zero
      return
    }
    self.forward = ahead
    self.up = perpendicular(of: up, to: ahead) ?? levelUp(facing: ahead)
  }

  /// Whether there is a direction ahead.
  var isUsable: Bool { forward != .zero }
}

/// The up direction of a head that tilted from level towards a direction of length 1.
private func levelUp(facing forward: SIMD3<Float>) -> SIMD3<Float> {
  let straightUp: SIMD3<Float> = [0, 1, 0]
  let backOfTheHead: SIMD3<Float> = [0, 0, forward.y > 0 ? 1 : -1]
  // No direction is parallel to both.
  return perpendicular(of: straightUp, to: forward) ?? perpendicular(of: backOfTheHead, to: forward) ?? straightUp
}

/// The part of a vector at a right angle to a direction of length 1, scaled to length 1; `nil` if it is too short.
private func perpendicular(of vector: SIMD3<Float>, to direction: SIMD3<Float>) -> SIMD3<Float>? {
  guard let unit = normalized(vector) else { return nil }
  let along = dot(unit, direction)
  // At a right angle already, to the resolution of a `Float`: an orientation made of another orientation's directions
  // is equal to it.
  if abs(along) <= 5e-7 { return unit }
  let rest = unit - direction * along
  // Below this, the remainder of a vector of length 1 is mostly rounding.
  guard dot(rest, rest) > 1e-8, let once = normalized(rest) else { return nil }
  // A second pass, because the first one leaves a large error if the remainder is small.
  return normalized(once - direction * dot(once, direction))
}

/// A vector scaled to length 1; `nil` if it has no length or is not finite.
private func normalized(_ vector: SIMD3<Float>) -> SIMD3<Float>? {
  let largest = max(abs(vector.x), abs(vector.y), abs(vector.z))
  guard vector.isFinite, largest > 0 else { return nil }
  // Already of length 1, to the resolution of a `Float`.
  if abs(dot(vector, vector) - 1) <= 5e-7 { return vector }
  // Scaled by its largest component first, to keep the squares from an overflow or underflow.
  let scaled = vector / largest
  return scaled / dot(scaled, scaled).squareRoot()
}

private func dot(_ left: SIMD3<Float>, _ right: SIMD3<Float>) -> Float {
  (left * right).sum()
}

private func cross(_ left: SIMD3<Float>, _ right: SIMD3<Float>) -> SIMD3<Float> {
  [
    left.y * right.z - left.z * right.y,
    left.z * right.x - left.x * right.z,
    left.x * right.y - left.y * right.x,
  ]
}
