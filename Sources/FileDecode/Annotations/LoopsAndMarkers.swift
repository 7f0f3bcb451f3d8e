/// A part of a sound that repeats, according to its file.
public struct AudioLoop: Hashable, Sendable {
  /// The frames that repeat, counted from the first of the sound.
  ///
  /// In a loop of a file the range is never empty, and within the sound.
  public var range: Range<Int>

  /// The direction of playback.
  public var direction: Direction

  /// The total number of plays, 1 or more; `nil` for an endless loop.
  public var playCount: Int?

  /// The direction in which the frames of a loop play.
  public enum Direction: Hashable, Sendable {
    /// From the first to the last.
    case forward
    /// From the last to the first.
    case backward
    /// Back and forth.
    case alternating
  }

  /// Describes a loop for a new file.
  public init(range: Range<Int>, direction: Direction = .forward, playCount: Int? = nil) {
    self.range = range
    self.direction = direction
    self.playCount = playCount
  }
}

/// A marked position in a sound.
public struct AudioMarker: Hashable, Sendable {
  /// The frame, counted from the first of the sound.
  public var frame: Int

  /// The marker's name; `nil` if it has none.
  public var name: String?

  /// Describes a marker for a new file.
  public init(frame: Int, name: String? = nil) {
    self.frame = frame
    self.name = name
  }
}
