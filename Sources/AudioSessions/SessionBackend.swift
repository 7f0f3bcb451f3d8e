/// The connection of a session with the system.
///
/// It reports the happenings of the system to the session, and carries out the session's requests to the system.
public protocol SessionBackend: Sendable {
  /// Connects the backend with a new session, once.
  ///
  /// Keep the session weakly, and report to it with ``AudioSession/report(_:)``, on any thread and without a lock.
  func connect(to session: AudioSession)

  /// Carries out the requests of the session, each time that they change.
  ///
  /// The calls come one at a time, in order, without a lock. The release of an active session makes the last call.
  func update(_ requests: SessionRequests)

  /// The effect of the option ``SessionOptions/duckOthers`` in this system.
  var otherAudioEffect: AudioSession.OtherAudioEffect { get }
}

/// A backend without a system: the game reports all inputs with ``AudioSession/report(_:)``.
public struct ManualSession: SessionBackend {
  /// Creates a backend.
  public init() {}

  /// Does nothing, because the game reports to the session.
  public func connect(to session: AudioSession) {}

  /// Does nothing, because there is no system to carry out requests.
  public func update(_ requests: SessionRequests) {}

  /// The session has no effect on others.
  public var otherAudioEffect: AudioSession.OtherAudioEffect { .nothing }
}

extension SessionBackend where Self == ManualSession {
  /// A backend without a system: the game reports all inputs.
  public static var manual: ManualSession { ManualSession() }
}
