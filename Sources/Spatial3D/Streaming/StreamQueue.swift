/// The chunks of a stream in the library's queue, with their positions in the reader.
///
/// Pure: no call and no lock.
struct StreamQueue: Sendable {
  /// A run of consecutive frames of the reader.
  struct Segment: Hashable, Sendable {
    /// The reader's frame at which it begins.
    var start: Int
    var frameCount: Int
    /// Whether the reader started over for it.
    var startsLap: Bool
    /// Whether it is silence ahead of the reader's first frame.
    var isSilent = false
  }

  /// The content of one buffer.
  typealias Chunk = [Segment]

  private var chunks: [Chunk] = []
  /// The number of frames of the queue in which laps were counted.
  private var counted = 0

  var chunkCount: Int { chunks.count }
  var frameCount: Int { chunks.reduce(0) { $0 + $1.frameCount } }

  mutating func append(_ chunk: Chunk) { chunks.append(chunk) }

  /// Puts silence ahead of all chunks.
  mutating func prepend(silence frameCount: Int) {
    let start = position(at: 0)
    chunks.insert([Segment(start: start, frameCount: frameCount, startsLap: false, isSilent: true)], at: 0)
  }

  /// The reader's frame at a frame of the queue; beyond the queue, the one after its last.
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

  /// The queue's frames at which laps begin, of the frames that were mixed since the last call.
  ///
  /// `frame` is the first one that is not mixed yet.
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

  /// The number of chunks at the front with all laps counted.
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

extension StreamQueue.Chunk {
  fileprivate var frameCount: Int { reduce(0) { $0 + $1.frameCount } }
}
