public import Spatial3D

/// A listener who walks once around a closed path and looks where they walk.
public struct Walk: Sendable {
  /// Where the walk leads.
  public let path: ClosedPath

  /// How long it takes, in seconds.
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
