import Testing

@testable import FileDecode

/// Every header of MPEG audio, against the tables of the standard.
@Suite struct MPEGHeaderModelTests {
  private static let bitRates: [[Int]] = [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]

  @Test(arguments: [0, 2, 3], [1, 2, 3])
  func `Each number of a header is that of the standard`(versionBits: Int, layerBits: Int) throws {
    let isFirst = versionBits == 3
    let layer = 4 - layerBits
    let rates = MPEGHeaderModelTests.bitRates[isFirst ? layer - 1 : layer == 1 ? 3 : 4]
    for bitRate in 1...14 {
      for (index, firstRate) in [44_100, 48_000, 32_000].enumerated() {
        for rest in 0..<16 {
          // The protection, a private bit, the mode of the channels and the padding.
          let (padding, mode) = (rest & 1, rest >> 1 & 3)
          let kind = 0xE0 + versionBits * 8 + layerBits * 2 + rest / 8
          let numbers = bitRate * 16 + index * 4 + padding * 2 + mode % 2
          let bytes = [0xFF, kind, numbers, mode * 64 + 5].map { UInt8($0) }
          let header = try #require(MPEGFrameHeader(bytes))
          let sampleRate = isFirst ? firstRate : versionBits == 2 ? firstRate / 2 : firstRate / 4
          let kilobits = rates[bitRate - 1]
          #expect(header.bitRate == kilobits && header.sampleRate == sampleRate)
          #expect(header.isPadded == (padding == 1) && header.isMono == (mode == 3))
          let frames = layer == 1 ? 384 : layer == 3 && !isFirst ? 576 : 1_152
          #expect(header.framesPerPacket == frames)
          let size =
            layer == 1
            ? (12 * kilobits * 1_000 / sampleRate + padding) * 4
            : (frames / 8) * kilobits * 1_000 / sampleRate + padding
          #expect(header.byteCount == size)
          let isMono = header.isMono
          #expect(header.sideByteCount == (isFirst ? (isMono ? 17 : 32) : (isMono ? 9 : 17)))
        }
      }
    }
  }

  @Test func `Reserved bits are no header`() {
    // A version, a layer, a bit rate or a sample rate that the standard reserves, and the free format.
    for (place, mask, value) in [(1, 0x18, 0x08), (1, 0x06, 0), (2, 0xF0, 0xF0), (2, 0xF0, 0), (2, 0x0C, 0x0C)]
      as [(Int, UInt8, UInt8)]
    {
      var bytes: [UInt8] = [0xFF, 0xFB, 0x90, 0]
      bytes[place] = bytes[place] & ~mask | value
      #expect(MPEGFrameHeader(bytes) == nil)
    }
    for bit in 0..<11 {
      var bytes: [UInt8] = [0xFF, 0xFB, 0x90, 0]
      bytes[bit / 8] ^= 0x80 >> UInt8(bit % 8)
      #expect(MPEGFrameHeader(bytes) == nil)
    }
    #expect(MPEGFrameHeader([0xFF, 0xFB, 0x90]) == nil && MPEGFrameHeader([0xFF, 0xFB, 0x90, 0]) != nil)
    #expect(MPEGFrameHeader([0xFF, 0xFB, 0x90, 0, 1]) != nil)
  }

  @Test func `Packets of one stream share the version, the layer and the sample rate`() throws {
    let base = try #require(MPEGFrameHeader([0xFF, 0xFB, 0x90, 0]))
    let cases: [(bytes: [UInt8], isSame: Bool)] = [
      ([0xFF, 0xFB, 0x10, 0xC0], true), ([0xFF, 0xFA, 0x92, 0], true), ([0xFF, 0xFD, 0x90, 0], false),
      ([0xFF, 0xFB, 0x94, 0], false), ([0xFF, 0xF3, 0x90, 0], false), ([0xFF, 0xE3, 0x94, 0], false),
    ]
    for (bytes, isSame) in cases {
      let other = try #require(MPEGFrameHeader(bytes))
      #expect(base.isSameStream(as: other) == isSame && other.isSameStream(as: base) == isSame, "\(bytes)")
    }
  }

  @Test func `A stream starts at its first two packets in a row`() {
    let packets = silentMP3(packetCount: 2)
    #expect(MPEGFrameHeader.streamStart(in: packets) == 0)
    for front in [[0xFF], [0xFF, 0xFB], [1, 2, 3], [0xFF, 0xFB, 0x90, 0xC0]] as [[UInt8]] {
      #expect(MPEGFrameHeader.streamStart(in: front + packets) == front.count)
    }
    #expect(MPEGFrameHeader.streamStart(in: [0] + packets.dropLast(413)) == 1)
    #expect(MPEGFrameHeader.streamStart(in: [0] + packets.dropLast(414)) == nil)
    #expect(MPEGFrameHeader.streamStart(in: []) == nil)
  }
}
