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

/// Divides a reader into chunks of 50 ms.
final class StreamReader<Reader: PCMReader & Sendable & ~Copyable>: StreamReading {
  fileprivate struct State: ~Copyable {
    var reader: Reader
    /// The reader's next frame.
    var next = 0
    /// The number of frames that were read since it started over.
    var lapLength = 0
  }

  let format: PCMFormat
  private let chunkLength: Int
  private let state: Lock<State>

  init(_ reader: consuming Reader) {
    format = reader.format
    chunkLength = StreamState.chunkLength(at: format.sampleRate)
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
  /// Reads until a chunk is full, across the reader's end if it loops.
  fileprivate mutating func fill(
    _ delivery: inout StreamDelivery,
    _ request: StreamState.Request,
    chunkLength: Int
  ) throws(AudioError) {
    let format = delivery.samples.format
    if let target = request.target { try seek(to: target) }
    var block = PCMBuffer<Float>(format: format)
    var startsLap = false
    while delivery.samples.frameCount < chunkLength {
      try read(into: &block, maxFrames: chunkLength - delivery.samples.frameCount)
      guard block.frameCount == 0 else {
        guard block.format == format else {
          throw .formatChanged(AudioError.streamingSound, from: format, to: block.format)
        }
        if let (index, value) = SampleCheck.firstUnusable(in: block.samples) {
          throw .streaming(AudioError.aboutSample(next * format.channelCount + index, value, of: reader.name, format))
        }
        delivery.samples.append(frames: block.frameCount) { room in
          for sample in block.samples { room.append(sample) }
        }
        delivery.chunk.append(.init(start: next, frameCount: block.frameCount, startsLap: startsLap))
        next += block.frameCount
        lapLength += block.frameCount
        startsLap = false
        continue
      }
      // A lap without a frame would never end.
      guard request.isLooping, lapLength > 0 || next > 0 else {
        delivery.isEnd = true
        delivery.isEmptyLap = request.isLooping
        return
      }
      // A chunk ends with a lap, because the library sends an event then, except if the chunk is too short.
      if delivery.samples.frameCount >= chunkLength / 2 { return }
      try seek(to: 0)
      startsLap = true
    }
  }

  private mutating func seek(to frame: Int) throws(AudioError) {
    do throws(Reader.Failure) {
      try reader.seek(toFrame: frame)
    } catch {
      throw .streaming("\(error)")
    }
    next = frame
    lapLength = 0
  }

  private mutating func read(into block: inout PCMBuffer<Float>, maxFrames: Int) throws(AudioError) {
    do throws(Reader.Failure) {
      block.removeAll(adopting: block.format)
      _ = try reader.read(into: &block, maxFrames: maxFrames)
    } catch {
      throw .streaming("\(error)")
    }
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

  fileprivate static let streamingSound = "stream a sound"
}
