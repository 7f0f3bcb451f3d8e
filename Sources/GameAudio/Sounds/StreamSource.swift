internal import AudioSupport
internal import FileDecode
internal import PCM
internal import Spatial3D

/// The source of a stream: it is opened anew for each voice.
struct StreamSource: Sendable {
  /// The properties of a stream that an emitter needs without a reader.
  struct Description: Sendable {
    let format: PCMFormat
    let frameCount: Int?
    let loopRange: Range<Int>?
    /// Whether the header of the file shows that the file was cut.
    var isTruncated = false

    init<Reader: PCMReader & ~Copyable>(of reader: borrowing Reader) {
      (format, frameCount, loopRange) = (reader.format, reader.frameCount.map { max($0, 0) }, reader.loopRange)
    }
  }

  /// The source that a stream is opened for.
  struct Opening: Sendable {
    /// Whether the source has a position: it plays the stream in mono then.
    let isPlaced: Bool
    let loopRange: Range<Int>?
    let context: AudioContext
    /// Runs within a read that finds the file damaged, under the lock of the reader.
    let onDamage: @Sendable () -> Void
  }

  /// The name in diagnostics.
  let name: String
  /// The path of the file; `nil` for a reader.
  let path: String?
  private let content: any StreamOpening

  init(name: String, path: String?, _ content: any StreamOpening) {
    (self.name, self.path, self.content) = (name, path, content)
  }

  /// Opens the stream, and closes it.
  func describe() throws -> Description { try content.describe() }

  /// Opens the stream for a source.
  func open(_ opening: Opening) throws -> SoundSource { try content.open(opening) }

  /// Opens the stream for a reader of several sounds.
  func read() throws -> any TrackReading { try content.read() }

  /// Whether it opens at once, without a file: the sounds of a player change after their stream is made.
  var isInMemory: Bool { content.isInMemory }
  /// The file that an opening waits for; `nil` where it may wait for a reader of the game.
  var file: String? { content.firstFile }
  /// The threads that open it.
  var lane: LoadQueue.Lane { path == nil ? .readers : .files }

  static func file(_ path: String) -> StreamSource { StreamSource(name: path, path: path, FileStream(path)) }

  static func reader<Reader: PCMReader & Sendable & ~Copyable>(
    _ name: String,
    _ open: @escaping @Sendable () throws -> Reader
  ) -> StreamSource {
    StreamSource(name: name, path: nil, ReaderStream(makeReader: open))
  }
}

/// The content of a stream, which several readers may have open.
protocol StreamOpening: Sendable {
  func describe() throws -> StreamSource.Description
  func open(_ opening: StreamSource.Opening) throws -> SoundSource
  func read() throws -> any TrackReading
  var isInMemory: Bool { get }
  /// The first file that it opens; `nil` if it opens none, or may open a reader of the game.
  var firstFile: String? { get }
}

private final class FileStream: StreamOpening {
  private let path: String
  /// Each voice opens the file: the first voice that meets the damage reports it.
  private let isReported = Lock(false)

  init(_ path: String) { self.path = path }

  var isInMemory: Bool { false }
  var firstFile: String? { path }

  func describe() throws -> StreamSource.Description {
    let file = try AudioFile(opening: path)
    var description = StreamSource.Description(of: file)
    description.isTruncated = file.isTruncated
    return description
  }

  func open(_ opening: StreamSource.Opening) throws -> SoundSource {
    // The reader of a source must not keep the context of the source.
    let file = try CheckedFile(opening: path, in: opening.isPlaced ? .mono : .asStored) {
      [self, onDamage = opening.onDamage] in
      let isFirst = isReported.withLock { known in
        defer { known = true }
        return !known
      }
      if isFirst { onDamage() }
    }
    return try SoundSource(streaming: file, loopRange: opening.loopRange, in: opening.context)
  }

  func read() throws -> any TrackReading {
    TrackReader(try AudioFile(opening: path)) { [path] in $0.isTruncated ? AudioFile.isCut(path) : nil }
  }
}

private struct ReaderStream<Reader: PCMReader & Sendable & ~Copyable>: StreamOpening {
  let makeReader: @Sendable () throws -> Reader

  var isInMemory: Bool { false }
  var firstFile: String? { nil }

  func describe() throws -> StreamSource.Description { StreamSource.Description(of: try makeReader()) }

  func open(_ opening: StreamSource.Opening) throws -> SoundSource {
    let reader = try makeReader()
    guard opening.isPlaced, reader.format.channelCount > 1 else {
      return try SoundSource(streaming: reader, loopRange: opening.loopRange, in: opening.context)
    }
    return try SoundSource(streaming: MonoReader(reader), loopRange: opening.loopRange, in: opening.context)
  }

  func read() throws -> any TrackReading { TrackReader(try makeReader()) }
}

extension AudioFile {
  /// The sentence about a file that holds less than it should.
  static func isCut(_ path: String) -> String {
    "\(path) holds less than its header says: it was cut, or is damaged. Copy or convert it again."
  }
}

/// A reader that mixes the channels of another reader down to their mean.
struct MonoReader<Reader: PCMReader & Sendable & ~Copyable>: PCMReader, Sendable, ~Copyable {
  private var reader: Reader
  private var chunk: PCMBuffer<Float>

  let format: PCMFormat
  var frameCount: Int? { reader.frameCount }
  var name: String? { reader.name }
  var loopRange: Range<Int>? { reader.loopRange }

  init(_ reader: consuming Reader) {
    format = .mono(sampleRate: reader.format.sampleRate)
    chunk = PCMBuffer(format: reader.format)
    self.reader = reader
  }

  mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) throws(Reader.Failure) -> Int {
    let count = try reader.read(into: &chunk, maxFrames: maxFrames)
    buffer = chunk.mixedToMono
    return count
  }

  mutating func seek(toFrame frame: Int) throws(Reader.Failure) { try reader.seek(toFrame: frame) }
}

extension PCMBuffer<Float> {
  /// The mean of the channels, as one channel.
  var mixedToMono: PCMBuffer<Float> {
    let channels = format.channelCount
    guard channels > 1 else { return self }
    var mono = PCMBuffer<Float>(format: .mono(sampleRate: format.sampleRate))
    mono.append(frames: frameCount) { span in
      for start in stride(from: 0, to: frameCount * channels, by: channels) {
        span.append(samples[start..<start + channels].reduce(0, +) / Float(channels))
      }
    }
    return mono
  }
}
