import Testing

@testable import FileDecode

/// The fields of the tags Xing, Info and VBRI.
@Suite struct MPEGTagFieldTests {
  /// The first four bytes of a frame, and the number of bytes between them and the tag.
  private static let frames: [([UInt8], Int)] = [
    ([0xFF, 0xFB, 0x90, 0x00], 32), ([0xFF, 0xFB, 0x90, 0xC0], 17), ([0xFF, 0xF3, 0x90, 0x00], 17),
    ([0xFF, 0xF3, 0x90, 0xC0], 9), ([0xFF, 0xE3, 0x90, 0xC0], 9),
  ]

  @Test(arguments: (0..<16) as Range<UInt8>, ["LAME3.100", "Lavc58.13", "L3.99r1  ", "LAM3.100 "])
  func `The fields of a tag follow its flags, and the encoder's numbers follow them`(flags: UInt8, encoder: String)
    throws
  {
    for (head, side) in MPEGTagFieldTests.frames {
      for name in ["Xing", "Info"] {
        var tag = Array(name.utf8) + [0xAA, 0xAA, 0xAA, flags | 0xF0]
        if flags & 1 != 0 { tag += big(0x0102_0304, 4) }
        if flags & 2 != 0 { tag += big(0x1112_1314, 4) }
        if flags & 4 != 0 { tag += [UInt8](repeating: 3, count: 100) }
        if flags & 8 != 0 { tag += big(50, 4) }
        let place = 4 + side + tag.count + 21
        tag += Array(encoder.utf8) + [UInt8](repeating: 9, count: 12) + [0x24, 0x15, 0x67, 1, 2, 3]
        let content = head + [UInt8](repeating: 0, count: side) + tag
        let found = try #require(MPEGTag(content + [UInt8](repeating: 0, count: 500)))
        #expect(found.packetCount == (flags & 1 != 0 ? 0x0102_0304 : nil))
        #expect(found.byteCount == (flags & 2 != 0 ? 0x1112_1314 : nil))
        let isKnown = !encoder.hasPrefix("LAM3")
        #expect(found.encoderDelay == (isKnown ? 0x241 : nil) && found.encoderPadding == (isKnown ? 0x567 : nil))
        #expect(found.gapOffset == (isKnown ? place : nil))
        // A tag that ends within the gap has none.
        let cut = try #require(MPEGTag(Array(content.dropLast(4))))
        #expect(cut.encoderDelay == nil && cut.gapOffset == nil)
        #expect(try #require(MPEGTag(Array(content.dropLast(3)))).gapOffset == found.gapOffset)
      }
    }
  }

  @Test func `A tag has a name and flags at its place, in layer III`() throws {
    let head: [UInt8] = [0xFF, 0xFB, 0x90, 0xC0] + [UInt8](repeating: 0, count: 17)
    #expect(MPEGTag(head + Array("Xing".utf8) + [0, 0, 0, 1]) == MPEGTag(head + Array("Info".utf8) + [0, 0, 0, 1]))
    #expect(MPEGTag(head + Array("Xing".utf8) + [0, 0, 0, 1])?.packetCount == nil)
    #expect(MPEGTag(head + Array("Xing".utf8) + [0, 0, 0]) == nil)
    #expect(MPEGTag(head + Array("Xinf".utf8) + [0, 0, 0, 1, 0, 0, 0, 0]) == nil)
    #expect(MPEGTag(head + [0] + Array("Xing".utf8) + [0, 0, 0, 1, 0, 0, 0, 0]) == nil)
    #expect(MPEGTag([0xFF, 0xFD] + head.dropFirst(2) + Array("Xing".utf8) + [0, 0, 0, 1, 0, 0, 0, 0]) == nil)
    #expect(MPEGTag(head + Array("Xing".utf8) + [0, 0, 0, 1, 0, 0, 1])?.packetCount == nil)
    #expect(MPEGTag(head + Array("Xing".utf8) + [0, 0, 0, 1, 0, 0, 1, 2])?.packetCount == 0x102)
    #expect(MPEGTag(head + Array("Xing".utf8) + [0, 0, 0, 3, 0, 0, 1, 2, 0, 0, 7])?.byteCount == nil)
    // A frame of 96 bytes has no room for the encoder's numbers behind a table of contents.
    let small: [UInt8] =
      [0xFF, 0xFB, 0x14, 0xC0] + [UInt8](repeating: 0, count: 17) + Array("Xing".utf8) + [0, 0, 0, 4]
    let long = small + [UInt8](repeating: 0, count: 100) + Array("LAME3.100".utf8) + [UInt8](repeating: 9, count: 15)
    #expect(MPEGTag(long) != nil && MPEGTag(long)?.encoderDelay == nil)
    #expect(MPEGTag([0xFF, 0xFB, 0x94] + long.dropFirst(3))?.encoderDelay == 0x90)
  }

