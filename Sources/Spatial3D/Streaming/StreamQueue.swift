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

  /// A chunk with its length: a reader of one frame that loops has as many segments as frames.
  private struct Entry: Sendable {
    let chunk: Chunk
    let frameCount: Int

    init(_ chunk: Chunk) {
      self.chunk = chunk
      frameCount = chunk.reduce(0) { $0 + $1.frameCount }
    }
  }

  private var entries: [Entry] = []
  /// The number of frames of the queue in which laps were counted.
  private var counted = 0

  var chunkCount: Int { entries.count }
  private(set) var frameCount = 0

  /// Whether the reader started over for any of the frames.
  var hasLaps: Bool { entries.contains { $0.chunk.contains(where: \.startsLap) } }

  mutating func append(_ chunk: Chunk) { insert(Entry(chunk), at: entries.count) }

  private mutating func insert(_ entry: Entry, at index: Int) {
    entries.insert(entry, at: index)
    frameCount += entry.frameCount
  }

  /// Puts silence ahead of all chunks.
  mutating func prepend(silence frameCount: Int) {
    let start = position(at: 0)
    insert(Entry([Segment(start: start, frameCount: frameCount, startsLap: false, isSilent: true)]), at: 0)
  }

  /// The reader's frame at a frame of the queue; beyond the queue, the frame after its last frame.
  func position(at frame: Int) -> Int {
    var left = frame
    for entry in entries {
      guard left < entry.frameCount else {
        left -= entry.frameCount
        continue
      }
      for segment in entry.chunk {
        if left < segment.frameCount { return segment.start + (segment.isSilent ? 0 : max(left, 0)) }
        left -= segment.frameCount
      }
    }
    return entries.last?.chunk.last.map { $0.start + ($0.isSilent ? 0 : $0.frameCount) } ?? 0
  }

  /// The queue's frames at which laps begin, of the frames that were mixed since the last call.
  ///
  /// `frame` is the first frame that is not mixed yet.
  mutating func laps(before frame: Int) -> [Int] {
    guard frame > counted else { return [] }
    var laps: [Int] = []
    var start = 0
    for entry in entries {
      if start + entry.frameCount <= counted || start >= frame {
        start += entry.frameCount
        continue
      }
      for segment in entry.chunk {
        if segment.startsLap, start >= counted, start < frame { laps.append(start) }
        start += segment.frameCount
      }
    }
    counted = frame
    return laps
  }

  /// The number of chunks at the front with all laps counted.
  var countedChunks: Int {
    var end = 0
    return entries.prefix { entry in
      end += entry.frameCount
      return end <= counted
    }.count
  }

  /// Forgets the first chunks, which were played.
  mutating func removeFirst(_ count: Int) {
    let removed = entries.prefix(count).reduce(0) { $0 + $1.frameCount }
    counted = max(counted - removed, 0)
    frameCount -= removed
    entries.removeFirst(min(count, entries.count))
  }

  mutating func removeAll() {
    entries = []
    (frameCount, counted) = (0, 0)
  }
}
