extension MPEGScan {
  /// A packet from which a decoder can start, and the ranges of the packets from it on.
  struct Start: Hashable {
    var packet: Int
    var ranges: [Range<Int>]
  }

  /// The largest number of packets between the start and the target of ``start(forPacket:reading:)``.
  ///
  /// At the lowest bit rates, a packet takes bits from two dozen packets before it.
  static let mostEarlierPackets = 32

  /// The last packet from which a decoder returns the right samples of a target packet.
  ///
  /// Walks from a mark of the index to the target with a function that reads bytes. The sound of a packet overlaps with
  /// the sound of the packet before it, whose own overlap reaches into the packet before that. A packet of layer III
  /// also takes bits from the packets before it, at most 511 bytes of their sound. Without them the decoder is silent,
  /// and the packet behind a silent one may lack bits too, so the start counts the bytes twice.
  func start<Failure>(forPacket target: Int, reading bytes: ByteReading<Failure>) throws(Failure) -> Start {
    let earliest = max(min(target, packetCount) - MPEGScan.mostEarlierPackets, 0)
    let mark = ranges(fromPacket: earliest)
    let start = Start(packet: mark.packet, ranges: mark.ranges)
    guard earliest > 0, let path = try walk(from: start, toPacket: target, reading: bytes) else { return start }
    var index = path.count - MPEGScan.overlap
    var room = header.layer == .layer3 ? 2 * MPEGScan.longestLoan : 0
    while room > 0, index > earliest - start.packet {
      index -= 1
      room -= max(path[index].byteCount - header.sideByteCount - MPEGScan.headSize, 0)
    }
    index = max(index, earliest - start.packet)
    let (offset, range) = (path[index].mark.offset, path[index].mark.range)
    var rest = Array(start.ranges[range...])
    rest[0] = offset..<rest[0].upperBound
    return Start(packet: start.packet + index, ranges: rest)
  }

  /// The number of packets before the target that the decoder has to decode right.
  private static let overlap = 2

  /// The most bytes of earlier packets that a packet uses.
  private static let longestLoan = 511

  /// The number of bytes in a header with its checksum.
  private static let headSize = 6

  /// The number of bytes in a read: a part of the way from a mark to the next.
  private static let readSize = 1 << 14

  /// The packets from a start up to a target; `nil` if the bytes changed since the scan.
  private func walk<Failure>(
    from start: Start,
    toPacket target: Int,
    reading bytes: ByteReading<Failure>
  ) throws(Failure) -> [(mark: Mark, byteCount: Int)]? {
    guard target - start.packet >= MPEGScan.overlap else { return nil }
    var window = ReadingWindow(reading: MPEGScan.readSize)
    var path: [(mark: Mark, byteCount: Int)] = []
    var mark = Mark(offset: start.ranges[0].lowerBound, range: 0)
    guard let word = try window.word(at: mark.offset, bytes) else { return nil }
    var sizes = MPEGPacketSizes(word)
    while path.count < target - start.packet {
      guard let word = try window.word(at: mark.offset, bytes), let byteCount = sizes.byteCount(word),
        byteCount <= start.ranges[mark.range].upperBound - mark.offset
      else { return nil }
      path.append((mark, byteCount))
      mark = Mark(offset: mark.offset + byteCount, range: mark.range)
      if mark.offset == start.ranges[mark.range].upperBound {
        guard mark.range + 1 < start.ranges.count else { break }
        mark = Mark(offset: start.ranges[mark.range + 1].lowerBound, range: mark.range + 1)
      }
    }
    return path.count == target - start.packet ? path : nil
  }
}
