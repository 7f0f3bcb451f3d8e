/// A change of the route of a session.
public struct RouteChange: Hashable, Sendable {
  /// The cause of the change.
  public let reason: Reason

  /// The route before the change.
  public let previous: SessionRoute

  /// The route after the change.
  public let current: SessionRoute

  /// Creates a change between two routes.
  public init(reason: Reason, previous: SessionRoute, current: SessionRoute) {
    self.reason = reason
    self.previous = previous
    self.current = current
  }

  /// The causes of a change of the route.
  public enum Reason: Hashable, Sendable, CaseIterable {
    /// The system gave no cause.
    case unknown

    /// A device was connected. The device that was connected last is used.
    case newDeviceAvailable

    /// The device in use was disconnected. Pause, because the user has pulled out the headphones.
    case oldDeviceUnavailable

    /// The new category uses other ports than the category before.
    case categoryChange

    /// The user or the program chose another output.
    case override

    /// The system woke from sleep.
    case wakeFromSleep

    /// The category needs a port that the system does not have.
    case noSuitableRoute

    /// A device in use has another configuration, such as another port.
    case configurationChange
  }
}
