/// The packets of a file, and the decoded frames that are the sound itself.
///
/// A codec works in packets of many frames. Most codecs put some frames in front that only start up the decoder, and
/// pad the last packet. In the example of the 2011 talk, an AAC sound of 2,205 frames takes five packets of 5,120
/// frames in all: 2,112 of priming, the sound, and 803 of remainder. A number is `nil` if neither the file nor its
/// decoder provides it.
///
/// The Core Audio counterpart is `AudioFilePacketTableInfo`.
public struct PacketTable: Hashable, Sendable {
  /// The number of packets with sound; the number of frames if the file is not compressed.
  public let packetCount: Int?

  /// The number of frames in a packet; `nil` if packets differ.
  public let framesPerPacket: Int?

  /// The number of frames before the sound.
  public let primingFrames: Int?

  /// The number of frames in the sound.
  public internal(set) var validFrames: Int?

  /// The number of frames after the sound.
  public internal(set) var remainderFrames: Int?

  /// The number of frames in all packets.
  public let totalFrames: Int?

  /// The source of the numbers.
  public let source: Source

  init(
    packetCount: Int? = nil,
    framesPerPacket: Int? = nil,
    primingFrames: Int? = nil,
    validFrames: Int? = nil,
    remainderFrames: Int? = nil,
    totalFrames: Int? = nil,
    source: Source = .none
  ) {
    self.packetCount = packetCount
    self.framesPerPacket = framesPerPacket
    self.primingFrames = primingFrames
    self.validFrames = validFrames
    self.remainderFrames = remainderFrames
    self.totalFrames = totalFrames
    self.source = source
  }
}

extension PacketTable {
  /// The part of a file that marks the frames of the sound; later versions may add more.
  public struct Source: Hashable, Sendable, CustomStringConvertible {
    /// The source's name, such as `LAME tag`.
    public let name: String

    /// No source: every decoded frame counts as the sound.
    public static let none = Source(name: "none")

    /// The encoder's tag in the first packet of an MP3.
    public static let lameTag = Source(name: "LAME tag")

    /// The packet table of a CAF file.
    public static let pakt = Source(name: "pakt")

    /// The edit list of an MPEG-4 file.
    public static let editList = Source(name: "edit list")

    /// The comment of iTunes in MPEG-4 files.
    public static let iTunSMPB = Source(name: "iTunSMPB")

    /// The header of an Opus stream, and its last position.
    public static let opusHead = Source(name: "OpusHead")

    /// The positions in an Ogg file.
    public static let granule = Source(name: "granule")

    /// The chunk of a WAV file that counts the frames.
    public static let fact = Source(name: "fact")

    /// The source's ``name``.
    public var description: String { name }
  }

  /// The table of frames without compression, or of packets without priming and remainder.
  static func plain(frames: Int?) -> PacketTable {
    PacketTable(packetCount: frames, framesPerPacket: 1, decoded: frames)
  }

  /// The table of packets whose decoder returns the sound from its first frame on.
  init(packetCount: Int?, framesPerPacket: Int?, decoded: Int?, remainder: Int = 0, source: Source = .none) {
    self.init(
      packetCount: packetCount,
      framesPerPacket: framesPerPacket,
      primingFrames: 0,
      validFrames: decoded.map { $0 - remainder },
      remainderFrames: remainder,
      totalFrames: decoded,
      source: source
    )
  }

  /// The table of packets of one length, with frames at each end that are not the sound.
  ///
  /// The initialiser ignores numbers that do not fit the packets.
  init(packetCount: Int, framesPerPacket: Int, priming: Int?, valid: Int?, source: Source) {
    let (product, overflow) = max(packetCount, 0).multipliedReportingOverflow(by: max(framesPerPacket, 0))
    let total = overflow ? Int.max : product
    let priming = priming.flatMap { (0...total).contains($0) ? $0 : nil }
    let rest = total - (priming ?? 0)
    let claimed = priming == nil ? nil : valid
    let valid = claimed.flatMap { (0...rest).contains($0) ? $0 : nil } ?? rest
    self.init(
      packetCount: packetCount,
      framesPerPacket: framesPerPacket,
      primingFrames: priming,
      validFrames: valid,
      remainderFrames: priming == nil ? nil : rest - valid,
      totalFrames: total,
      source: priming == nil ? .none : source
    )
  }
}

/// Whether a file omits the frames that a codec puts around a sound.
public enum AudioTrimming: Hashable, Sendable {
  /// The sound alone, without priming and remainder, so that a loop has no seam.
  case automatic

  /// All frames of all packets.
  ///
  /// Ogg Vorbis, Opus and the last packet of Apple Lossless are still trimmed: their decoders return nothing else.
  case off
}
