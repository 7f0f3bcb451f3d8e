/// Why an output, an input, a context, a buffer, a source or a renderer could not be had.
///
/// Only initializers throw it; once a thing exists, its methods and properties cannot fail.
public struct AudioError: Error, Hashable, Sendable {
  /// What went wrong, to switch over.
  public let code: Code

  /// What was attempted, such as `"open an audio device"`.
  public let operation: String

  /// What went wrong in a sentence, with the name or the numbers in it and what to do.
  public let message: String

  /// What the library answered, if it did, for a log.
  public let underlying: LibraryError?

  /// The kinds of failure; new ones may be added.
  public struct Code: Hashable, Sendable {
    private let name: String

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

    /// What was to be read failed to deliver; the message says why.
    public static let readFailed = Code(name: "readFailed")

    /// The frames to loop are none, or not all of them frames of the sound.
    public static let invalidLoopRange = Code(name: "invalidLoopRange")

    /// A buffer was used on another device than the one that holds it.
    public static let wrongDevice = Code(name: "wrongDevice")

    /// A source that plays a buffer of its own was asked to play a queue.
    public static let sourceHasBuffer = Code(name: "sourceHasBuffer")

    /// A buffer differs in its format from those that are in the queue.
    public static let formatMismatch = Code(name: "formatMismatch")

    /// All sources that a context can have are in use.
    public static let sourceLimitReached = Code(name: "sourceLimitReached")

    /// All effects that a device can have are in use.
    public static let effectLimitReached = Code(name: "effectLimitReached")

    /// A value that is not finite was given to something that has to have it.
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
  /// A sentence that says what was attempted, why it failed and what to do.
  public var description: String { "Could not \(operation): \(message)" }
}

extension AudioError.Code: CustomStringConvertible {
  /// The code's name, such as `deviceUnavailable`.
  public var description: String { name }
}
