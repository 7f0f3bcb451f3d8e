/// The values that a game has set for a whole context; the library has a copy of them.
///
/// Each source has a ``SceneSource``.
///
/// A setter returns whether there is a change to apply; the caller applies it. Pure: no call and no lock.
struct Scene: Sendable {
  private(set) var listener = Listener()
  private(set) var distanceModel = DistanceModel.inverseClamped
  private(set) var dopplerFactor: Float = 1
  private(set) var speedOfSound = Scene.librarySpeedOfSound
  /// The room that the scene plays in.
  var room = RoomSlots()
  /// How many effects a source may feed.
  var sendLimit = 0
  private var listenerComplaints: ListenerProperties = []
  private var physicsComplaints: PhysicsProperties = []
}

// MARK: - The listener

extension Scene {
  /// Applies the usable parts of a listener; returns which parts changed and which were not usable.
  mutating func setListener(_ newValue: Listener) -> (changed: ListenerProperties, unusable: ListenerProperties) {
    listener.adopt(newValue)
  }

  /// Applies some parts of a listener; returns the changed parts.
  mutating func adopt(_ parts: ListenerProperties, of other: Listener) -> ListenerProperties {
    var merged = listener
    if parts.contains(.position) { merged.position = other.position }
    if parts.contains(.velocity) { merged.velocity = other.velocity }
    if parts.contains(.orientation) { merged.orientation = other.orientation }
    if parts.contains(.gain) { merged.gain = other.gain }
    return listener.adopt(merged).changed
  }

  /// The parts without a diagnostic so far; marks them as reported.
  mutating func complain(about parts: ListenerProperties) -> ListenerProperties {
    defer { listenerComplaints.formUnion(parts) }
    return parts.subtracting(listenerComplaints)
  }
}

// MARK: - The whole scene

extension Scene {
  /// The values of the room and the output that affect the routing of every source.
  var feeds: RoomFeeds { RoomFeeds(of: room, sendLimit: sendLimit) }

  /// Sets the distance model of all sources without one of their own, and returns whether it changed.
  mutating func setDistanceModel(_ model: DistanceModel) -> Bool { replace(&distanceModel, with: model) }

  /// Whether this is the first diagnostic about a property of the whole scene.
  mutating func complain(about property: PhysicsProperties) -> Bool {
    physicsComplaints.insert(property).inserted
  }

  /// Sets the Doppler factor and returns whether it changed.
  mutating func setDopplerFactor(_ factor: Float) -> Bool { replace(&dopplerFactor, with: factor) }

  /// The Doppler factor for the library, whose speed of sound stays ``librarySpeedOfSound``.
  ///
  /// Only the quotient of the two is audible. OpenAL Soft 1.19 also derives from the speed how fast a room loses its
  /// high frequencies: it aborts in the mixer at a high speed.
  var libraryDopplerFactor: Float { dopplerFactor * (Self.librarySpeedOfSound / speedOfSound) }

  static let librarySpeedOfSound: Float = 343.3

  /// Sets the speed of sound and returns whether it changed.
  mutating func setSpeedOfSound(_ speed: Float) -> Bool { replace(&speedOfSound, with: speed) }
}

/// Stores a value, and returns whether it differs from the value before.
private func replace<Value: Equatable>(_ own: inout Value, with value: Value) -> Bool {
  defer { own = value }
  return value != own
}

/// Properties of a whole context for which a diagnostic was reported.
struct PhysicsProperties: OptionSet, Sendable {
  let rawValue: UInt8

  static let dopplerFactor = PhysicsProperties(rawValue: 1 << 0)
  static let speedOfSound = PhysicsProperties(rawValue: 1 << 1)
  static let reverb = PhysicsProperties(rawValue: 1 << 2)
}
