/// A part of a sound that repeats, according to its file.
public struct AudioLoop: Hashable, Sendable {
  /// The frames that repeat, counted from the first of the sound; never empty, and within the sound.
  public internal(set) var range: Range<Int>

  /// The direction of playback.
  public let direction: Direction

  /// The total number of plays; `nil` for an endless loop.
  public let playCount: Int?

  /// The direction in which the frames of a loop play.
  public enum Direction: Hashable, Sendable {
    /// From the first to the last.
    case forward
    /// From the last to the first.
    case backward
    /// Back and forth.
    case alternating
  }

  init(range: Range<Int>, direction: Direction = .forward, playCount: Int? = nil) {
    self.range = range
    self.direction = direction
    self.playCount = playCount
  }
}

/// A marked position in a sound.
public struct AudioMarker: Hashable, Sendable {
  /// The frame, counted from the first of the sound.
  public internal(set) var frame: Int

  /// The marker's name; `nil` if it has none.
  public let name: String?

  init(frame: Int, name: String? = nil) {
    self.frame = frame
    self.name = name
  }
}
