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

  /// The name in diagnostics.
  let name: String
  /// The path of the file; `nil` for a reader.
  let path: String?
  /// Opens the stream, and closes it.
  let describe: @Sendable () throws -> Description
  /// Opens the stream for a source; in mono, if the source has a position.
  ///
  /// The closure runs within a read that finds the file damaged, under the lock of the reader.
  let open:
    @Sendable (_ isPlaced: Bool, _ loopRange: Range<Int>?, AudioContext, _ onDamage: @escaping @Sendable () -> Void)
      throws -> SoundSource
  /// Opens the stream for a reader of several sounds.
  let read: @Sendable () throws -> any TrackReading
  /// Whether it opens at once, without a file: the sounds of a player change after their stream is made.
  var isInMemory: Bool { checksMemory() }
  var checksMemory: @Sendable () -> Bool = { false }
  /// The file that an opening waits for; `nil` where it may wait for a reader of the game.
  var file: String? { path ?? findFile() }
  var findFile: @Sendable () -> String? = { nil }
  /// The threads that open it.
  var lane: LoadQueue.Lane { path == nil ? .readers : .files }

  static func file(_ path: String) -> StreamSource {
    // Each voice opens the file: the first voice that meets the damage reports it.
    let isReported = Lock(false)
    return StreamSource(name: path, path: path) {
      let file = try AudioFile(opening: path)
      var description = Description(of: file)
      description.isTruncated = file.isTruncated
      return description
    } open: { isPlaced, loopRange, context, onDamage in
      let file = try CheckedFile(opening: path, in: isPlaced ? .mono : .asStored) {
        let isFirst = isReported.withLock { known in
          defer { known = true }
          return !known
        }
        if isFirst { onDamage() }
      }
      return try SoundSource(streaming: file, loopRange: loopRange, in: context)
    } read: {
      TrackReader(try AudioFile(opening: path)) { $0.isTruncated ? AudioFile.isCut(path) : nil }
    }
  }

  static func reader<Reader: PCMReader & Sendable & ~Copyable>(
    _ name: String,
    _ open: @escaping @Sendable () throws -> Reader
  ) -> StreamSource {
    StreamSource(name: name, path: nil) {
      Description(of: try open())
    } open: { isPlaced, loopRange, context, _ in
      let reader = try open()
      guard isPlaced, reader.format.channelCount > 1 else {
        return try SoundSource(streaming: reader, loopRange: loopRange, in: context)
      }
      return try SoundSource(streaming: MonoReader(reader), loopRange: loopRange, in: context)
    } read: {
      TrackReader(try open())
    }
  }
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
