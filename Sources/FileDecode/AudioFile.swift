internal import AudioSupport

/// A sound file for reading: WAV, AIFF, CAF, FLAC, Ogg Vorbis, Opus, MP3, M4A or AU.
///
/// The content of a file determines its kind; its name does not matter. Samples are `Float`, full scale at ±1; a value
/// that is not a finite number becomes silence. Vorbis and Opus surround comes in WAVE order. Channels of every other
/// format come in the file's order. They have the layout `ChannelLayout.discrete(_:)` if the header names an order or
/// positions that no layout has.
///
/// The file stays open until the program drops the value. Every method can be called from any thread; calls on one file
/// wait for each other, and files are read in parallel. Only one file of the process opens at a time, because
/// libsndfile keeps the reason of a refusal in a global variable.
///
/// Some files are several in a row, such as chained Ogg streams or joined tagged MP3s. The first of them is read, and
/// ``isTruncated`` is false.
///
/// The corresponding C library is libsndfile.
public struct AudioFile: ~Copyable, Sendable {
  /// The path from the initialiser.
  public let path: String

  /// The rate and the channels of the frames that the file returns: the file's own, unless the initialiser asked for
  /// others.
  public let format: PCMFormat

  /// The rate and the channels in the file.
  public let storedFormat: PCMFormat

  /// The number of frames to read, or `nil` if the header lacks it or claims more than the file can hold.
  ///
  /// It is unknown in FLAC files from a pipe and in Ogg files without their end. A damaged file may hold fewer: see
  /// ``isTruncated``.
  public let frameCount: Int?

  /// Whether the file stores samples of 16 bits or fewer, or in an encoding with such output, for example ADPCM.
  ///
  /// ``readAll(as:)`` with `Int16` then loses nothing. The value is `false` if the file converts its rate or channels.
  public let isExactAsInt16: Bool

  /// The kind of the file.
  public let container: AudioContainer

  /// The codec or sample type of the file.
  public let codec: AudioCodec

  /// The bits of a sample in the file; `nil` for a codec that stores no samples, such as Vorbis, MP3 or ADPCM.
  ///
  /// A `Float` holds all values of 24 bits.
  public let bitDepth: Int?

  let decoder: Lock<ClientDecoder>

  /// Opens a file and reads its header.
  ///
  /// Reads the file system, and waits for other threads that open a file: call it off the thread that draws. A path is
  /// Unicode text; it cannot name a file whose name is not valid UTF-8. By default the file omits the frames that a
  /// codec puts around the sound.
  ///
  /// In most files the initialiser reads only the start and the metadata. A bare stream of MP3, MP2 or AAC has no list
  /// of its packets, so the initialiser walks through the whole stream. An hour of music at 128 kbit/s takes some 60 ms
  /// if the system holds it in memory, and otherwise as long as the disk takes to read it.
  ///
  /// - Throws: ``AudioFileError`` if the path leads to no regular file, or if the content cannot be decoded, such as
  ///   HE-AAC. If the package's trait `LibAVCodec` is off, an AAC file still opens for its metadata; reading it throws
  ///   the code `traitNeeded`.
  public init(
    opening path: String,
    in client: ClientFormat = .asStored,
    trimming: AudioTrimming = .automatic
  ) throws(AudioFileError) {
    try self.init(ByteSource(opening: path), in: client, trimming: trimming, path: path)
  }

  /// Opens a file whose bytes are in memory, such as a resource of a program.
  ///
  /// Keeps the array, without a copy. ``path`` is the given name, and errors use it.
  ///
  /// - Throws: ``AudioFileError`` if there are no bytes, or if they cannot be decoded.
  public init(
    bytes: [UInt8],
    name: String = "The sound in memory",
    in client: ClientFormat = .asStored,
    trimming: AudioTrimming = .automatic
  ) throws(AudioFileError) {
    try self.init(ByteSource(bytes, path: name), in: client, trimming: trimming, path: name)
  }

  /// Opens a file whose bytes come from a reader, such as a file in an archive.
  ///
  /// ``path`` is the given name, and errors use it.
  ///
  /// - Throws: ``AudioFileError`` if there are no bytes, if the reader throws, or if the bytes cannot be decoded.
  public init(
    reading reader: any AudioByteReader,
    name: String = "The sound of a reader",
    in client: ClientFormat = .asStored,
    trimming: AudioTrimming = .automatic
  ) throws(AudioFileError) {
    try self.init(ByteSource(reader, path: name), in: client, trimming: trimming, path: name)
  }

  init(
    _ source: ByteSource,
    in client: ClientFormat = .asStored,
    trimming: AudioTrimming = .automatic,
    path: String
  ) throws(AudioFileError) {
    let decoder = try ClientDecoder(Decoder(source, trimming: trimming, path: path), in: client)
    storedFormat = decoder.decoder.stream.format
    container = decoder.decoder.stream.plan.signature.container.kind
    codec = decoder.decoder.stream.codec
    bitDepth = decoder.decoder.stream.subFormat?.bitDepth
    self.path = path
    format = decoder.format
    frameCount = decoder.frameCount
    isExactAsInt16 = decoder.isExactAsInt16
    self.decoder = Lock(decoder)
  }

  /// The packets of the file, and the frames of them that are the sound.
  ///
  /// For an Ogg file the first call counts the packets: it reads the file once. If the system fails at this, the
  /// numbers are `nil`, and the next call counts again.
  public var packetTable: PacketTable {
    decoder.withLock { $0.decoder.packetTable() }
  }

  /// Whether the file is known to hold less than it should: it was cut, or is damaged.
  ///
  /// Some files show it when they open, others only after a read to the end. The file still delivers all decodable
  /// frames; a damaged packet of AAC becomes silence. An MP3 without an encoder's tag shows neither a missing start nor
  /// missing whole frames.
  public var isTruncated: Bool {
    decoder.withLock { $0.decoder.isTruncated }
  }

  func withDecoder<Result>(
    _ body: (inout ClientDecoder) throws(AudioFileError) -> Result
  ) throws(AudioFileError) -> Result {
    try decoder.withLock { (decoder) throws(AudioFileError) in try body(&decoder) }
  }
}
