extension AudioFileError {
  /// The kinds of failure; later versions may add more.
  public struct Code: Hashable, Sendable {
    private let name: String

    /// No file exists at the path.
    public static let fileNotFound = Code(name: "fileNotFound")

    /// The file, or a folder in its path, may not be read or written by this user.
    public static let permissionDenied = Code(name: "permissionDenied")

    /// The path leads to a folder, a pipe, a socket or a device.
    public static let notAFile = Code(name: "notAFile")

    /// The file has no bytes, according to the system.
    public static let emptyFile = Code(name: "emptyFile")

    /// The file exists, but the system did not open it for another reason.
    public static let cannotOpen = Code(name: "cannotOpen")

    /// The first bytes match no sound file that this library reads.
    public static let unrecognizedFormat = Code(name: "unrecognizedFormat")

    /// The codec of the file cannot be decoded, such as HE-AAC, or the kind of the new file does not take the codec.
    public static let unsupportedEncoding = Code(name: "unsupportedEncoding")

    /// The request needs a trait of the package that is off; the message names the trait.
    public static let traitNeeded = Code(name: "traitNeeded")

    /// The sample rate or the channel count is out of range, or the kind of file cannot hold it.
    public static let unsupportedFormat = Code(name: "unsupportedFormat")

    /// The codec of the new file takes no such quality or bit rate.
    public static let invalidQuality = Code(name: "invalidQuality")

    /// The file starts like a sound file but cannot be decoded: it was cut or overwritten, or is of a rare kind.
    public static let damagedFile = Code(name: "damagedFile")

    /// The sample rate could not be changed, for lack of memory.
    public static let conversionFailed = Code(name: "conversionFailed")

    /// The system did not deliver the file's bytes.
    public static let readFailed = Code(name: "readFailed")

    /// The file was overwritten or became shorter while it was open.
    public static let fileChanged = Code(name: "fileChanged")

    /// The task of the read was cancelled.
    public static let cancelled = Code(name: "cancelled")

    /// The file has more samples than fit into memory, or into this kind of file, at once.
    public static let tooLarge = Code(name: "tooLarge")

    /// The extension of the new file's name stands for no kind of file.
    public static let unknownExtension = Code(name: "unknownExtension")

    /// A buffer and the new file differ in the rate or in the channels.
    public static let formatMismatch = Code(name: "formatMismatch")

    /// The new file could not be created.
    public static let cannotCreate = Code(name: "cannotCreate")

    /// A file has the name of the new file, and the program did not allow its replacement.
    public static let fileExists = Code(name: "fileExists")

    /// The system or the encoder did not take all samples.
    public static let writeFailed = Code(name: "writeFailed")

    /// The program wrote samples after it closed the file.
    public static let alreadyClosed = Code(name: "alreadyClosed")
  }
}

extension AudioFileError.Code: CustomStringConvertible {
  /// The code's name, such as `fileNotFound`.
  public var description: String { name }
}
