/// Where the packets of a bare AAC stream lie.
struct ADTSScan: Hashable, Sendable {
  let sampleRate: Int
  let channelCount: Int
  private(set) var packets: [Range<Int>] = []

  /// Whether the file ends within a packet.
  private(set) var isCut = false

  /// How many frames a packet decodes to.
  static let framesPerPacket = 1_024

  /// Walks the packets from an offset with a function that reads bytes, fewer where the file ends; `nil` where there is none.
  init?<Failure>(
    from offset: Int,
    reading bytes: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) throws(Failure) {
    let head = try bytes(offset, 7)
    guard head.count == 7, ADTSScan.byteCount(head) != nil,
      AACConfiguration.sampleRates.indices.contains(Int(head[2] >> 2 & 15))
    else { return nil }
    sampleRate = AACConfiguration.sampleRates[Int(head[2] >> 2 & 15)]
    channelCount = AACConfiguration.channelCount(Int(head[2] & 1) << 2 | Int(head[3] >> 6)) ?? 2
    var place = offset
    var block: [UInt8] = []
    var start = 0
    while true {
      if place + 7 > start + block.count {
        block = try bytes(place, 1 << 16)
        start = place
      }
      guard block.count - (place - start) >= 7,
        let size = ADTSScan.byteCount(Array(block[(place - start)..<(place - start + 7)]))
      else { break }
      guard try bytes(place + size - 1, 1).count == 1 else {
        isCut = true
        break
      }
      packets.append(place..<place + size)
      place += size
    }
  }

  /// How many bytes a packet has, header included; `nil` where bytes are no header.
  private static func byteCount(_ head: [UInt8]) -> Int? {
    guard head[0] == 0xFF, head[1] & 0xF6 == 0xF0 else { return nil }
    let size = Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5]) >> 5
    return size >= 7 ? size : nil
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
