internal import Spatial3D

/// An event in the life of a ``SoundPlayer``.
@nonexhaustive
public enum PlayerEvent: Hashable, Sendable {
  /// Everything that was queued is over; not successfully, if a sound failed, or a limit refused or ended the player.
  ///
  /// A call that stops or pauses the player posts no such event.
  case finished(successfully: Bool)
  /// An interruption, such as a telephone call, has paused the player.
  case interruptionBegan
  /// The interruption is over, and the player may go on if the system suggests it.
  case interruptionEnded(shouldResume: Bool)
  /// A sound could not be opened or read to its end; the sentence has its name and the reason.
  ///
  /// The player goes on with the next sound that is queued.
  case decodeError(String)
  /// The sound has started over this many times since the last such event.
  case looped(Int)
}

extension PlayerEvent: CustomStringConvertible {
  /// The event in words, such as `looped 3×`.
  public var description: String {
    switch self {
    case .finished(true): "finished"
    case .finished(false): "finished without success"
    case .interruptionBegan: "interruption began"
    case .interruptionEnded(let shouldResume): "interruption ended\(shouldResume ? ", should resume" : "")"
    case .decodeError(let sentence): "decode error: \(sentence)"
    case .looped(let count): "looped \(count)×"
    }
  }
}

extension PlayerEvent: Coalescing {
  package var isJoinable: Bool { isCount }
  package var isCount: Bool { if case .looped = self { true } else { false } }

  /// Laps are counted together; no other events are joined.
  package func joined(with later: PlayerEvent) -> PlayerEvent? {
    guard case .looped(let count) = self, case .looped(let more) = later else { return nil }
    return .looped(Frames.sum(count, more))
  }
}
