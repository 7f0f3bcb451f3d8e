import Foundation
public import Spatial3D

extension Listener {
  /// The azimuth of a position from the listener's heading, in degrees: 0 ahead, 90 right, -90 left, ±180 behind.
  ///
  /// The azimuth ignores the component along the listener's up vector. The listener's own position is ahead.
  public func azimuth(of place: SIMD3<Float>) -> Double {
    let offset = place - position
    let ahead = (offset * orientation.forward).sum()
    let right = (offset * orientation.right).sum()
    return Double(atan2(right, ahead)) * 180 / .pi
  }

  /// The distance of a position from the listener, in metres.
  public func distance(to place: SIMD3<Float>) -> Double {
    let offset = place - position
    return Double((offset * offset).sum().squareRoot())
  }
}
