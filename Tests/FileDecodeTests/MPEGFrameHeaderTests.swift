import Testing

@testable import FileDecode

@Suite struct MPEGFrameHeaderTests {
  @Test(arguments: [
    ([0xFF, 0xFB, 0x90, 0x00], 44_100, 1_152, 417),
    ([0xFF, 0xFB, 0x92, 0x00], 44_100, 1_152, 418),
    ([0xFF, 0xFB, 0xE4, 0x00], 48_000, 1_152, 960),
    ([0xFF, 0xF3, 0x80, 0x00], 22_050, 576, 208),
    ([0xFF, 0xE3, 0x18, 0x00], 8_000, 576, 72),
    ([0xFF, 0xFD, 0xE8, 0x00], 32_000, 1_152, 1_728),
    ([0xFF, 0xFF, 0xE0, 0x00], 44_100, 384, 484),
  ])
  func `Rate, frames and size follow the standard's tables`(
    bytes: [UInt8],
    sampleRate: Int,
    framesPerPacket: Int,
    byteCount: Int
  ) throws {
    let header = try #require(MPEGFrameHeader(bytes))
    #expect(header.sampleRate == sampleRate)
    #expect(header.framesPerPacket == framesPerPacket)
    #expect(header.byteCount == byteCount)
  }

  @Test func `Two frames of every kind fit the bytes that are looked at`() {
    var headerCount = 0
    for low in 0...0xFFFF {
      for first: UInt8 in [0xE0, 0xF0] {
        for kind: UInt8 in 0...0xF {
          guard low & 0xFF == 0, let header = MPEGFrameHeader([0xFF, first | kind, UInt8(low >> 8), 0]) else {
            continue
          }
          headerCount += 1
          #expect(header.byteCount >= 24)
          #expect(header.byteCount + 4 <= FileSignature.headSize)
        }
      }
    }
    // 3 versions x 3 layers x protected or not x 14 bit rates x 3 sample rates x padded or not x private or not
    #expect(headerCount == 3 * 3 * 2 * 14 * 3 * 2 * 2)
  }

  @Test(arguments: [
    [0xFF, 0xFB, 0xF0, 0], [0xFF, 0xFB, 0x00, 0], [0xFF, 0xFB, 0x9C, 0], [0xFF, 0xF9, 0x90, 0], [0xFF, 0xEB, 0x90, 0],
    [0xFF, 0xFB, 0x90], [],
  ])
  func `Reserved values and cut headers are rejected`(bytes: [UInt8]) {
    #expect(MPEGFrameHeader(bytes) == nil)
  }

  @Test func `The tag in the first frame is recognized with and without a packet count`() {
    #expect(MPEGTag(silentMP3(packetCount: 3, countedAs: 3))?.packetCount == 3)
    #expect(MPEGTag(silentMP3(packetCount: 3)) == nil)
    var withoutCount = silentMP3(packetCount: 3, countedAs: 3)
    withoutCount[21 + 7] = 0
    #expect(MPEGTag(withoutCount) != nil)
    #expect(MPEGTag(withoutCount)?.packetCount == nil)
    for count in 0..<29 {
      #expect(MPEGTag(Array(silentMP3(packetCount: 3, countedAs: 3).prefix(count))) == nil)
    }
  }
}
