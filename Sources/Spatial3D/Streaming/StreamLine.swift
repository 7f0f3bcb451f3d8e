/// What of a stream is in the library's queue, and where its frames come from.
///
/// Pure: no call and no lock.
struct StreamLine: Sendable {
  /// Frames of the reader that follow each other.
  struct Segment: Hashable, Sendable {
    /// Where in the reader the first of them is.
    var start: Int
    var frameCount: Int
    /// Whether the reader started over for them.
    var startsLap: Bool
    /// Whether they are none of the reader's, but silence ahead of the first of them.
    var isSilent = false
  }

  /// What goes into one buffer.
  typealias Chunk = [Segment]

  private var chunks: [Chunk] = []
  /// How many frames of the queue laps were counted in.
  private var counted = 0

  var chunkCount: Int { chunks.count }
  var frameCount: Int { chunks.reduce(0) { $0 + $1.frameCount } }

  mutating func append(_ chunk: Chunk) { chunks.append(chunk) }

  /// Puts silence ahead of all.
  mutating func prepend(silence frameCount: Int) {
    let start = position(at: 0)
    chunks.insert([Segment(start: start, frameCount: frameCount, startsLap: false, isSilent: true)], at: 0)
  }

  /// The reader's frame at one of the queue's; the one after the last where there is none.
  func position(at frame: Int) -> Int {
    var left = frame
    var end = 0
    for segment in chunks.joined() {
      if left < segment.frameCount { return segment.start + (segment.isSilent ? 0 : max(left, 0)) }
      left -= segment.frameCount
      end = segment.start + (segment.isSilent ? 0 : segment.frameCount)
    }
    return end
  }

  /// The frames of the queue with which laps began that were mixed since the last time, up to one that was not.
  mutating func laps(before frame: Int) -> [Int] {
    guard frame > counted else { return [] }
    var laps: [Int] = []
    var start = 0
    for segment in chunks.joined() {
      if segment.startsLap, start >= counted, start < frame { laps.append(start) }
      start += segment.frameCount
    }
    counted = frame
    return laps
  }

  /// How many chunks at the front laps were counted in to their ends.
  var countedChunks: Int {
    var end = 0
    return chunks.prefix { chunk in
      end += chunk.frameCount
      return end <= counted
    }.count
  }

  /// Forgets the first chunks, which were played.
  mutating func removeFirst(_ count: Int) {
    counted = max(counted - chunks.prefix(count).reduce(0) { $0 + $1.frameCount }, 0)
    chunks.removeFirst(min(count, chunks.count))
  }

  mutating func removeAll() {
    chunks = []
    counted = 0
  }
}

extension StreamLine.Chunk {
  fileprivate var frameCount: Int { reduce(0) { $0 + $1.frameCount } }
}
