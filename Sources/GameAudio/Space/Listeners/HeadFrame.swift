internal import Spatial3D

/// A listener's own coordinates: its position, and the directions to its right, up and ahead.
///
/// Pure: no call and no lock.
struct HeadFrame: Equatable, Sendable {
  private let position: SIMD3<Float>
  private let right: SIMD3<Float>
  private let up: SIMD3<Float>
  private let ahead: SIMD3<Float>

  init(_ listener: Listener) {
    position = listener.position
    right = listener.orientation.right
    up = listener.orientation.up
    ahead = listener.orientation.forward
  }

  /// The position around another listener that matches a position around this listener.
  func position(_ position: SIMD3<Float>, around other: HeadFrame) -> SIMD3<Float> {
    other.position + direction(position - self.position, around: other)
  }

  /// A vector, turned as the heads are turned against each other.
  func direction(_ vector: SIMD3<Float>, around other: HeadFrame) -> SIMD3<Float> {
    other.right * (vector * right).sum() + other.up * (vector * up).sum() + other.ahead * (vector * ahead).sum()
  }
}
