/// A report about the use of a session that may harm the sound.
public struct SessionDiagnostic: Hashable, Sendable {
  /// The kind of diagnostic, to switch over.
  public let code: Code

  /// A sentence about the cause, with its values.
  public let message: String

  /// The kinds of diagnostics; new ones may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private let name: String

    /// The code's name, such as `slowHandler`.
    public var description: String { name }

    /// A closure worked for more than two milliseconds on ``SessionEvent/interruptionBegan(_:)``.
    ///
    /// The system waits for the closures, and may stop the program.
    public static let slowHandler = Code(name: "slowHandler")
  }
}

extension SessionDiagnostic: CustomStringConvertible {
  /// The diagnostic's ``message``.
  public var description: String { message }
}

extension SessionDiagnostic {
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
