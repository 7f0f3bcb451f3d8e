/// A sound file that is read: WAV, AIFF, CAF, FLAC, Ogg Vorbis, Opus, MP3, M4A or AU.
///
/// What a file is, is told from its content and never from its name. Samples come as `Float`, full scale at ±1; a value
/// that is not a finite number comes as silence. Vorbis and Opus surround comes in WAVE order; channels come as the
/// file has them from every other format, and as `ChannelLayout.discrete(_:)` where its header names another order or
/// other places than those of a layout.
///
/// The file stays open until the value is dropped. Every method can be called from any thread; calls on one file wait for
/// each other, and files are read in parallel. Opening takes turns in the whole process, because libsndfile keeps the
/// reason of a refusal in one place.
///
/// Of a file that is several in a row, as chained Ogg streams or tagged MP3s that were put together, the first is read,
/// and ``isTruncated`` is false.
///
/// The corresponding C library is libsndfile.
public struct AudioFile: ~Copyable, Sendable {
  /// The path that the file was opened with.
  public let path: String

  /// The rate and the channels of what is read: those of the file, unless others were asked for.
  public let format: PCMFormat

  /// The rate and the channels that the file has.
  public let storedFormat: PCMFormat

  /// How many frames there are to read, or `nil` where its header does not say so or claims more than the file can hold.
  ///
  /// Unknown in FLAC files that were written to a pipe and in Ogg files that were cut. A damaged file may hold fewer: see ``isTruncated``.
  public let frameCount: Int?

  /// Whether the file stores samples of 16 bits or fewer, or an encoding that decodes to them, as ADPCM does.
  ///
  /// ``readAll(as:)`` with `Int16` then loses nothing.
  public let isExactAsInt16: Bool

  /// The kind of the file.
  public let container: AudioContainer

  /// How the samples are stored.
  public let codec: AudioCodec

  let decoder: Lock<ClientDecoder>

  /// Opens a file and reads its header.
  ///
  /// Reads the file system, and waits for other threads that open a file: do it off the thread that draws. A path is
  /// Unicode text; a file whose name is not valid UTF-8 cannot be named. The frames that a codec puts around the sound are
  /// left out, unless said otherwise.
  ///
  /// Of most files only the start and what is said of the sound is read. A bare stream of MP3, MP2 or AAC does not say where its
  /// packets are: all of it is walked through, which takes some 60 ms for an hour of music at 128 kbit/s that the system holds in
  /// memory, and else as long as the disk takes to read it.
  ///
  /// - Throws: ``AudioFileError`` where the path leads to no regular file, or the file to nothing that can be decoded, such as
  ///   HE-AAC. A file of AAC opens also where the package's trait `AAC` is off, for what it says about itself; reading it
  ///   then throws the code `traitNeeded`.
  public init(
    opening path: String,
    in client: ClientFormat = .asStored,
    trimming: AudioTrimming = .automatic
  ) throws(AudioFileError) {
    try self.init(ByteSource(opening: path), in: client, trimming: trimming, path: path)
  }

  /// A file whose bytes are in memory, such as a resource of a program.
  ///
  /// Keeps the array, without a copy. Errors call the file by the name that is given; ``path`` is that name.
  ///
  /// - Throws: ``AudioFileError`` where there are no bytes, or none that can be decoded.
  public init(
    bytes: [UInt8],
    name: String = "The sound in memory",
    in client: ClientFormat = .asStored,
    trimming: AudioTrimming = .automatic
  ) throws(AudioFileError) {
    try self.init(ByteSource(bytes, path: name), in: client, trimming: trimming, path: name)
  }

  /// A file whose bytes a reader delivers, such as one in an archive.
  ///
  /// Errors call the file by the name that is given; ``path`` is that name.
  ///
  /// - Throws: ``AudioFileError`` where there are no bytes, where the reader throws, or where nothing can be decoded.
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
    self.path = path
    format = decoder.format
    frameCount = decoder.frameCount
    isExactAsInt16 = decoder.isExactAsInt16
    self.decoder = Lock(decoder)
  }

  /// How the file divides its sound into packets, and which frames are the sound.
  ///
  /// Of an Ogg file it has to be counted, by reading the file once at the first call. Where the system fails at that, the numbers
  /// are `nil`, and counted again at the next call.
  public var packetTable: PacketTable {
    decoder.withLock { $0.decoder.packetTable() }
  }

  /// Whether the file is known to hold less than it should: it was cut, or is damaged.
  ///
  /// Some files show it when they are opened, others only once they have been read to the end. What could be decoded is
  /// delivered all the same; for a damaged packet of AAC comes silence. An MP3 without an encoder's tag shows neither a missing
  /// start nor missing whole frames.
  public var isTruncated: Bool {
    decoder.withLock { $0.decoder.isTruncated }
  }

  func withDecoder<Result>(
    _ body: (inout ClientDecoder) throws(AudioFileError) -> Result
  ) throws(AudioFileError) -> Result {
    try decoder.withLock { (decoder) throws(AudioFileError) in try body(&decoder) }
  }
}
