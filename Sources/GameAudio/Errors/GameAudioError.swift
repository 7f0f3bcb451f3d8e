/// The reason why a sound, a player or a bank of a game could not be made or loaded.
///
/// Only initializers, and calls that load, throw it. Failures while a sound plays are events of its emitter or player,
/// and diagnostics of `AudioContext.onDiagnostic`.
public struct GameAudioError: Error, Hashable, Sendable {
  /// The kind of failure, to switch over.
  public let code: Code

  /// A sentence with the name of the file, the sound or the key, the reason of the failure and a remedy.
  public let message: String

  /// The key of the sound in its bank; `nil` where the failure has none.
  public let key: SoundKey?

  /// The path of the file; `nil` where the failure has none.
  public let path: String?

  /// The failures of all sounds, of a call that loads several; empty for any other.
  public let failures: [GameAudioError]

  init(
    _ code: Code,
    _ message: String,
    key: SoundKey? = nil,
    path: String? = nil,
    failures: [GameAudioError] = []
  ) {
    (self.code, self.message, self.key, self.path, self.failures) = (code, message, key, path, failures)
  }

  /// The kinds of failure; new kinds may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private let name: String

    init(name: String) { self.name = name }

    /// The name of the code, such as `soundUnavailable`.
    public var description: String { name }

    /// A sound has an empty list of files or samples.
    public static let emptySound = Code(name: "emptySound")

    /// A sound could not be opened or read; the message has the reason.
    public static let soundUnavailable = Code(name: "soundUnavailable")

    /// The bus has no sum of its own that could be recorded: see ``AudioWorld/init(processing:voiceLimit:)``.
    public static let busNotProcessed = Code(name: "busNotProcessed")

    /// A recording of the mix could not be written; the message has the reason.
    public static let recordingFailed = Code(name: "recordingFailed")
  }
}

extension GameAudioError: CustomStringConvertible {
  /// The error's ``message``.
  public var description: String { message }
}
