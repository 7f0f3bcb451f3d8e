public import Spatial3D

/// A listener who walks once around a closed path and faces the direction of the walk.
public struct Walk: Sendable {
  /// The path of the walk.
  public let path: ClosedPath

  /// The duration of the walk, in seconds.
  public let seconds: Double

  /// A walk of a number of seconds.
  public init(along path: ClosedPath, seconds: Double) {
    self.path = path
    self.seconds = seconds
  }

  /// The listener after a number of seconds.
  public func listener(at time: Double) -> Listener {
    let (position, direction) = path.step(at: seconds > 0 ? time / seconds : 0)
    return Listener(
      position: [Float(position.x), 0, Float(position.y)],
      orientation: Orientation(forward: [Float(direction.x), 0, Float(direction.y)], up: [0, 1, 0])
    )
  }
}
