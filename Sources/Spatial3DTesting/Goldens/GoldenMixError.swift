/// The reason that a golden mix could not be recorded or compared with.
public struct GoldenMixError: Error, Hashable, Sendable {
  /// The kind of failure, to switch over.
  public let code: Code

  /// The path of the file.
  public let path: String

  /// A sentence with the file, the reason and a remedy.
  public let message: String

  /// The kinds of failure; later versions may add some.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private let name: String

    /// The code's name, such as `notRecorded`.
    public var description: String { name }

    /// The file does not exist yet.
    public static let notRecorded = Code(name: "notRecorded")

    /// The system could not read the file.
    public static let readFailed = Code(name: "readFailed")

    /// The file is not a golden mix, or is damaged.
    public static let notGolden = Code(name: "notGolden")

    /// The mix and the golden one differ in sample rate or number of channels.
    public static let formatMismatch = Code(name: "formatMismatch")

    /// A sample of the mix to record is not finite.
    public static let invalidSamples = Code(name: "invalidSamples")

    /// The mix to record, or its sample rate, is larger than a WAV file can hold.
    public static let tooLarge = Code(name: "tooLarge")

    /// The system could not write the file.
    public static let writeFailed = Code(name: "writeFailed")
  }
}

extension GoldenMixError: CustomStringConvertible {
  /// The error's ``message``.
  public var description: String { message }
}
