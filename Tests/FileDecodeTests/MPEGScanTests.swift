import Testing

@testable import FileDecode

/// The walk over the packets of an MP3, and what its tag adds.
@Suite struct MPEGScanTests {
  private func scan(_ file: [UInt8], from offset: Int = 0) -> MPEGScan? {
    MPEGScan(from: offset) { Array(file.dropFirst($0).prefix($1)) }
  }

  /// A packet of 96 bytes, at 32 kbit/s and 48 kHz.
  private let small: [UInt8] = [0xFF, 0xFB, 0x14, 0xC0] + [UInt8](repeating: 0, count: 92)

  private func packets(_ count: Int) -> [UInt8] { (0..<count).flatMap { _ in small } }

  /// A first frame with the tag of LAME.
  private func tag(count: Int? = nil, byteCount: Int? = nil, delay: Int = 576, padding: Int = 1_000) -> [UInt8] {
    var content = Array("Info".utf8) + [0, 0, 0, UInt8((count == nil ? 0 : 1) | (byteCount == nil ? 0 : 2))]
    if let count { content += big(UInt64(count), 4) }
    if let byteCount { content += big(UInt64(byteCount), 4) }
    content += Array("LAME3.100".utf8) + [UInt8](repeating: 7, count: 12)
    content += [UInt8(delay >> 4), UInt8(delay & 15) << 4 | UInt8(padding >> 8), UInt8(padding & 0xFF)]
    // 64 kbit/s: a packet of 192 bytes.
    let head: [UInt8] = [0xFF, 0xFB, 0x54, 0xC0] + [UInt8](repeating: 0, count: 17) + content
    return head + [UInt8](repeating: 0, count: 192 - head.count)
  }

  @Test func `Packets in a row are one range, and a gap starts another`() throws {
    let junk = [UInt8](repeating: 0x55, count: 10)
    let file = [1, 2, 3] + packets(3) + junk + packets(2) + junk + packets(65)
    let found = try #require(scan(file, from: 3))
    #expect(found.packetCount == 70)
    #expect(found.ranges == [3..<291, 301..<493, 503..<6_743])
    #expect(found.lastPacket == 6_647..<6_743)
    // The first packet and the 65th: it is the 60th behind the second gap.
    #expect(found.index == [MPEGScan.Mark(offset: 3, range: 0), MPEGScan.Mark(offset: 503 + 59 * 96, range: 2)])
    #expect(found.header == MPEGFrameHeader(small))
    #expect(!found.isCut && !found.endsInPacket && found.tag == nil)
    for (packet, number, ranges) in [
      (-5, 0, found.ranges), (0, 0, found.ranges), (63, 0, found.ranges), (64, 64, [6_167..<6_743]),
      (69, 64, [6_167..<6_743]), (1_000, 64, [6_167..<6_743]),
    ] {
      #expect(found.ranges(fromPacket: packet).packet == number && found.ranges(fromPacket: packet).ranges == ranges)
    }
  }

  @Test func `A packet of another stream is a gap, and so is a packet alone`() throws {
    var other = small
    other[2] = 0x10
    let file = packets(2) + other + small + [0] + packets(2)
    // Behind the gap the search takes two packets in a row.
    #expect(try #require(scan(file)).ranges == [0..<192, 385..<577])
    #expect(scan([]) == nil && scan([0xFF, 0xFB, 0x14]) == nil && scan([0] + packets(2)) == nil)
    #expect(scan(Array(small.dropLast())) == nil)
    #expect(try #require(scan(tag())).packetCount == 0)
  }

  @Test func `A file that ends within a packet is cut`() throws {
    for missing in 1...95 {
      let found = try #require(scan(Array(packets(3).dropLast(missing))))
      #expect(found.packetCount == 2 && found.isCut == (missing <= 92), "\(missing)")
      #expect(found.endsInPacket == (missing <= 92))
    }
    #expect(try #require(scan(packets(3))).endsInPacket == false)
  }

