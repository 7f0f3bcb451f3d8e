internal import AudioSupport
internal import PCM

/// A reader of any type that delivers the frames of one track.
protocol TrackReading: AnyObject, Sendable {
  /// Reads the next frames; returns 0 at the end.
  func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) throws -> Int
  func seek(toFrame frame: Int) throws
  /// The reason why the frames that were read are not all, in words.
  var defect: String? { get }
}

/// A track that a reader delivers.
final class TrackReader<Reader: PCMReader & Sendable & ~Copyable>: TrackReading {
  private let reader: Lock<Reader>
  private let findDefect: @Sendable (borrowing Reader) -> String?

  init(_ reader: consuming Reader, defect: @escaping @Sendable (borrowing Reader) -> String? = { _ in nil }) {
    self.reader = Lock(reader)
    findDefect = defect
  }

  func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) throws -> Int {
    try reader.withLock { reader throws(Reader.Failure) in try reader.read(into: &buffer, maxFrames: maxFrames) }
  }

  func seek(toFrame frame: Int) throws {
    try reader.withLock { reader throws(Reader.Failure) in try reader.seek(toFrame: frame) }
  }

  var defect: String? { reader.withLock { findDefect($0) } }
}
