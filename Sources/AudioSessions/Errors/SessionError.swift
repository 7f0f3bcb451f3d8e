/// The reason why a session did not take a category, or was not activated.
///
/// The session is then as it was before the call.
public struct SessionError: Error, Hashable, Sendable {
  /// The kind of failure, to switch over.
  public let code: Code

  /// A sentence with the rule that the call breaks, and a remedy.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The kinds of failure; new kinds may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private let name: String

    /// The code's name, such as `optionNotAllowed`.
    public var description: String { name }

    /// The category does not allow the option.
    public static let optionNotAllowed = Code(name: "optionNotAllowed")

    /// The category does not allow the mode.
    public static let modeNotAllowed = Code(name: "modeNotAllowed")

    /// The mode needs a session that does not mix with others, and an option makes it mixable.
    public static let modeNeedsNonMixable = Code(name: "modeNeedsNonMixable")

    /// An interruption holds the output, such as a phone call.
    public static let interrupted = Code(name: "interrupted")

    /// The sound service of the system is gone.
    public static let servicesLost = Code(name: "servicesLost")

    /// The package is built without a trait that the call needs; the message names it.
    public static let traitNeeded = Code(name: "traitNeeded")

    /// The system has no memory or no file descriptor for the connection of a ``DesktopSession``.
    public static let systemUnavailable = Code(name: "systemUnavailable")
  }
}

extension SessionError: CustomStringConvertible {
  /// The error's ``message``.
  public var description: String { message }
}
