/// The packets of a bare AAC stream.
struct ADTSScan: Hashable, Sendable {
  let sampleRate: Int
  let channelCount: Int

  /// The byte range of each packet, called a block in the standard.
  ///
  /// A packet has its own header in front, or shares the header of the packet before it; then its range is empty.
  private(set) var packets: [Range<Int>] = []

  /// Whether the file ends within a packet.
  private(set) var isCut = false

  /// Whether checksums stand between blocks with a common header, where libavcodec expects none.
  private(set) var hasHiddenBlocks = false

  /// The number of frames in a packet.
  static let framesPerPacket = 1_024

  /// Walks the packets from an offset with a function that reads bytes, fewer at the end of the file.
  ///
  /// The result is `nil` if the offset has no packet.
  init?<Failure>(from offset: Int, reading bytes: ByteReading<Failure>) throws(Failure) {
    var window = ReadingWindow()
    let head = Array(try window.bytes(at: offset, count: Header.size, bytes))
    guard Header(head) != nil, AACConfiguration.sampleRates.indices.contains(Int(head[2] >> 2 & 15)) else {
      return nil
    }
    sampleRate = AACConfiguration.sampleRates[Int(head[2] >> 2 & 15)]
    channelCount = AACConfiguration.channelCount(Int(head[2] & 1) << 2 | Int(head[3] >> 6)) ?? 2
    var place = offset
    while let header = Header(Array(try window.bytes(at: place, count: Header.size, bytes))) {
      guard try window.bytes(at: place + header.byteCount - 1, count: 1, bytes).count == 1 else {
        isCut = true
        break
      }
      if header.hasChecksum, header.blockCount > 1 { hasHiddenBlocks = true }
      let end = place + header.byteCount
      packets.append(place..<end)
      packets.append(contentsOf: repeatElement(end..<end, count: header.blockCount - 1))
      place = end
    }
  }

  /// The header of one or more blocks.
  struct Header {
    /// The number of bytes in the blocks, header included.
    let byteCount: Int
    let blockCount: Int
    let hasChecksum: Bool

    static let size = 7

    /// The fewest bytes that a block of silence takes.
    private static let leastBlock = 3

    /// Parses a header; `nil` for other bytes.
    init?(_ head: [UInt8]) {
      // Twelve bits of sync, then a layer of 0, which MPEG audio does not have.
      guard head.count == Header.size, head[0] == 0xFF, head[1] & 0xF6 == 0xF0 else { return nil }
      byteCount = Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5]) >> 5
      guard byteCount >= Header.size else { return nil }
      hasChecksum = head[1] & 1 == 0
      // A damaged header may claim more blocks than have room.
      blockCount = max(min(Int(head[6] & 3) + 1, (byteCount - Header.size) / Header.leastBlock), 1)
    }
  }

  /// The packet table; the stream has no numbers for its ends.
  var table: PacketTable {
    PacketTable(
      packetCount: packets.count,
      framesPerPacket: ADTSScan.framesPerPacket,
      priming: nil,
      valid: nil,
      source: .none
    )
  }
}
