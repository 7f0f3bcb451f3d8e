import TestSupport
import Testing

@testable import FileDecode

/// The packet at which a decoder of MPEG audio starts for a seek, and the sizes of packets.
@Suite struct MPEGStartTests {
  /// A packet of 96 bytes, at 32 kbit/s and 48 kHz in mono: 73 bytes behind its header, its checksum and its side data.
  private let small: [UInt8] = [0xFF, 0xFB, 0x14, 0xC0] + [UInt8](repeating: 0, count: 92)

  /// A packet of 960 bytes, at 320 kbit/s.
  private let large: [UInt8] = [0xFF, 0xFB, 0xE4, 0xC0] + [UInt8](repeating: 0, count: 956)

  private func start(_ file: [UInt8], packet: Int, changed: [UInt8]? = nil) throws -> MPEGScan.Start {
    let found = try #require(MPEGScan(from: 0) { Array(file.dropFirst($0).prefix($1)) })
    return found.start(forPacket: packet) { Array((changed ?? file).dropFirst($0).prefix($1)) }
  }

  private func packets(_ count: Int, _ packet: [UInt8]) -> [UInt8] { (0..<count).flatMap { _ in packet } }

  @Test func `A decoder starts where twice the bytes that a packet may borrow precede the two packets of the overlap`()
    throws
  {
    let file = packets(200, small)
    // Fourteen packets have 1,022 bytes or more.
    for (packet, first) in [(199, 183), (100, 84), (128, 112), (33, 17), (200, 184)] {
      #expect(try start(file, packet: packet) == MPEGScan.Start(packet: first, ranges: [first * 96..<19_200]))
    }
    for packet in [-1, 0, 1, 20, 32] {
      #expect(try start(file, packet: packet) == MPEGScan.Start(packet: 0, ranges: [0..<19_200]))
    }
    // Two packets of 937 bytes are enough.
    #expect(try start(packets(100, large), packet: 80).packet == 76)
    #expect(try start(packets(70, small) + packets(30, large), packet: 72).packet == 56)
    #expect(try start(packets(70, small) + packets(30, large), packet: 73).packet == 68)
  }

  @Test func `A decoder starts at most 32 packets in front of its target`() throws {
    // 24 bytes at 8 kbit/s and 24 kHz in mono: 9 bytes behind the header, the checksum and the side data.
    let tiny: [UInt8] = [0xFF, 0xF3, 0x14, 0xC0] + [UInt8](repeating: 0, count: 20)
    #expect(try start(packets(200, tiny), packet: 150) == MPEGScan.Start(packet: 118, ranges: [118 * 24..<4_800]))
    #expect(MPEGScan.mostEarlierPackets == 32)
  }

  @Test func `A packet of layer II borrows nothing`() throws {
    let packet: [UInt8] = [0xFF, 0xFD, 0x14, 0xC0] + [UInt8](repeating: 0, count: 92)
    #expect(try start(packets(100, packet), packet: 90).packet == 88)
  }

  @Test func `A start behind a gap has the rest of its range and the ranges behind it`() throws {
    let junk = [UInt8](repeating: 0x55, count: 10)
    let file = packets(90, small) + junk + packets(40, small) + junk + packets(20, small)
    let (second, third) = (90 * 96 + 10, 130 * 96 + 20)
    for (packet, first, ranges) in [
      (104, 88, [88 * 96..<90 * 96, second..<second + 40 * 96, third..<third + 20 * 96]),
      (106, 90, [second..<second + 40 * 96, third..<third + 20 * 96]),
      (148, 132, [third + 2 * 96..<third + 20 * 96]),
    ] as [(Int, Int, [Range<Int>])] {
      #expect(try start(file, packet: packet) == MPEGScan.Start(packet: first, ranges: ranges), "\(packet)")
    }
  }

  @Test func `A file that changed, or a packet behind the last, starts at a mark of the index`() throws {
    let file = packets(200, small)
    let mark = MPEGScan.Start(packet: 64, ranges: [64 * 96..<19_200])
    var changed = file
    for (place, byte) in [(64 * 96, UInt8(0)), (90 * 96 + 1, 0xF3), (70 * 96 + 2, 0x18)] {
      changed = file
      changed[place] = byte
      #expect(try start(file, packet: 100, changed: changed).packet == 64, "\(place)")
    }
    #expect(try start(file, packet: 100, changed: []) == mark)
    #expect(try start(file, packet: 100, changed: Array(file.prefix(80 * 96))) == mark)
    #expect(try start(file, packet: 1_000).packet == 128)
  }

  @Test func `The sizes of packets are the sizes of their headers`() {
    var generator = SplitMix64(seed: 4)
    for first: UInt32 in [0xFFFB_14C0, 0xFFF3_8000, 0xFFE3_1800, 0xFFFD_E800, 0xFFFF_E000] {
      guard let stream = MPEGFrameHeader(bigEndian(Int(first), 4)) else { continue }
      var sizes = MPEGPacketSizes(first)
      for round in 0..<4_000 {
        let random = UInt32.random(in: 0 ... .max, using: &generator)
        // Half of the words differ in the lower bits only.
        let word = round.isMultiple(of: 2) ? random : first & 0xFFFF_0000 | random & 0xFFFF
        let found = MPEGFrameHeader(bigEndian(Int(word), 4))
        let expected = found.flatMap { $0.isSameStream(as: stream) ? $0.byteCount : nil }
        #expect(sizes.byteCount(word) == expected, "\(word)")
      }
    }
  }
}
