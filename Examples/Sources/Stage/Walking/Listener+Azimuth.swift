import Foundation
public import Spatial3D

extension Listener {
  /// Where a place is seen from the listener's heading, in degrees: 0 ahead, 90 at the right ear, -90 at the left, ±180
  /// behind.
  ///
  /// Only the directions ahead and to the right count, not how high the place is. The listener's own place is ahead.
  public func azimuth(of place: SIMD3<Float>) -> Double {
    let offset = place - position
    let ahead = (offset * orientation.forward).sum()
    let right = (offset * orientation.right).sum()
    return Double(atan2(right, ahead)) * 180 / .pi
  }

  /// How far away a place is, in metres.
  public func distance(to place: SIMD3<Float>) -> Double {
    let offset = place - position
    return Double((offset * offset).sum().squareRoot())
  }
}
