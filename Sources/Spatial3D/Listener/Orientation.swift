/// Which way a listener faces: two directions of length 1 at a right angle.
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
  /// `up` is turned to a right angle with `forward`. Where it cannot be, because the two are parallel or `up` has no
  /// length, the head tilts from level: looking straight up puts the top of the head backwards, looking straight down
  /// forwards. A `forward` without a length or with a component that is not finite cannot be used: a listener who is given
  /// such an orientation keeps the one that it had.
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

/// The up of a head that tilted from level towards a direction of length 1.
private func levelUp(facing forward: SIMD3<Float>) -> SIMD3<Float> {
  let straightUp: SIMD3<Float> = [0, 1, 0]
  let backOfTheHead: SIMD3<Float> = [0, 0, forward.y > 0 ? 1 : -1]
  // No direction is parallel to both.
  return perpendicular(of: straightUp, to: forward) ?? perpendicular(of: backOfTheHead, to: forward) ?? straightUp
}

/// The part of a vector at a right angle to a direction of length 1, scaled to length 1; `nil` where too little is left.
private func perpendicular(of vector: SIMD3<Float>, to direction: SIMD3<Float>) -> SIMD3<Float>? {
  guard let unit = normalized(vector) else { return nil }
  let rest = unit - direction * dot(unit, direction)
  // Below this, what is left of a vector of length 1 is mostly rounding.
  guard dot(rest, rest) > 1e-8, let once = normalized(rest) else { return nil }
  // Once more, because the first pass leaves an error as large as the rest is small.
  return normalized(once - direction * dot(once, direction))
}

/// A vector scaled to length 1; `nil` where it has no length or is not finite.
private func normalized(_ vector: SIMD3<Float>) -> SIMD3<Float>? {
  let largest = max(abs(vector.x), abs(vector.y), abs(vector.z))
  guard vector.isFinite, largest > 0 else { return nil }
  // Scaled by its largest component first, so that no square overflows or vanishes.
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
