/// A sound file for writing: WAV, AIFF, CAF, FLAC, Ogg Vorbis, Opus or MP3.
///
/// The writer writes samples under a temporary name next to the final one. ``close()`` gives the finished file its
/// name. It replaces a link or an older file and takes over the older file's permissions. A writer that is dropped
/// without ``close()`` leaves nothing behind, so a half-written file never has the final name.
///
/// The corresponding C library is libsndfile.
public struct AudioFileWriter: ~Copyable, Sendable {
  /// The path of the file after ``close()``.
  public let path: String

  /// The rate and the channels of the file.
  public let format: PCMFormat

  /// The codec of the file; in a FLAC file also a sample type, for the depth.
  public let codec: AudioCodec

  /// The number of frames written.
  public private(set) var frameCount = 0

  /// The loops of the file; ``close()`` writes them, and later changes have no effect.
  ///
  /// They go to the chunks and tags that ``AudioFile/loops`` reads: `smpl` in WAV, `INST` and `MARK` in AIFF, regions
  /// in CAF, and in the other kinds the texts `LOOPSTART` and `LOOPLENGTH`. An AIFF file has two, of which samplers
  /// play the second after the key is released. The texts of an Opus file count frames of 48,000 Hz, as its decoders
  /// return them.
  public var loops: [AudioLoop] = []

  /// The markers of the file; ``close()`` writes them to WAV, AIFF and CAF files, and later changes have no effect.
  public var markers: [AudioMarker] = []

  /// The texts of the file, such as its title; ``close()`` writes them, and later changes have no effect.
  ///
  /// They go to `INFO` in WAV, the texts of AIFF and CAF, Vorbis comments, and an ID3 tag in MP3.
  public var tags = AudioTags()

  private let container: OutputContainer
  private let frameLimit: Int
  /// `nil` after ``close()``, and after a failed write.
  private var encoder: Encoder?
  private var failure: AudioFileError?

  /// Starts a file.
  ///
  /// The extension selects the kind of file: `.wav`, `.aiff`, `.aif`, `.caf`, `.flac`, `.ogg`, `.opus` or `.mp3`. The
  /// default codec is Vorbis, Opus or MP3 for the last three and ``AudioCodec/int16`` for all others. A WAV, AIFF or
  /// CAF file takes integers of 16, 24 or 32 bits or ``AudioCodec/float32``, and a CAF file also ``AudioCodec/alac``. A
  /// FLAC file has 16 bits, or 24 with ``AudioCodec/int24``, and reads back as ``AudioCodec/flac``.
  ///
  /// Vorbis takes rates of 8,000 to 200,000 Hz, Opus 8, 12, 16, 24 and 48 kHz, and MP3 the rates of its standard, from
  /// 8 to 48 kHz.
  ///
  /// A `quality` replaces the default of Vorbis, Opus or MP3; the other codecs have no loss to choose, and take none.
  ///
  /// The new file replaces a file of the same name, unless `overwriting` is false. Then a file also stays if it gets
  /// the name during the writing, and ``close()`` throws. Some network file systems can neither rename without
  /// replacing nor give a file two names. There a file is lost if it gets the name at the very moment of ``close()``.
  ///
  /// - Throws: ``AudioFileError`` if the kind of file cannot hold the format, or if the folder takes no new file. The
  ///   code is `unsupportedEncoding` for a codec that the kind of file does not take, and the error has the names of
  ///   the codecs that it takes. It is `invalidQuality` for a quality that the codec does not take, and `fileExists` if
  ///   a file has the name and `overwriting` is false.
  public init(
    creating path: String,
    format: PCMFormat,
    codec: AudioCodec? = nil,
    quality: EncodingQuality? = nil,
    overwriting: Bool = true
  ) throws(AudioFileError) {
    try self.init(
      creating: path,
      format: format,
      codec: codec,
      quality: quality,
      overwriting: overwriting,
      frameLimit: nil
    )
  }

