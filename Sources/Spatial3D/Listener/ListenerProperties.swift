/// A set of properties of a listener that changed, or that a diagnostic reported.
struct ListenerProperties: OptionSet, Sendable {
  let rawValue: UInt32

  // The bits are the shim's S3D_LISTENER_….
  static let position = ListenerProperties(rawValue: 1 << 0)
  static let velocity = ListenerProperties(rawValue: 1 << 1)
  static let orientation = ListenerProperties(rawValue: 1 << 2)
  static let gain = ListenerProperties(rawValue: 1 << 3)
}

extension Listener {
  /// The nearest listener with all numbers in range.
  var clamped: Listener {
    Listener(
      position: position.clamped,
      velocity: velocity.clamped,
      orientation: orientation,
      gain: gain.clamped(to: Gain(Ranges.gain.lowerBound)...Gain(Ranges.gain.upperBound))
    )
  }

  /// Copies the usable properties of another listener, clamped to their ranges.
  ///
  /// Returns the properties that changed, and the unusable properties, which kept their values.
  mutating func adopt(_ other: Listener) -> (changed: ListenerProperties, unusable: ListenerProperties) {
    var changed: ListenerProperties = []
    var unusable: ListenerProperties = []

    func take<Value: Equatable>(_ value: Value, _ part: ListenerProperties, if isUsable: Bool, into own: inout Value) {
      if !isUsable {
        unusable.insert(part)
      } else if own != value {
        own = value
        changed.insert(part)
      }
    }

    let clamped = other.clamped
    take(clamped.position, .position, if: other.position.isFinite, into: &position)
    take(clamped.velocity, .velocity, if: other.velocity.isFinite, into: &velocity)
    take(clamped.orientation, .orientation, if: other.orientation.isUsable, into: &orientation)
    take(clamped.gain, .gain, if: other.gain.isUsable, into: &gain)
    return (changed, unusable)
  }
}
