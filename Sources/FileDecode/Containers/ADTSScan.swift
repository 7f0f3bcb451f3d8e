/// Where the packets of a bare AAC stream lie.
struct ADTSScan: Hashable, Sendable {
  let sampleRate: Int
  let channelCount: Int

  /// Where each packet lies, which the standard calls a block: with a header in front, or without bytes of its own where it
  /// shares the header of the packet before it.
  private(set) var packets: [Range<Int>] = []

  /// Whether the file ends within a packet.
  private(set) var isCut = false

  /// Whether checksums stand between blocks that share a header, where their decoder does not expect any.
  let hasHiddenBlocks: Bool

  /// How many frames a packet decodes to.
  static let framesPerPacket = 1_024

  /// Walks the packets from an offset with a function that reads bytes, fewer where the file ends; `nil` where there is none.
  init?<Failure>(
    from offset: Int,
    reading bytes: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) throws(Failure) {
    var window = ReadingWindow()
    let head = Array(try window.bytes(at: offset, count: Header.size, bytes))
    guard let first = Header(head), AACConfiguration.sampleRates.indices.contains(Int(head[2] >> 2 & 15)) else {
      return nil
    }
    sampleRate = AACConfiguration.sampleRates[Int(head[2] >> 2 & 15)]
    channelCount = AACConfiguration.channelCount(Int(head[2] & 1) << 2 | Int(head[3] >> 6)) ?? 2
    hasHiddenBlocks = first.hasChecksum && first.blockCount > 1
    var place = offset
    while let header = Header(Array(try window.bytes(at: place, count: Header.size, bytes))) {
      guard try window.bytes(at: place + header.byteCount - 1, count: 1, bytes).count == 1 else {
        isCut = true
        break
      }
      let end = place + header.byteCount
      packets.append(place..<end)
      packets.append(contentsOf: repeatElement(end..<end, count: header.blockCount - 1))
      place = end
    }
  }

  /// What stands in front of one or more blocks.
  private struct Header {
    /// How many bytes there are, header included.
    let byteCount: Int
    let blockCount: Int
    let hasChecksum: Bool

    static let size = 7

    /// The fewest bytes that a block of silence takes.
    private static let leastBlock = 3

    /// `nil` where bytes are no header.
    init?(_ head: [UInt8]) {
      guard head.count == Header.size, head[0] == 0xFF, head[1] & 0xF6 == 0xF0 else { return nil }
      byteCount = Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5]) >> 5
      guard byteCount >= Header.size else { return nil }
      hasChecksum = head[1] & 1 == 0
      // No more than there is room for, whatever a damaged header says.
      blockCount = max(min(Int(head[6] & 3) + 1, (byteCount - Header.size) / Header.leastBlock), 1)
    }
  }

  /// The numbers of the stream, which has none for its ends.
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
