/// A report about a session, such as a use of it that may harm the sound.
public struct SessionDiagnostic: Hashable, Sendable {
  /// The kind of diagnostic, to switch over.
  public let code: Code

  /// A sentence about the cause, with its values.
  public let message: String

  /// The kinds of diagnostics; new kinds may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private let name: String

    /// The code's name, such as `slowHandler`.
    public var description: String { name }

    /// A closure worked for more than two milliseconds on ``SessionEvent/interruptionBegan(_:)``.
    ///
    /// The system waits for the closures, and may stop the program.
    public static let slowHandler = Code(name: "slowHandler")

    /// A ``DesktopSession`` found no sound server, login manager or session of the user: it reports nothing of it.
    public static let systemUnavailable = Code(name: "systemUnavailable")

    /// A ``DesktopSession`` serves another session, or has served one: this session gets no reports of it.
    public static let backendInUse = Code(name: "backendInUse")
  }
}

extension SessionDiagnostic: CustomStringConvertible {
  /// The diagnostic's ``message``.
  public var description: String { message }
}

extension SessionDiagnostic {
  static let noSoundServer = SessionDiagnostic(
    code: .systemUnavailable,
    message:
      "No sound server answers. The session gets no reports of calls, other audio and the route until PulseAudio or"
      + " PipeWire runs."
  )

  static let noThread = SessionDiagnostic(
    code: .systemUnavailable,
    message: "The system started no thread. The session gets no reports of the desktop."
  )

  static let backendInUse = SessionDiagnostic(
    code: .backendInUse,
    message:
      "This DesktopSession serves another session already, or has served one. The session gets no reports of the"
      + " desktop. Create a DesktopSession for each session."
  )

  static func noUserSession(_ reason: String) -> SessionDiagnostic {
    SessionDiagnostic(
      code: .systemUnavailable,
      message:
        "The login manager knows no session of this process and its user: \(reason). The session gets no reports of the"
        + " locked screen and of the user's session in front."
    )
  }

  static func noLoginManager(_ reason: String) -> SessionDiagnostic {
    SessionDiagnostic(
      code: .systemUnavailable,
      message:
        "The login manager does not answer: \(reason). Until it does, the session gets no reports of sleep and of the"
        + " locked screen."
    )
  }

  /// The time that a closure may take at the beginning of an interruption.
  static let patience: Duration = .milliseconds(2)

  /// `nil` if the duration is within the patience.
  static func slowHandler(taking duration: Duration) -> SessionDiagnostic? {
    guard duration > patience else { return nil }
    return SessionDiagnostic(
      code: .slowHandler,
      message: "An observer of the session took \(duration) at the beginning of an interruption, and \(patience) are"
        + " permitted. Do only short work there, and the rest on another thread."
    )
  }
}