  @Test(
    arguments: [
      1, 2, 95, 65_436, 65_437, 65_438, 65_439, 65_440, 65_441, 65_442, 65_532, 65_533, 65_534, 65_535, 65_536, 131_066,
      131_067,
    ]
  )
  func `Two packets behind a gap of any length are found`(count: Int) throws {
    let file = packets(2) + [UInt8](repeating: 0, count: count) + packets(2)
    let found = try #require(scan(file))
    #expect(found.packetCount == 4)
    #expect(found.ranges == [0..<192, 192 + count..<384 + count])
  }

  @Test func `The search ends behind a megabyte, and at the thousandth range`() throws {
    let far = packets(2) + [UInt8](repeating: 0, count: 1 << 20 + 1 << 16) + packets(2)
    #expect(try #require(scan(far)).packetCount == 2)
    let split = (0..<1_001).flatMap { _ -> [UInt8] in packets(2) + [0] }
    let found = try #require(scan(split))
    #expect(found.ranges.count == 1_000 && found.packetCount == 2_000)
    #expect(try #require(scan(Array(split.dropFirst(193)))).packetCount == 2_000)
    #expect(try #require(scan(Array(split.dropFirst(386)))).packetCount == 1_998)
  }

  @Test func `A false sync between packets is passed over`() throws {
    for junk in [[0xFF, 0xFB], [0xFF, 0xFB, 0x14, 0xC0], [0xFF, 0xE0, 0, 0], [0, 0xFF]] as [[UInt8]] {
      let found = try #require(scan(packets(2) + [0] + junk + packets(2)))
      #expect(found.packetCount == 4, "\(junk)")
      #expect(found.ranges.last == 193 + junk.count..<385 + junk.count)
    }
  }

  // MARK: The tag

  @Test func `The tag's frame is no packet, and its gap trims the sound`() throws {
    let found = try #require(scan(tag(delay: 576, padding: 1_000) + packets(4)))
    #expect(found.packetCount == 4 && found.ranges == [192..<576] && found.tag?.encoderDelay == 576)
    #expect(found.header == MPEGFrameHeader(small))
    // The delay of a decoder is 529 frames: behind the sound, and taken from the padding.
    let table = found.table
    #expect(table.primingFrames == 1_105 && table.remainderFrames == 471 && table.validFrames == 4 * 1_152 - 1_576)
    #expect(table.packetCount == 4 && table.framesPerPacket == 1_152 && table.source == .lameTag)
    for (padding, remainder) in [(528, 0), (529, 0), (530, 1), (0, 0), (4_095, 3_566)] {
      let table = try #require(scan(tag(delay: 0, padding: padding) + packets(5))).table
      #expect(table.primingFrames == 529 && table.remainderFrames == remainder)
      #expect(table.validFrames == 5 * 1_152 - 529 - remainder)
    }
    let plain = try #require(scan(packets(4))).table
    #expect(plain == PacketTable(packetCount: 4, framesPerPacket: 1_152, priming: nil, valid: nil, source: .none))
  }

  @Test func `A file with fewer packets and fewer bytes than its tag counts is cut`() throws {
    // The tag counts the bytes from itself on; the file has 192 and four times 96, behind two others.
    let size = 192 + 4 * 96
    let cases: [(count: Int?, byteCount: Int?, isCut: Bool)] = [
      (4, size, false), (5, size + 1, false), (6, size + 1, true), (6, size, false), (6, size - 1, false),
      (6, nil, true),
      (5, nil, false), (nil, size + 1_000, false), (3, size + 1, false), (100, size + 1, true),
    ]
    for (count, byteCount, isCut) in cases {
      let file = [9, 9] + tag(count: count, byteCount: byteCount, padding: 529) + packets(4)
      let found = try #require(scan(file, from: 2))
      #expect(found.isCut == isCut, "\(String(describing: count)), \(String(describing: byteCount))")
      #expect(!found.endsInPacket)
      // Nothing is known about the end of a cut sound.
      #expect(found.table.remainderFrames == 0 && found.table.validFrames == 4 * 1_152 - 1_105)
    }
    let padded = try #require(scan(tag(count: 100, padding: 1_000) + packets(4)))
    #expect(padded.table.validFrames == 4 * 1_152 - 1_105 && padded.table.remainderFrames == 0)
    #expect(try #require(scan(tag(count: 6, byteCount: 1_000))).isCut)
  }
}
