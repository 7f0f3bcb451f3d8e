/// The reason of a suspension.
///
/// Reasons are independent: a game that its user had paused stays paused after an interruption. A program may define
/// its own reasons.
///
/// The counterparts are the interruptions of `AVAudioSession`, and the background of Wwise's
/// `AkAudioSessionProperties`.
public struct SuspensionReason: Hashable, Sendable {
  /// The name that identifies the reason, such as `"interruption"`.
  public let name: String

  /// Creates a reason with a name.
  public init(_ name: String) { self.name = name }

  /// Another program needs the output, for example for a call.
  public static let interruption = SuspensionReason("interruption")

  /// The program is not in the foreground.
  public static let background = SuspensionReason("background")

  /// The user has paused the game.
  public static let userPause = SuspensionReason("user pause")
}

extension SuspensionReason: CustomStringConvertible {
  /// The reason's ``name``.
  public var description: String { name }
}

extension SuspensionReason: Codable {
  /// Decodes the ``name``.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Encodes the ``name``.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(name)
  }
}
