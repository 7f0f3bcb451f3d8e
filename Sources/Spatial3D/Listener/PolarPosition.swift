import Glibc

/// A position relative to a listener: a direction in two angles, and a distance.
///
/// ```swift
/// // 3 m to the right
/// drone.position = context.listener.position(
///   at: PolarPosition(azimuth: 90, distance: 3)
/// )
/// ```
///
/// For a source that is relative to the listener, use: `SIMD3(PolarPosition(azimuth: -30))`.
///
/// Apple's 3D mixer has the same parameters (`k3DMixerParam_Azimuth`, `k3DMixerParam_Elevation`,
/// `k3DMixerParam_Distance`). The Audio Definition Model counts azimuth in the other direction, positive to the left.
public struct PolarPosition: Hashable, Sendable {
  /// The angle in the listener's horizontal plane, in degrees: 0 ahead, positive right, negative left, ±180 behind.
  ///
  /// Any angle is allowed, and is equivalent to one a whole turn away. Conversions give -180 to 180.
  public var azimuth: Float

  /// The angle above the listener's horizontal plane, in degrees: 90 is straight up, -90 straight down.
  ///
  /// Conversions give -90 to 90. An angle beyond continues over the top: 100 is 80 on the other side.
  public var elevation: Float

  /// The distance, in metres.
  ///
  /// Conversions give no negative distance. A negative one lies on the opposite side.
  public var distance: Float

  /// A position in a direction; by default 1 m straight ahead.
  public init(azimuth: Float = 0, elevation: Float = 0, distance: Float = 1) {
    self.azimuth = azimuth
    self.elevation = elevation
    self.distance = distance
  }

  /// The direction and distance of a position, for an unrotated listener at the origin.
  ///
  /// The azimuth is 0 straight up and straight down, which includes a horizontal part below a millionth of the
  /// distance. At the head itself all three are 0. Exactly behind it the azimuth is 180. A component that is not finite
  /// gives angles or a distance that are not finite.
  public init(_ position: SIMD3<Float>) {
    self.init(right: Double(position.x), up: Double(position.y), ahead: -Double(position.z))
  }

  /// The direction and distance of a position, from its coordinates along the listener's axes.
  init(right: Double, up: Double, ahead: Double) {
    let horizontal = (right * right + ahead * ahead).squareRoot()
    let distance = (horizontal * horizontal + up * up).squareRoot()
    // Adding a zero turns a negative zero into a positive one: exactly behind is 180 and never -180.
    let isVertical = horizontal < distance * 1e-6
    azimuth = isVertical ? 0 : Float(atan2(right + 0, ahead + 0) * 180 / .pi)
    elevation = Float(atan2(up + 0, horizontal) * 180 / .pi)
    self.distance = Float(nearest: distance)
  }

  /// The coordinates of the position along the listener's axes.
  var components: (right: Double, up: Double, ahead: Double) {
    let (sinAzimuth, cosAzimuth) = sineAndCosine(ofDegrees: Double(azimuth))
    let (sinElevation, cosElevation) = sineAndCosine(ofDegrees: Double(elevation))
    let horizontal = Double(distance) * cosElevation
    return (horizontal * sinAzimuth, Double(distance) * sinElevation, horizontal * cosAzimuth)
  }
}

extension SIMD3<Float> {
  /// The position in a direction and distance from an unrotated listener at the origin.
  public init(_ position: PolarPosition) {
    let (right, up, ahead) = position.components
    self.init(Float(right), Float(up), -Float(ahead))
  }
}

/// The sine and cosine, exact at every multiple of 90 degrees, unlike functions of radians.
private func sineAndCosine(ofDegrees degrees: Double) -> (sine: Double, cosine: Double) {
  let turn = degrees.remainder(dividingBy: 360)
  let rest = turn.remainder(dividingBy: 90)
  let (sine, cosine) = (sin(rest * .pi / 180), cos(rest * .pi / 180))
  switch (turn - rest) / 90 {
  case 1: return (cosine, -sine)
  case -1: return (-cosine, sine)
  case 2, -2: return (-sine, -cosine)
  default: return (sine, cosine)
  }
}
