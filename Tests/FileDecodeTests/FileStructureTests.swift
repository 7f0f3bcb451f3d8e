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
  func `The placeholder size of a piped WAV file is ignored`(size: UInt64) throws {
    let found = try #require(chunk(.wav, Array("RIFF????WAVEdata".utf8) + little(size, 4)))
    #expect(found.byteCount == nil)
    #expect(!found.isCut(inFileOf: 44))
  }

  @Test func `A file of unrelated chunks alone has no data chunk`() {
    let chunks = (0..<5_000).flatMap { _ in Array("JUNK".utf8) + little(0, 4) }
    #expect(chunk(.wav, Array("RIFF????WAVE".utf8) + chunks) == nil)
    #expect(chunk(.flac, Array("fLaC????WAVEdata".utf8) + little(1, 4)) == nil)
  }

  @Test func `Random chunks never crash the search`() {
    var generator = SplitMix64(seed: 3)
    for _ in 0..<3_000 {
      let bytes = (0..<200).map { _ in UInt8.random(in: 0...255, using: &generator) }
      for container in Container.allCases {
        let found = chunk(container, bytes)
        #expect(found == nil || container == .au || found?.offset ?? 0 <= 200)
      }
    }
  }

  @Test func `An Ogg stream ends with a complete page that has the end flag`() {
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

  @Test func `The samples of Wave64 and CAF are found behind other chunks, with sizes of 64 bits`() {
    let guidTail = [UInt8](repeating: 7, count: 12)
    func guid(_ name: String) -> [UInt8] { Array(name.utf8) + guidTail }
    // Sizes count the header, and chunks start at multiples of eight.
    let w64 = guid("riff") + little(0, 8) + guid("wave") + guid("levl") + little(24 + 3, 8) + [1, 2, 3, 0, 0, 0, 0, 0]
    let inW64 = chunk(.w64, w64 + guid("data") + little(24 + 1 << 40, 8))
    #expect(inW64?.offset == 40 + 24 + 8 + 24)
    #expect(inW64?.byteCount == 1 << 40)
    #expect(chunk(.w64, w64 + guid("data") + little(0, 8))?.byteCount == nil)
    let caf = Array("caff".utf8) + [0, 1, 0, 0] + Array("info".utf8) + big(3, 8) + [1, 2, 3]
    let inCAF = chunk(.caf, caf + Array("data".utf8) + big(1 << 40, 8))
    #expect(inCAF?.offset == 8 + 12 + 3 + 12)
    #expect(inCAF?.byteCount == 1 << 40)
    #expect(chunk(.caf, caf + Array("data".utf8) + big(UInt64.max, 8))?.byteCount == nil)
    for size in [UInt64.max, 1 << 63, UInt64(Int.max), UInt64(Int.max) - 3] {
      #expect(chunk(.caf, caf + Array("free".utf8) + big(size, 8) + [0]) == nil)
      #expect(chunk(.w64, w64 + guid("free") + little(size, 8) + [0]) == nil)
    }
  }

  @Test func `RF64 has its size in a chunk of its own, and AU in its header`() {
    let ds64 = Array("ds64".utf8) + little(28, 4) + little(9, 8) + little(1 << 40, 8) + little(0, 12)
    let rf64 = Array("RF64????WAVE".utf8) + ds64 + Array("data".utf8)
    #expect(chunk(.rf64, rf64 + little(0xFFFF_FFFF, 4))?.byteCount == 1 << 40)
    #expect(chunk(.rf64, rf64 + little(100, 4))?.byteCount == 100)
    #expect(chunk(.au, Array(".snd".utf8) + big(28, 4) + big(100, 4)) == AudioChunk(offset: 28, byteCount: 100))
    #expect(chunk(.au, Array(".snd".utf8) + big(28, 4) + big(0xFFFF_FFFF, 4))?.byteCount == nil)
    #expect(chunk(.au, Array(".snd".utf8) + big(28, 4)) == nil)
  }

  @Test func `The form size of a WAV file marks it as unfinished`() {
    func found(formSize: UInt64, dataSize: UInt64 = 0) -> AudioChunk? {
      chunk(.wav, Array("RIFF".utf8) + little(formSize, 4) + Array("WAVEdata".utf8) + little(dataSize, 4))
    }
    #expect(found(formSize: 0) == AudioChunk(offset: 20, byteCount: nil, isUnfinished: true))
    #expect(found(formSize: 12)?.isUnfinished == true)
    #expect(found(formSize: 12)?.isCut(inFileOf: 20) == false)
    #expect(found(formSize: 12)?.isCut(inFileOf: 21) == true)
    // An empty file with another chunk behind the samples.
    #expect(found(formSize: 30) == AudioChunk(offset: 20, byteCount: 0))
    #expect(found(formSize: 0, dataSize: 4) == AudioChunk(offset: 20, byteCount: 4))
  }

  @Test func `An APE tag's size counts its items and its footer`() {
    #expect(LeadingTag.byteCount(ape(0)) == 32 + 32)
    #expect(LeadingTag.byteCount(ape(300)) == 32 + 300 + 32)
    #expect(LeadingTag.byteCount(Array(ape(0).prefix(31))) == nil)
  }

  @Test func `The size of an APE tag has four bytes`() {
    var tag = ape(0)
    for (place, value) in [(12, 1), (13, 1 << 8), (14, 1 << 16), (15, 1 << 24)] {
      tag.replaceSubrange(12..<16, with: [0, 0, 0, 0])
      tag[place] = 1
      #expect(LeadingTag.byteCount(tag) == 32 + value)
    }
  }

  @Test func `The size of an MPEG-4 box has four or eight bytes, or is that of the file`() {
    func header(_ bytes: [UInt8]) -> (name: String, size: Int, byteCount: Int)? {
      MPEG4Box.Header(bytes[...]).map { ($0.name, $0.size, $0.byteCount) }
    }
    let name = Array("free".utf8)
    #expect(header(big(24, 4) + name)! == ("free", 8, 24))
    #expect(header(big(8, 4) + name)! == ("free", 8, 8))
    #expect(header(big(0, 4) + name)! == ("free", 8, Int.max))
    #expect(header(big(1, 4) + name + big(1 << 40, 8))! == ("free", 16, 1 << 40))
    #expect(header(big(1, 4) + name + big(16, 8))! == ("free", 16, 16))
    // Too short for its own header, and cut.
    for bytes in [
      big(7, 4) + name, big(1, 4) + name + big(15, 8), big(1, 4) + name + big(16, 8).dropLast(),
      big(24, 4) + name.dropLast(),
    ] {
      #expect(MPEG4Box.Header(bytes[...]) == nil, "\(bytes)")
    }
    let boxes = big(16, 4) + name + big(7, 8) + big(1, 4) + name + big(20, 8) + big(9, 4) + big(3, 4) + name
    let list = MPEG4Box.list(in: boxes[...])
    #expect(list.map { Array($0.content) } == [big(7, 8), big(9, 4)])
    #expect(list[1].number(at: 0) == 9 && list[1].number(at: 1) == nil && list[0].number(at: 4) == 7)
  }

  @Test func `A tag's size is seven bits a byte`() {
    #expect(LeadingTag.byteCount(id3(0)) == 10)
    #expect(LeadingTag.byteCount(id3(200)) == 210)
    #expect(LeadingTag.byteCount(id3(2_000_000)) == 2_000_010)
    #expect(LeadingTag.byteCount(Array(id3(0).prefix(9))) == nil)
    #expect(LeadingTag.byteCount(Array("ID3".utf8) + [4, 0, 0, 0x80, 0, 0, 0]) == nil)
    #expect(LeadingTag.byteCount(Array("ID3".utf8) + [4, 0, 0x10, 0, 0, 0, 1]) == 21)
  }
}
