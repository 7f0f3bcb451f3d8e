/// How a file divides its sound into packets, and which of the decoded frames are the sound itself.
///
/// A codec works in packets of many frames, and most put some in front that only start up the decoder, and fill the last
/// packet. Of the example of the 2011 talk, 2,205 frames of AAC, five packets hold 5,120: 2,112 of priming, the sound,
/// and 803 of remainder. A number is `nil` where the file does not say and nothing else does.
///
/// The Core Audio counterpart is `AudioFilePacketTableInfo`.
public struct PacketTable: Hashable, Sendable {
  /// How many packets hold the sound; the frames themselves where they are not compressed.
  public let packetCount: Int?

  /// How many frames a packet decodes to; `nil` where packets differ.
  public let framesPerPacket: Int?

  /// How many frames come before the sound.
  public let primingFrames: Int?

  /// How many frames the sound has.
  public internal(set) var validFrames: Int?

  /// How many frames come after the sound.
  public internal(set) var remainderFrames: Int?

  /// How many frames all packets decode to.
  public let totalFrames: Int?

  /// Where the numbers come from.
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
  /// Where a file says which frames are the sound; new places may be added.
  public struct Source: Hashable, Sendable, CustomStringConvertible {
    /// The place's name, such as `LAME tag`.
    public let name: String

    /// Nowhere: every decoded frame counts as the sound.
    public static let none = Source(name: "none")

    /// The encoder's tag in the first packet of an MP3.
    public static let lameTag = Source(name: "LAME tag")

    /// The packet table of a CAF file.
    public static let pakt = Source(name: "pakt")

    /// The edit list of an MPEG-4 file.
    public static let editList = Source(name: "edit list")

    /// The comment that iTunes writes to MPEG-4 files.
    public static let iTunSMPB = Source(name: "iTunSMPB")

    /// The header of an Opus stream, and its last position.
    public static let opusHead = Source(name: "OpusHead")

    /// The positions in an Ogg file.
    public static let granule = Source(name: "granule")

    /// The chunk of a WAV file that counts the frames.
    public static let fact = Source(name: "fact")

    /// The place's ``name``.
    public var description: String { name }
  }

  /// Frames that are not compressed, or packets without a beginning and an end of their own.
  static func plain(frames: Int?) -> PacketTable {
    PacketTable(
      packetCount: frames,
      framesPerPacket: 1,
      primingFrames: 0,
      validFrames: frames,
      remainderFrames: 0,
      totalFrames: frames
    )
  }

  /// Packets of one length, of which a number of frames at each end are not the sound.
  ///
  /// The numbers are believed only as far as they fit the packets.
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
