internal import AudioSupport

/// A backend for the Linux desktop: the sound server and the login manager report to the session.
///
/// It needs the trait `DesktopSession` of the package. A connection of its own to PulseAudio, or to PipeWire's server
/// for PulseAudio, reports calls, the audio of others and the route. logind reports sleep, the lock of the screen, and
/// whether the user's session is in front. One thread receives all of this, and sleeps in between. Without a server or
/// without logind, the session gets what there is, and ``AudioSession/onDiagnostic`` reports the rest. The thread
/// connects again by itself, to a sound server within two seconds and to logind within half a minute.
///
/// A backend serves one session. A second one gets no reports, but a diagnostic with the code
/// ``SessionDiagnostic/Code/backendInUse``.
///
/// With ``SessionOptions/duckOthers``, a silent stream of the role `phone` plays while the session is active. It
/// appears in volume controls, named "(audio session)".
///
/// ```swift
/// let backend = try DesktopSession(named: "Growl")
/// let session = AudioSession(backend, onDiagnostic: { print($0) })
/// ```
///
/// The counterparts are the roles of `PA_PROP_MEDIA_ROLE`, and `PrepareForSleep`, `LockedHint` and `Active` of logind.
public final class DesktopSession: SessionBackend {
  private let connection: DesktopConnection

  /// Creates a backend; the connection opens with the session, without a wait.
  ///
  /// `name` is the name of the program in volume controls; by default it is the name of the executable. Throws
  /// ``SessionError/Code/traitNeeded`` where the package is built without the trait `DesktopSession`, and
  /// ``SessionError/Code/systemUnavailable`` where the program has no file descriptor left.
  public convenience init(named name: String? = nil) throws(SessionError) {
    try self.init(named: name, server: nil, bus: nil)
  }

  /// `server` and `bus` are the addresses of a test; `nil` for the addresses of the user.
  init(named name: String?, server: String?, bus: String?) throws(SessionError) {
    let path = CommandLine.arguments.first ?? "Program"
    let own = path.split(separator: "/").last.map(String.init) ?? path
    connection = try DesktopConnection(named: "\(name ?? own) (audio session)", server: server, bus: bus)
  }

  deinit { connection.end() }

  /// Reports to the session from now on, on a thread of its own; a second session gets a diagnostic instead.
  public func connect(to session: AudioSession) { connection.begin(reportingTo: session) }

  /// Lowers others while the session requests it.
  public func update(_ requests: SessionRequests) { connection.setLowering(requests.lowersOthers) }

  /// The effect of ``SessionOptions/duckOthers`` with the server's present modules.
  ///
  /// It is ``AudioSession/OtherAudioEffect/ducked`` with `module-role-ducking`. With `module-role-cork`, which Debian
  /// loads, it is ``AudioSession/OtherAudioEffect/paused``: leave the option out then, unless a pause is right.
  public var otherAudioEffect: AudioSession.OtherAudioEffect { connection.otherAudioEffect }
}

extension SessionBackend where Self == DesktopSession {
  /// A backend for the Linux desktop; throws as ``DesktopSession/init(named:)`` does.
  public static var desktop: DesktopSession { get throws(SessionError) { try DesktopSession() } }
}
