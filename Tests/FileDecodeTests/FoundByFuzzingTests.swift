import Testing

@testable import FileDecode

/// What the package in Fuzzing found, each once.
@Suite struct FoundByFuzzingTests {
  @Test func `A position beyond all numbers is none`() throws {
    var bytes = Fixtures.opus
    // The last page's position, 6 bytes behind its start.
    let page = try #require(bytes.indices.last { bytes[$0...].starts(with: "OggS".utf8) })
    bytes.replaceSubrange(page + 6..<page + 14, with: little(0x7FFF_FFFF_FFFF_FFFF, 8))
    let scan = OggScan(from: 0) { offset, count in Array(bytes.dropFirst(offset).prefix(count)) }
    for sampleRate in [48_000, 8_000] {
      let table = scan.table(decoded: nil, sampleRate: sampleRate)
      #expect(table.validFrames == table.totalFrames)
    }
  }
}
