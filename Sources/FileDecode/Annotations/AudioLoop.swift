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