  init(
    creating path: String,
    format: PCMFormat,
    codec: AudioCodec?,
    quality: EncodingQuality? = nil,
    overwriting: Bool = true,
    frameLimit: Int?,
    naming waysToName: [TemporaryFile.Naming] = TemporaryFile.Naming.allCases
  ) throws(AudioFileError) {
    guard let container = OutputContainer(path: path) else { throw .unknownExtension(path) }
    let codec = codec ?? container.codecs[0]
    guard container.codecs.contains(codec), let setup = EncoderSetup(codec) else {
      throw .codec(codec, container, path)
    }
    guard let description = container.libsndfileFormat(format, setup) else {
      throw .format(format, codec, container, path)
    }
    var setting: EncodingQuality.Setting?
    do throws(EncodingQuality.Refusal) {
      setting = try quality?.setting(codec, format)
    } catch {
      throw .quality(error, codec, path)
    }
    let file = try TemporaryFile(for: path, overwriting: overwriting, naming: waysToName)
    do {
      encoder = try Encoder(container, format, setup, setting, description, into: file)
    } catch {
      if let systemError = file.failure { throw .writing(path, .system(systemError)) }
      throw .format(format, codec, container, path, underlying: error.report)
    }
    self.path = path
    self.container = container
    self.format = format
    self.codec = codec
    self.frameLimit = frameLimit ?? container.frameLimit(setup, channelCount: format.channelCount)
  }

  /// Appends a buffer's frames.
  ///
  /// Integers round to the nearest step and clip at full scale; values that are not finite numbers become silence.
  ///
  /// - Throws: ``AudioFileError`` with the code `formatMismatch` if the buffer has another rate or number of channels,
  ///   `tooLarge` beyond the 4 GiB of a WAV and the 2 GiB of an AIFF file, `writeFailed` if the disk is full, and
  ///   `alreadyClosed` after ``close()``. A failed write is final: the writer removes the unfinished file, and every
  ///   later call throws the same error.
  public mutating func write<Sample>(_ buffer: PCMBuffer<Sample>) throws(AudioFileError) {
    if let failure { throw failure }
    guard encoder != nil else { throw .closed(path) }
    guard buffer.format.sampleRate == format.sampleRate, buffer.format.channelCount == format.channelCount else {
      throw .mismatch(buffer.format, format, path)
    }
    guard buffer.frameCount <= frameLimit - frameCount else { throw .full(path) }
    let samples = buffer.samples.span
    let blockSize = SampleConversion.blockSize * format.channelCount
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

  /// Finishes the file and gives it its name, and replaces an older file; a second call does nothing.
  ///
  /// - Throws: ``AudioFileError`` with the code `writeFailed`, also after an earlier failed write. The code is
  ///   `fileExists` if another file got the name and `overwriting` is false. After either error the new file is gone,
  ///   and an older one stays.
  public mutating func close() throws(AudioFileError) {
    if let failure { throw failure }
    guard let encoder = encoder.take() else { return }
    do {
      try encoder.close(metadata.kept)
    } catch {
      throw fail(error)
    }
  }

  /// The loops, markers and texts that the kind of file does not hold; ``close()`` leaves them out.
  ///
  /// A position is checked against ``frameCount``: before the last write the list may have loops and markers that the
  /// file then holds.
  public var omissions: [MetadataOmission] { metadata.omissions }

  private var metadata: (kept: Annotations, omissions: [MetadataOmission]) {
    var all = Annotations()
    (all.loops, all.markers, all.tags) = (loops, markers, tags)
    return all.divided(MetadataLimits(container), frameCount: frameCount)
  }

  /// Removes the unfinished file, and keeps the error for later calls.
  private mutating func fail(_ reason: WritingFailure) -> AudioFileError {
    encoder = nil
    let error = AudioFileError.writing(path, reason)
    failure = error
    return error
  }
}
