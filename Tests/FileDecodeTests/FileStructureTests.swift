import TestSupport
import Testing

@testable import FileDecode

@Suite struct FileStructureTests {
  private func chunk(_ container: Container, _ bytes: [UInt8]) -> AudioChunk? {
    AudioChunk(in: container) { offset, count in Array(bytes.dropFirst(offset).prefix(count)) }
  }

  @Test func `The samples of a WAV file are found behind other chunks`() {
    let extra = Array("LIST".utf8) + little(3, 4) + [1, 2, 3, 0]
    let data = Array("data".utf8) + little(100, 4)
    let found = chunk(.wav, Array("RIFF????WAVE".utf8) + extra + data)
    #expect(found?.offset == 12 + 12 + 8)
    #expect(found?.byteCount == 100)
    #expect(found?.isCut(inFileOf: 132) == false)
    #expect(found?.isCut(inFileOf: 131) == true)
  }

  @Test func `Sizes are read in the file's byte order`() {
    #expect(chunk(.wav, Array("RIFX????WAVEdata".utf8) + big(7, 4))?.byteCount == 7)
    #expect(chunk(.aiff, Array("FORM????AIFFSSND".utf8) + big(7, 4))?.byteCount == 7)
    #expect(chunk(.aiff, Array("FORM????AIFFdata".utf8) + big(7, 4)) == nil)
  }

  @Test(arguments: [0xFFFF_FFFF, 0x8000_0000, 0x7FFF_FFFF, 0x7FFF_F000])
  func `The size that a writer to a pipe leaves is no promise`(size: UInt64) throws {
    let found = try #require(chunk(.wav, Array("RIFF????WAVEdata".utf8) + little(size, 4)))
    #expect(found.byteCount == nil)
    #expect(!found.isCut(inFileOf: 44))
  }

  @Test func `A file of nothing but other chunks has none, and is not searched without end`() {
    let chunks = (0..<5_000).flatMap { _ in Array("JUNK".utf8) + little(0, 4) }
    #expect(chunk(.wav, Array("RIFF????WAVE".utf8) + chunks) == nil)
    #expect(chunk(.flac, Array("fLaC????WAVEdata".utf8) + little(1, 4)) == nil)
  }

  @Test func `Random chunks never crash the search`() {
    var generator = SplitMix64(seed: 3)
    for _ in 0..<3_000 {
      let bytes = (0..<200).map { _ in UInt8.random(in: 0...255, using: &generator) }
      if let found = chunk(.wav, bytes) { #expect(found.offset <= 200) }
    }
  }

  @Test func `A stream ends with a complete page that says so`() {
    func page(flags: UInt8, segments: [UInt8]) -> [UInt8] {
      Array("OggS".utf8) + [0, flags] + [UInt8](repeating: 0, count: 20) + [UInt8(segments.count)] + segments
        + segments.flatMap { [UInt8](repeating: 7, count: Int($0)) }
    }
    let first = page(flags: 2, segments: [30])
    let last = page(flags: 4, segments: [255, 255, 20])
    #expect(OggPage.endsStream(first + last))
    #expect(OggPage.endsStream(last + [1, 2, 3]))
    #expect(!OggPage.endsStream(first))
    #expect(!OggPage.endsStream([]))
    #expect(!OggPage.endsStream(Array("OggS".utf8)))
    for count in 1...last.count { #expect(!OggPage.endsStream(first + last.dropLast(count))) }
  }

  @Test func `A tag's size is seven bits a byte`() {
    #expect(ID3Tag.byteCount(id3(0)) == 10)
    #expect(ID3Tag.byteCount(id3(200)) == 210)
    #expect(ID3Tag.byteCount(id3(2_000_000)) == 2_000_010)
    #expect(ID3Tag.byteCount(Array(id3(0).prefix(9))) == nil)
    #expect(ID3Tag.byteCount(Array("ID3".utf8) + [4, 0, 0, 0x80, 0, 0, 0]) == nil)
    #expect(ID3Tag.byteCount(Array("ID3".utf8) + [4, 0, 0x10, 0, 0, 0, 1]) == 21)
  }
}
