/// The reason why an output, an input, a context, a buffer, a source or a renderer could not be created.
///
/// Only initializers throw it; once an object exists, its methods and properties cannot fail.
public struct AudioError: Error, Hashable, Sendable {
  /// The kind of failure, to switch over.
  public let code: Code

  /// The attempted operation, such as `"open an audio device"`.
  public let operation: String

  /// A sentence about the failure, with its name or numbers and a remedy.
  public let message: String

  /// The library's own error, if there was one, for a log.
  public let underlying: LibraryError?

  init(code: Code, operation: String, message: String, underlying: LibraryError? = nil) {
    self.code = code
    self.operation = operation
    self.message = message
    self.underlying = underlying
  }

  /// The kinds of failure; new kinds may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private let name: String

    /// The code's name, such as `deviceUnavailable`.
    public var description: String { name }

    /// The device does not exist or would not open.
    public static let deviceUnavailable = Code(name: "deviceUnavailable")

    /// The device opened and then refused a context.
    public static let contextUnavailable = Code(name: "contextUnavailable")

    /// The library cannot play or render the sample rate or the channel layout.
    public static let formatUnsupported = Code(name: "formatUnsupported")

    /// The device has no HRTF data of the name.
    public static let hrtfUnavailable = Code(name: "hrtfUnavailable")

    /// The samples hold a value that is not finite, or beyond ±1,000,000.
    public static let invalidSamples = Code(name: "invalidSamples")

    /// The samples are more than one buffer can hold.
    public static let bufferTooLarge = Code(name: "bufferTooLarge")

    /// The reader or the file failed to deliver; the message has the reason.
    public static let readFailed = Code(name: "readFailed")

    /// The loop range is empty, or not within the sound.
    public static let invalidLoopRange = Code(name: "invalidLoopRange")

    /// A buffer was used on another device than its own.
    public static let wrongDevice = Code(name: "wrongDevice")

    /// A source with a buffer of its own was asked to play a queue.
    public static let sourceHasBuffer = Code(name: "sourceHasBuffer")

    /// A buffer differs in its format from the queued buffers.
    public static let formatMismatch = Code(name: "formatMismatch")

    /// All sources that a context can have are in use.
    public static let sourceLimitReached = Code(name: "sourceLimitReached")

    /// All effects that a device can have are in use.
    public static let effectLimitReached = Code(name: "effectLimitReached")

    /// A required value is not finite.
    public static let valueNotUsable = Code(name: "valueNotUsable")

    /// The library could not allocate memory.
    public static let outOfMemory = Code(name: "outOfMemory")

    /// The library refused for a reason of its own, which ``AudioError/underlying`` names.
    public static let refusedByLibrary = Code(name: "refusedByLibrary")

    /// The loaded OpenAL library lacks what the operation needs.
    public static let notInLibrary = Code(name: "notInLibrary")
  }
}

extension AudioError: CustomStringConvertible {
  /// A sentence with the operation, the reason of the failure and a remedy.
  public var description: String { "Could not \(operation): \(message)" }
}
