internal import AudioSupport

/// A reader of any type that delivers chunks.
protocol StreamReading: AnyObject, Sendable {
  /// Reads the next chunk; calls the program's reader, which may take long.
  func read(_ request: StreamState.Request) -> StreamDelivery
}

/// The result of one request to a reader.
struct StreamDelivery: Sendable {
  var samples: PCMBuffer<Float>
  var chunk: StreamQueue.Chunk = []
  /// Whether the reader is at its end.
  var isEnd = false
  /// Whether the reader started over and had no frame.
  var isEmptyLap = false
  var failure: AudioError?
}

/// Divides a reader into chunks.
final class StreamReader<Reader: PCMReader & Sendable & ~Copyable>: StreamReading {
  fileprivate struct State: ~Copyable {
    var reader: Reader
    /// The reader's own position; `nil` while it is unknown.
    var readerFrame: Int?
    /// The frame that the next chunk begins with.
    var next = 0
    /// Whether the next frame is the first of a lap.
    var startsLap = false
    /// The frames of a short loop, so that the reader does not seek for each lap.
    var loop: Loop?
  }

  /// A loop in memory.
  fileprivate struct Loop {
    var range: Range<Int>
    var samples: PCMBuffer<Float>
  }

  let format: PCMFormat
  private let chunkLength: Int
  private let state: Lock<State>

  init(_ reader: consuming Reader, chunkLength: Int) {
    format = reader.format
    self.chunkLength = chunkLength
    state = Lock(State(reader: reader))
  }

  func read(_ request: StreamState.Request) -> StreamDelivery {
    var delivery = StreamDelivery(samples: PCMBuffer(format: format))
    do {
      try state.withLock { state throws(AudioError) in
        try state.fill(&delivery, request, chunkLength: chunkLength)
      }
    } catch {
      delivery.failure = error
    }
    return delivery
  }
}

extension StreamReader.State where Reader: ~Copyable {
  /// Reads until a chunk is full, across the end of the loop if there is one.
  fileprivate mutating func fill(
    _ delivery: inout StreamDelivery,
    _ request: StreamState.Request,
    chunkLength: Int
  ) throws(AudioError) {
    let format = delivery.samples.format
    if let target = request.target { (next, readerFrame, startsLap) = (target, nil, false) }
    // The sound does not begin with a step where it begins inside of itself, as a buffer does not.
    defer { if let target = request.target, target > 0 { delivery.samples.fadeIn() } }
    var block = PCMBuffer<Float>(format: format)
    while delivery.samples.frameCount < chunkLength {
      let room = chunkLength - delivery.samples.frameCount
      // Frames at and after the end of the loop play once, to the end, as in a buffer.
      let loop = request.loop.flatMap { next < $0.upperBound ? $0 : nil }
      if let loop, loop.count <= chunkLength, loop.contains(next) {
        try copy(from: loop, into: &block, maxFrames: room)
      } else {
        try read(into: &block, maxFrames: loop.map { min(room, $0.upperBound - next) } ?? room)
      }
      if block.frameCount > 0 {
        delivery.samples.append(frames: block.frameCount) { room in
          for sample in block.samples { room.append(sample) }
        }
        delivery.chunk.append(.init(start: next, frameCount: block.frameCount, startsLap: startsLap))
        startsLap = false
        next += block.frameCount
        guard request.loop?.upperBound == next else { continue }
      } else {
        // A lap without a frame would never end.
        guard let loop, !startsLap, next > loop.lowerBound else {
          delivery.isEnd = true
          delivery.isEmptyLap = request.loop != nil
          return
        }
      }
      (next, startsLap) = (request.loop?.lowerBound ?? 0, true)
      // A chunk ends with a lap, because the library sends an event then, except if the chunk is too short.
      if delivery.samples.frameCount >= chunkLength / 2 { return }
    }
  }

  /// Copies the next frames of a short loop, which it reads first if it holds another loop or none.
  private mutating func copy(
    from range: Range<Int>,
    into block: inout PCMBuffer<Float>,
    maxFrames: Int
  ) throws(AudioError) {
    if loop?.range != range {
      let position = next
      var samples = PCMBuffer<Float>(format: block.format)
      next = range.lowerBound
      defer { next = position }
      repeat {
        try read(into: &block, maxFrames: range.upperBound - next)
        samples.append(frames: block.frameCount) { room in for sample in block.samples { room.append(sample) } }
        next += block.frameCount
      } while block.frameCount > 0 && next < range.upperBound
      loop = StreamReader.Loop(range: range, samples: samples)
    }
    block.removeAll(adopting: block.format)
    guard let samples = loop?.samples else { return }
    let start = min(next - range.lowerBound, samples.frameCount)
    let frameCount = min(maxFrames, samples.frameCount - start)
    let channelCount = samples.format.channelCount
    block.append(frames: frameCount) { room in
      for sample in samples.samples[start * channelCount..<(start + frameCount) * channelCount] { room.append(sample) }
    }
  }

  /// Reads the next frames, after a seek if the reader is elsewhere.
  private mutating func read(into block: inout PCMBuffer<Float>, maxFrames: Int) throws(AudioError) {
    let format = block.format
    block.removeAll(adopting: format)
    do throws(Reader.Failure) {
      if readerFrame != next { try reader.seek(toFrame: next) }
      readerFrame = nil
      _ = try reader.read(into: &block, maxFrames: maxFrames)
    } catch {
      throw .streaming("\(error)")
    }
    guard block.frameCount == 0 || block.format == format else {
      throw .formatChanged(AudioError.streamingSound, from: format, to: block.format)
    }
    if let (index, value) = SampleCheck.firstUnusable(in: block.samples) {
      throw .streaming(AudioError.aboutSample(next * format.channelCount + index, value, of: reader.name, format))
    }
    readerFrame = next + block.frameCount
  }
}

extension PCMBuffer<Float> {
  /// Fades the first 64 frames in.
  fileprivate mutating func fadeIn() {
    let length = min(ShortFade.length, frameCount)
    let faded = samples.enumerated().map { index, sample in
      sample * Float(min(index / format.channelCount, length)) / Float(max(length, 1))
    }
    removeAll(adopting: format)
    append(frames: faded.count / format.channelCount) { room in for sample in faded { room.append(sample) } }
  }
}

extension AudioError {
  /// The error of a reader that fails.
  static func readFailed(_ operation: String, _ message: String) -> AudioError {
    AudioError(code: .readFailed, operation: operation, message: message)
  }

  /// The error of a reader that changes its format.
  static func formatChanged(_ operation: String, from old: PCMFormat, to new: PCMFormat) -> AudioError {
    .readFailed(operation, "the reader began with \(old) and went on with \(new). A reader has to keep its format.")
  }

  static func streaming(_ message: String) -> AudioError { .readFailed(streamingSound, message) }

  static let streamingSound = "stream a sound"
}
