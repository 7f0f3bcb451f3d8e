/// The packets of an MPEG audio stream, according to their own headers.
///
/// The counts in a tag are often wrong, and the bytes between packets are no sound. The walk from header to header
/// counts the actual packets.
struct MPEGScan: Hashable, Sendable {
  /// The header of the first packet with sound.
  private(set) var header: MPEGFrameHeader

  /// The encoder's tag in front, if there is one.
  private(set) var tag: MPEGTag?

  /// The number of packets with sound.
  private(set) var packetCount = 0

  /// The byte ranges of the packets: parts of the file with nothing but whole packets.
  private(set) var ranges: [Range<Int>] = []

  /// The byte range of the last packet.
  private(set) var lastPacket = 0..<0

  /// The start of every 64th packet: the offset in the file, and the index of its range.
  private(set) var index: [Mark] = []

  /// The offset of the stream, its tag included.
  private let offset: Int

  /// Whether the file ends within a packet.
  private(set) var endsInPacket = false

  struct Mark: Hashable, Sendable {
    let offset: Int
    let range: Int
  }

  /// The number of packets from one mark to the next.
  static let stride = 64

  /// The largest number of gaps; no encoder writes a file with more.
  private static let gapLimit = 1_000

  /// The number of bytes behind a gap in which the walk searches the next packet.
  private static let searchLimit = 1 << 20

  /// Walks the packets from an offset with a function that reads bytes, fewer at the end of the file.
  ///
  /// The result is `nil` if there is no packet.
  init?<Failure>(from offset: Int, reading bytes: ByteReading<Failure>) throws(Failure) {
    var window = ReadingWindow()
    let start = try window.bytes(at: offset, count: MPEGScan.firstFrameSize, bytes)
    guard let first = MPEGFrameHeader(start) else { return nil }
    header = first
    self.offset = offset
    tag = MPEGTag(Array(start))
    var place = offset
    if tag != nil { place += first.byteCount }
    var sizes = MPEGPacketSizes(UInt32(truncatingIfNeeded: Int(bytes: start.prefix(4), isBigEndian: true)))
    while true {
      let head = try window.word(at: place, bytes)
      guard let head, let byteCount = sizes.byteCount(head) else {
        guard let next = try MPEGScan.nextPacket(behind: place, like: first, &window, bytes),
          ranges.count < MPEGScan.gapLimit
        else { break }
        place = next
        continue
      }
      // An incomplete packet at the end of the file does not count.
      guard try window.hasByte(at: place + byteCount - 1, bytes) else {
        endsInPacket = true
        break
      }
      if packetCount == 0, let found = MPEGFrameHeader(bigEndian(Int(head), 4)) { header = found }
      append(place..<place + byteCount)
      place += byteCount
    }
    if packetCount == 0, tag == nil { return nil }
  }

  private mutating func append(_ packet: Range<Int>) {
    if ranges.last?.upperBound == packet.lowerBound {
      ranges[ranges.count - 1] = ranges[ranges.count - 1].lowerBound..<packet.upperBound
    } else {
      ranges.append(packet)
    }
    if packetCount % MPEGScan.stride == 0 { index.append(Mark(offset: packet.lowerBound, range: ranges.count - 1)) }
    packetCount += 1
    lastPacket = packet
  }

  /// Enough for the longest frame.
  static let firstFrameSize = 4_096

  /// The next position of two consecutive packets of the stream.
  private static func nextPacket<Failure>(
    behind place: Int,
    like first: MPEGFrameHeader,
    _ window: inout ReadingWindow,
    _ bytes: ByteReading<Failure>
  ) throws(Failure) -> Int? {
    var candidate = place + 1
    while candidate < place + searchLimit {
      let block = Array(try window.bytes(at: candidate, count: ReadingWindow.size, bytes))
      guard block.count >= 4 else { return nil }
      for index in 0..<block.count - 3 where block[index] == 0xFF && block[index + 1] & 0xE0 == 0xE0 {
        guard let found = MPEGFrameHeader(block[index...]), found.isSameStream(as: first) else { continue }
        let next = index + found.byteCount
        let behind = next + 4 <= block.count ? Array(block[next..<next + 4]) : try bytes(candidate + next, 4)
        if let second = MPEGFrameHeader(behind), second.isSameStream(as: first) { return candidate + index }
      }
      candidate += block.count - 3
    }
    return nil
  }
}

extension MPEGScan {
  /// The packet table: the tag's numbers, if they fit the packets in the file.
  var table: PacketTable {
    let size = header.framesPerPacket
    guard let delay = tag?.encoderDelay, let padding = tag?.encoderPadding, header.layer == .layer3 else {
      return PacketTable(packetCount: packetCount, framesPerPacket: size, priming: nil, valid: nil, source: .none)
    }
    let priming = delay + MPEGTag.decoderDelay
    let remainder = max(padding - MPEGTag.decoderDelay, 0)
    let valid = packetCount * size - priming - remainder
    return PacketTable(
      packetCount: packetCount,
      framesPerPacket: size,
      priming: priming,
      valid: isCut ? nil : valid,
      source: .lameTag
    )
  }

  /// Whether the file was cut: it ends with half a packet, or lacks packets.
  var isCut: Bool { endsInPacket || lacksPackets }

  /// Whether the tag counts more packets and more bytes than the file has; a count alone may be wrong.
  ///
  /// A difference of one packet means nothing: some programs count the tag itself.
  private var lacksPackets: Bool {
    guard let tag, let count = tag.packetCount, packetCount + 1 < count else { return false }
    guard let byteCount = tag.byteCount, let end = ranges.last?.upperBound else { return true }
    return end - offset < byteCount
  }

  /// The ranges from the last mark at or before a packet, and the number of the first packet in them.
  func ranges(fromPacket packet: Int) -> (packet: Int, ranges: [Range<Int>]) {
    guard !index.isEmpty else { return (0, ranges) }
    let number = min(max(packet, 0) / MPEGScan.stride, index.count - 1)
    let mark = index[number]
    var rest = Array(ranges[mark.range...])
    rest[0] = mark.offset..<rest[0].upperBound
    return (number * MPEGScan.stride, rest)
  }
}
