extension AudioFileError {
  /// The kinds of failure; new ones may be added.
  public struct Code: Hashable, Sendable {
    private let name: String

    /// Nothing stands under the path.
    public static let fileNotFound = Code(name: "fileNotFound")

    /// The file, or a folder on the way to it, may not be read or written by this user.
    public static let permissionDenied = Code(name: "permissionDenied")

    /// The path leads to a folder, a pipe, a socket or a device.
    public static let notAFile = Code(name: "notAFile")

    /// The file holds no bytes, as far as the system says.
    public static let emptyFile = Code(name: "emptyFile")

    /// The file exists and the system would not open it for another reason.
    public static let cannotOpen = Code(name: "cannotOpen")

    /// The first bytes are those of no sound file that can be read.
    public static let unrecognisedFormat = Code(name: "unrecognisedFormat")

    /// The file is a sound file in an encoding that cannot be decoded, such as AAC.
    public static let unsupportedEncoding = Code(name: "unsupportedEncoding")

    /// What was asked for needs a trait of the package that is off, which the message names.
    public static let traitNeeded = Code(name: "traitNeeded")

    /// The sample rate or the channel count is out of range, or the kind of file cannot hold it.
    public static let unsupportedFormat = Code(name: "unsupportedFormat")

    /// The file starts like a sound file and cannot be decoded: it was cut or overwritten, or is of a rare kind.
    public static let damagedFile = Code(name: "damagedFile")

    /// The sample rate could not be changed, for lack of memory.
    public static let conversionFailed = Code(name: "conversionFailed")

    /// The system failed to deliver the file's bytes.
    public static let readFailed = Code(name: "readFailed")

    /// Another file was written over the file while it was read, or the file became shorter.
    public static let fileChanged = Code(name: "fileChanged")

    /// The task that read the file was cancelled.
    public static let cancelled = Code(name: "cancelled")

    /// The file has more samples than are read into memory, or written into this kind of file, at once.
    public static let tooLarge = Code(name: "tooLarge")

    /// The name to write to ends in no extension that says which kind of file to write.
    public static let unknownExtension = Code(name: "unknownExtension")

    /// A buffer differs in its rate or channels from the file it is written to.
    public static let formatMismatch = Code(name: "formatMismatch")

    /// The file to write could not be created.
    public static let cannotCreate = Code(name: "cannotCreate")

    /// A file has the name to write to, and was not to be replaced.
    public static let fileExists = Code(name: "fileExists")

    /// The system or the encoder did not take all samples.
    public static let writeFailed = Code(name: "writeFailed")

    /// Samples were written after the file was closed.
    public static let alreadyClosed = Code(name: "alreadyClosed")
  }
}

extension AudioFileError.Code: CustomStringConvertible {
  /// The code's name, such as `fileNotFound`.
  public var description: String { name }
}
