/// A part of a sound that its file says is to be repeated.
public struct AudioLoop: Hashable, Sendable {
  /// The frames that repeat, counted from the first of the sound; never empty, and within it.
  public internal(set) var range: Range<Int>

  /// Which way they are played.
  public let direction: Direction

  /// How often they are played in all; `nil` for without end.
  public let playCount: Int?

  /// Which way the frames of a loop are played.
  public enum Direction: Hashable, Sendable {
    /// From the first to the last.
    case forward
    /// From the last to the first.
    case backward
    /// To and fro.
    case alternating
  }

  init(range: Range<Int>, direction: Direction = .forward, playCount: Int? = nil) {
    self.range = range
    self.direction = direction
    self.playCount = playCount
  }
}
