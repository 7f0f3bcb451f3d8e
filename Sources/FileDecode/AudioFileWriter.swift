/// A sound file that is written: WAV, AIFF, CAF, FLAC, Ogg Vorbis, Opus or MP3.
///
/// Samples are written under a passing name next to the file's own; ``close()`` gives the finished file its name, in
/// place of an older file, whose permissions it takes over, or of a link. A writer that is dropped without it leaves
/// nothing behind, so that a half-written file never stands under the name.
///
/// The corresponding C library is libsndfile.
public struct AudioFileWriter: ~Copyable, Sendable {
  /// The path that the file has once it is closed.
  public let path: String

  /// The rate and the channels of the file.
  public let format: PCMFormat

  /// How the samples are stored.
  public let encoding: AudioEncoding

  /// How many frames were written.
  public private(set) var frameCount = 0

  private let frameLimit: Int
  /// Gone once the file is closed, or could not be written.
  private var encoder: Encoder?
  private var failure: AudioFileError?

  /// Starts a file.
  ///
  /// The extension says which kind it is: `.wav`, `.aiff`, `.aif`, `.caf`, `.flac`, `.ogg`, `.opus` or `.mp3`. Where no
  /// encoding is given it is the codec's for the last three and ``AudioEncoding/int16`` for all others. Vorbis takes rates of
  /// 8,000 to 200,000 Hz, Opus 8, 12, 16, 24 and 48 kHz, MP3 those of its standard, from 8 to 48 kHz. A file that has the name
  /// is replaced, unless `overwriting` is false: then also one that gets it while the file is written stays, and ``close()``
  /// throws.
  ///
  /// - Throws: ``AudioFileError`` where the kind of file cannot hold the format or the encoding, or where no file can be
  ///   created in the folder, with the code `fileExists` where one is not to be replaced.
  public init(
    creating path: String,
    format: PCMFormat,
    encoding: AudioEncoding? = nil,
    overwriting: Bool = true
  ) throws(AudioFileError) {
    try self.init(creating: path, format: format, encoding: encoding, overwriting: overwriting, frameLimit: nil)
  }

  init(
    creating path: String,
    format: PCMFormat,
    encoding: AudioEncoding?,
    overwriting: Bool = true,
    frameLimit: Int?
  ) throws(AudioFileError) {
    guard let container = OutputContainer(path: path) else { throw .unknownExtension(path) }
    let encoding = encoding ?? container.encodings[0]
    guard container.encodings.contains(encoding) else { throw .encoding(encoding, container, path) }
    guard let description = container.libsndfileFormat(format, encoding) else {
      throw .format(format, encoding, container, path)
    }
    let file = try TemporaryFile(for: path, overwriting: overwriting)
    do {
      encoder = try Encoder(container, format, encoding, description, into: file)
    } catch {
      if let systemError = file.failure { throw .writing(path, .system(systemError)) }
      throw .format(format, encoding, container, path, underlying: error.report)
    }
    self.path = path
    self.format = format
    self.encoding = encoding
    self.frameLimit = frameLimit ?? container.frameLimit(encoding, channelCount: format.channelCount)
  }

  /// Appends a buffer's frames.
  ///
  /// Integer encodings round to the nearest step and clip at full scale; values that are not finite numbers become
  /// silence.
  ///
  /// - Throws: ``AudioFileError`` with the code `formatMismatch` where the buffer has another rate or number of channels,
  ///   `tooLarge` beyond the 4 GiB of a WAV and the 2 GiB of an AIFF file, `writeFailed` where the disk is full, and
  ///   `alreadyClosed` after ``close()``. What failed to be written cannot be mended: the unfinished file is removed, and
  ///   every later call throws the same.
  public mutating func write<Sample>(_ buffer: PCMBuffer<Sample>) throws(AudioFileError) {
    if let failure { throw failure }
    guard encoder != nil else { throw .closed(path) }
    guard buffer.format.sampleRate == format.sampleRate, buffer.format.channelCount == format.channelCount else {
      throw .mismatch(buffer.format, format, path)
    }
    guard buffer.frameCount <= frameLimit - frameCount else { throw .full(path) }
    let samples = buffer.samples.span
    let blockSize = Decoder.blockSize * format.channelCount
    var start = 0
    while start < samples.count {
      let end = min(start + blockSize, samples.count)
      do {
        try encoder?.write(samples.extracting(start..<end))
      } catch {
        throw fail(error)
      }
      frameCount += (end - start) / format.channelCount
      start = end
    }
  }

  /// Finishes the file and gives it its name, in place of a file that had it; a second call does nothing.
  ///
  /// - Throws: ``AudioFileError`` with the code `writeFailed`, also where an earlier write failed, and `fileExists` where a file
  ///   got the name that is not to be replaced; the file is removed then, and an older one stays.
  public mutating func close() throws(AudioFileError) {
    if let failure { throw failure }
    guard let encoder = encoder.take() else { return }
    do {
      try encoder.close()
    } catch {
      throw fail(error)
    }
  }

  /// Removes the unfinished file, and remembers why.
  private mutating func fail(_ reason: WritingFailure) -> AudioFileError {
    encoder = nil
    let error = AudioFileError.writing(path, reason)
    failure = error
    return error
  }
}
