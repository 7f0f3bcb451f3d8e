/// A loop, marker or text that a kind of file does not hold.
public enum MetadataOmission: Hashable, Sendable {
  /// A loop that the file does not have: of another direction, beyond the kind's number of loops or positions, or
  /// outside of the sound.
  case loop(AudioLoop)
  /// A loop that the file holds as an endless one, without the number of plays.
  case playCount(AudioLoop)
  /// A marker that the file does not have.
  case marker(AudioMarker)
  /// A marker that the file holds without its name.
  case markerName(AudioMarker)
  /// A text by its name in ``AudioTags``.
  case tag(String)
}

extension MetadataOmission: CustomStringConvertible {
  /// Words for the end of a sentence, such as `the text ALBUM`.
  public var description: String {
    switch self {
    case .loop(let loop):
      "the loop of frames \(loop.range.lowerBound) to \(loop.range.upperBound)\(loop.direction.words)"
    case .playCount(let loop):
      "the number of plays of the loop of frames \(loop.range.lowerBound) to \(loop.range.upperBound)"
    case .marker(let marker): "the marker at frame \(marker.frame)"
    case .markerName(let marker): "the name of the marker at frame \(marker.frame)"
    case .tag(let name): "the text \(name)"
    }
  }
}

extension AudioLoop.Direction {
  fileprivate var words: String {
    switch self {
    case .forward: ""
    case .backward: ", backward"
    case .alternating: ", back and forth"
    }
  }
}
