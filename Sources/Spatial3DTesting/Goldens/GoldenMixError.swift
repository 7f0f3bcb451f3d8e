/// Why a golden mix could not be compared with, or recorded.
public struct GoldenMixError: Error, Hashable, Sendable {
  /// What went wrong, to switch over.
  public let code: Code

  /// The file.
  public let path: String

  /// What went wrong in a sentence that names the file, the reason and what to do.
  public let message: String

  /// The kinds of failure; new ones may be added.
  public struct Code: Hashable, Sendable {
    private let name: String

    /// There is no such file yet.
    public static let notRecorded = Code(name: "notRecorded")

    /// The system could not read the file.
    public static let readFailed = Code(name: "readFailed")

    /// The file is not a golden mix, or is damaged.
    public static let notGolden = Code(name: "notGolden")

    /// The mix and the golden one differ in sample rate or number of channels.
    public static let formatMismatch = Code(name: "formatMismatch")

    /// A sample of the mix to be recorded is not finite.
    public static let invalidSamples = Code(name: "invalidSamples")

    /// The mix to be recorded is more than a WAV file can hold.
    public static let tooLarge = Code(name: "tooLarge")

    /// The system could not write the file.
    public static let writeFailed = Code(name: "writeFailed")
  }
}

extension GoldenMixError: CustomStringConvertible {
  /// The error's ``message``.
  public var description: String { message }
}

extension GoldenMixError.Code: CustomStringConvertible {
  /// The code's name, such as `notRecorded`.
  public var description: String { name }
}
