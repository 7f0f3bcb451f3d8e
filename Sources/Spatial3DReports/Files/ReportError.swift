/// The reason that a report could not be made or written.
public struct ReportError: Error, Hashable, Sendable {
  /// The kind of failure, to switch over.
  public let code: Code

  /// A sentence with the file or the format, the reason and a remedy.
  public let message: String

  /// The kinds of failure; later versions may add some.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private let name: String

    /// The code's name, such as `writeFailed`.
    public var description: String { name }

    /// A page cannot hold sound of this format, or a buffer differs in format from the rest of the sound.
    public static let formatUnsupported = Code(name: "formatUnsupported")

    /// The sound could not be compressed: the temporary folder is full, or takes no new file.
    public static let soundFailed = Code(name: "soundFailed")

    /// The system could not write the file.
    public static let writeFailed = Code(name: "writeFailed")
  }
}

extension ReportError: CustomStringConvertible {
  /// The error's ``message``.
  public var description: String { message }
}
