internal import AudioSupport

/// A backend for tests, which reports what the test posts.
///
/// ```swift
/// let system = SimulatedSession()
/// let session = AudioSession(system)
/// try session.activate()
/// system.post(.phoneCallBegan)
/// #expect(session.state == .interrupted(by: [.phone]))
/// ```
///
/// Several sessions of one program may share a backend. To simulate several programs, use a ``MultiAppSimulator``.
public final class SimulatedSession: SessionBackend {
  private struct Storage: Sendable {
    var sessions: [Weak<AudioSession>] = []
    var requests = SessionRequests.inactive
    var otherAudioEffect = AudioSession.OtherAudioEffect.nothing
  }

  private let storage = Lock(Storage())

  /// Creates a backend without a session.
  public init() {}

  /// Reports an input to each session of the backend.
  ///
  /// The session has carried out its effects when this returns: see ``AudioSession/report(_:)``.
  public func post(_ input: SessionInput) {
    // A copy: another thread changes the list in the storage itself.
    let sessions = storage.withLock { $0.sessions.map(\.self) }
    for session in sessions { session.object?.report(input) }
  }

  /// The requests that the session made last.
  public var requests: SessionRequests { storage.withLock { $0.requests } }

  /// The effect on others that the simulated system has; ``AudioSession/OtherAudioEffect/nothing`` by default.
  public var otherAudioEffect: AudioSession.OtherAudioEffect {
    get { storage.withLock { $0.otherAudioEffect } }
    set { storage.withLock { $0.otherAudioEffect = newValue } }
  }

  /// Reports to the session from now on.
  public func connect(to session: AudioSession) {
    let reference = Weak(session)
    storage.withLock { $0.sessions.append(reference) }
  }

  /// Keeps the requests for a test to read.
  public func update(_ requests: SessionRequests) { storage.withLock { $0.requests = requests } }
}
