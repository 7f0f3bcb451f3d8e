internal import FileDecode
internal import PCM
internal import Spatial3D

/// The way to a stream: it is opened anew for each voice.
struct StreamSource: Sendable {
  /// The properties of a stream that an emitter needs without a reader.
  struct Description: Sendable {
    let format: PCMFormat
    let frameCount: Int?
    let loopRange: Range<Int>?

    fileprivate init<Reader: PCMReader & ~Copyable>(of reader: borrowing Reader) {
      (format, frameCount, loopRange) = (reader.format, reader.frameCount, reader.loopRange)
    }
  }

  /// Opens the stream, and closes it.
  let describe: @Sendable () throws -> Description
  /// Opens the stream for a source; in mono, if the source has a place.
  let open: @Sendable (_ isPlaced: Bool, _ loopRange: Range<Int>?, AudioContext) throws -> SoundSource

  static func file(_ path: String) -> StreamSource {
    StreamSource {
      Description(of: try AudioFile(opening: path))
    } open: { isPlaced, loopRange, context in
      let file = try AudioFile(opening: path, in: isPlaced ? .mono : .asStored)
      return try SoundSource(streaming: file, loopRange: loopRange, in: context)
    }
  }

  static func reader<Reader: PCMReader & Sendable & ~Copyable>(
    _ open: @escaping @Sendable () throws -> Reader
  ) -> StreamSource {
    StreamSource {
      Description(of: try open())
    } open: { isPlaced, loopRange, context in
      let reader = try open()
      guard isPlaced, reader.format.channelCount > 1 else {
        return try SoundSource(streaming: reader, loopRange: loopRange, in: context)
      }
      return try SoundSource(streaming: MonoReader(reader), loopRange: loopRange, in: context)
    }
  }
}

/// A reader that mixes the channels of another one down to their mean.
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