  @Test func `VBRI counts packets 50 bytes behind the start of the frame`() throws {
    let head: [UInt8] = [0xFF, 0xFB, 0x90, 0xC0] + [UInt8](repeating: 0, count: 32)
    let tag = Array("VBRI".utf8) + [0, 1, 9, 9, 0, 75] + big(12_345, 4) + big(0x0102_0304, 4)
    let found = try #require(MPEGTag(head + tag + [7, 7]))
    #expect(found.packetCount == 0x0102_0304 && found.byteCount == nil && found.encoderDelay == nil)
    #expect(try #require(MPEGTag(head + tag.dropLast())).packetCount == nil)
    #expect(MPEGTag(head + [0] + tag) == nil)
  }

  @Test func `The padding is changed in its twelve bits, and the checksum behind it`() throws {
    let gap = 150
    for (padding, bytes) in [(0, [0x50, 0]), (0xABC, [0x5A, 0xBC]), (0xFFF, [0x5F, 0xFF]), (0x0FF, [0x50, 0xFF])]
      as [(Int, [UInt8])]
    {
      var frame = (0..<200).map { UInt8($0) }
      (frame[gap], frame[gap + 1], frame[gap + 2]) = (0x24, 0x5D, 0xEE)
      let before = frame
      MPEGTag.setPadding(padding, in: &frame, at: gap)
      #expect(frame[gap] == 0x24 && Array(frame[gap + 1...gap + 2]) == bytes)
      #expect(frame[..<gap] == before[..<gap] && frame[(gap + 3)..<(gap + 13)] == before[(gap + 3)..<(gap + 13)])
      #expect(frame[(gap + 15)...] == before[(gap + 15)...])
      let sum = frame[..<(gap + 13)].reduce(UInt16(0)) { sum, byte in
        // The reflected polynomial x^16 + x^15 + x^2 + 1, bit by bit.
        (0..<8).reduce(sum) { rest, bit in
          let isSet = (rest ^ UInt16(byte >> UInt8(bit))) & 1 == 1
          return isSet ? rest >> 1 ^ 0xA001 : rest >> 1
        }
      }
      #expect(frame[gap + 13] == UInt8(sum >> 8) && frame[gap + 14] == UInt8(sum & 0xFF))
      // A frame that ends within the checksum keeps it.
      var whole = Array(before.prefix(gap + 15))
      MPEGTag.setPadding(padding, in: &whole, at: gap)
      #expect(whole == Array(frame.prefix(gap + 15)))
      var short = Array(before.prefix(gap + 14))
      MPEGTag.setPadding(padding, in: &short, at: gap)
      #expect(short == Array(frame.prefix(gap + 13)) + [before[gap + 13]])
    }
    // The check value of CRC-16/ARC.
    #expect(MPEGTag.checksum(Array("123456789".utf8)[...]) == 0xBB3D)
    #expect(MPEGTag.checksum([]) == 0 && MPEGTag.decoderDelay == 529 && MPEGTag.largestPadding == 4_095)
  }
}
