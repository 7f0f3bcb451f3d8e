/// Why a scene is suspended.
///
/// Each reason holds by itself: a game that was interrupted while its user had paused it stays paused after the interruption. A
/// program may have reasons of its own.
///
/// The counterparts are the interruptions of `AVAudioSession`, and the background of Wwise's `AkAudioSessionProperties`.
public struct SuspensionReason: Hashable, Sendable {
  /// What tells the reason from others, such as `"interruption"`.
  public let name: String

  /// A reason of a name.
  public init(_ name: String) { self.name = name }

  /// Something else needs the ears of the user, such as a call.
  public static let interruption = SuspensionReason("interruption")

  /// The program is not in front.
  public static let background = SuspensionReason("background")

  /// The user has paused the game.
  public static let userPause = SuspensionReason("user pause")
}

extension SuspensionReason: CustomStringConvertible {
  /// The reason's ``name``.
  public var description: String { name }
}
