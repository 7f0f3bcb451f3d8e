import Testing

@testable import FileDecode

/// Bugs that the package in Fuzzing and reviews found, each once.
@Suite struct FoundByFuzzingTests {
  @Test func `A last page position at the integer limit is ignored`() throws {
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

  // MARK: Numbers beyond all files

  private func caf(format: String, packet: (bytes: UInt64, frames: UInt64), rest: [UInt8]) -> [UInt8] {
    let description =
      big(Double(44_100).bitPattern, 8) + Array(format.utf8) + big(0, 4) + big(packet.bytes, 4) + big(packet.frames, 4)
      + big(1, 4) + big(16, 4)
    return Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + big(32, 8) + description + rest
  }

  @Test(arguments: [UInt64(Int64.max), 1 << 63, .max, UInt64(Int64.max) - 40])
  func `A CAF chunk of any size does not trap`(size: UInt64) {
    let data = Array("data".utf8) + big(size, 8) + big(0, 4) + [UInt8](repeating: 0, count: 200)
    _ = try? AudioFile(bytes: caf(format: "lpcm", packet: (2, 1), rest: data))
    let sound = Array("data".utf8) + big(104, 8) + [UInt8](repeating: 0, count: 104)
    let table = Array("pakt".utf8) + big(size, 8) + [UInt8](repeating: 0, count: 64)
    let file = caf(format: "alac", packet: (0, 4_096), rest: sound + table)
    // Decoding may throw or return a short sound, but it must return.
    #expect((try? AudioFile(bytes: file).readAll())?.frameCount ?? 0 < 1 << 20)
  }

  /// An AAC file with the contents of one box replaced.
  private func movie(replacing name: String, with content: [UInt8]) throws -> [UInt8] {
    let source = try FixtureFiles.bytes("aac-edit.m4a")
    func rebuilt(_ bytes: ArraySlice<UInt8>, shift: Int) -> [UInt8] {
      var result: [UInt8] = []
      var rest = bytes
      while rest.count >= 8 {
        let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let kind = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
        var inside = Array(rest.prefix(size).dropFirst(8))
        if ["moov", "trak", "mdia", "minf", "stbl", "edts"].contains(kind) {
          inside = rebuilt(inside[...], shift: shift)
        }
        if kind == name { inside = content }
        if kind == "stco" {
          let offset = inside[8..<12].reduce(0) { $0 << 8 | Int($1) } + shift
          inside.replaceSubrange(8..<12, with: big(UInt64(offset), 4))
        }
        result += big(UInt64(inside.count + 8), 4) + Array(kind.utf8) + inside
        rest = rest.dropFirst(size)
      }
      return result
    }
    let grown = rebuilt(source[...], shift: 0).count - source.count
    return rebuilt(source[...], shift: grown)
  }

  @Test func `A negative edit start and an extreme duration do not trap`() throws {
    let edit = big(1 << 24, 4) + big(1, 4) + big(50, 8) + big(1 << 63, 8) + big(0x1_0000, 4)
    let early = try AudioFile(bytes: movie(replacing: "elst", with: edit))
    #expect(early.packetTable.source != .editList)

    let ticks = UInt64(Int64.max) / 44_100
    let header = big(1 << 24, 4) + big(0, 8) + big(0, 8) + big(0xFFFF_FFFF, 4) + big(ticks, 8) + big(0x55C4_0000, 4)
    let endless = try movie(replacing: "mdhd", with: header)
    #expect(try AudioFile(bytes: endless).packetTable.totalFrames == 5_120)
  }

  @Test func `The exact duration of the media counts where the edit list has the same in coarse ticks`() throws {
    let header = big(0, 12) + big(44_100, 4) + big(2_112 + 2_210, 4) + big(0x55C4_0000, 4)
    let file = try AudioFile(bytes: movie(replacing: "mdhd", with: header))
    #expect(file.packetTable.source == .editList)
    #expect(file.packetTable.validFrames == 2_210)
  }

  @Test func `A shorter duration of the first packet changes nothing`() throws {
    let original = try AudioFile(bytes: FixtureFiles.bytes("aac-edit.m4a"))
    for (first, rest) in [(100, 1_024), (2_048, 1_024), (0, 1_024), (1_024, 960)] as [(UInt64, UInt64)] {
      let times = big(0, 4) + big(2, 4) + big(1, 4) + big(first, 4) + big(4, 4) + big(rest, 4)
      let file = try AudioFile(bytes: movie(replacing: "stts", with: times))
      #expect(file.packetTable == original.packetTable)
      #if LibAVCodec
        #expect(try file.readAll() == original.readAll())
        #expect(file.isTruncated == false)
      #endif
    }
  }

  @Test func `The largest frame number converts to any rate without overflow`() {
    for (input, output) in [(22_050, 48_000), (48_000, 22_050), (1_000, 768_000), (768_000, 1_000), (44_101, 48_000)] {
      let ratio = RateRatio(input: input, output: output)
      for frame in [Int.max, Int.max - 1, Int.max / 2] {
        let found = ratio.start(before: frame)
        #expect(found.output <= frame)
        #expect(found.input.multipliedFullWidth(by: output) == found.output.multipliedFullWidth(by: input))
      }
    }
  }

  @Test(arguments: [3_000, 1 << 36 - 1] as [UInt64])
  func `A cut file with a loop keeps to the limit of memory at a higher rate`(claim: UInt64) throws {
    let folder = try TemporaryFolder()
    var bytes = try bytes(of: save(noise(1_000, .mono(sampleRate: 1_000)), to: folder.file("a.flac")))
    // The number of frames in the header: the 36 bits that end 26 bytes into the file.
    bytes[21] = bytes[21] & 0xF0 | UInt8(claim >> 32)
    bytes.replaceSubrange(22..<26, with: big(claim & 0xFFFF_FFFF, 4))
    let comments = ["LOOPSTART=2000", "LOOPLENGTH=900"]
    let list = comments.flatMap { little(UInt64($0.utf8.count), 4) + Array($0.utf8) }
    let block = little(0, 4) + little(UInt64(comments.count), 4) + list
    // The new block follows the first one, which has 34 bytes.
    bytes.insert(contentsOf: [4] + big(UInt64(block.count), 3) + block, at: 4 + 4 + 34)
    let client = ClientFormat(sampleRate: 48_000)
    #expect(try AudioFile(bytes: bytes).loopRange == 2_000..<2_900)
    #expect(try AudioFile(bytes: bytes, in: client).readAll(as: Float.self, byteLimit: 4 * 48_000).frameCount == 48_000)
    let error = failure { () throws(AudioFileError) in
      _ = try AudioFile(bytes: bytes, in: client).readAll(as: Float.self, byteLimit: 4 * 47_999)
    }
    #expect(error?.code == .tooLarge)
  }

  @Test func `A read past the end of a resampled file of unknown length returns no frames`() throws {
    let file = try AudioFile(opening: FixtureFiles.path("streamed.flac"), in: ClientFormat(sampleRate: 48_000))
    var block = PCMBuffer<Float>(format: file.format)
    try file.seek(toFrame: .max)
    #expect(try file.read(into: &block) == 0)
    try file.seek(toFrame: 2_000)
    #expect(try file.read(into: &block, maxFrames: 10) == 10)
  }

  @Test func `Silence in front of an edit is skipped in either version of the list`() throws {
    let rate = big(0x1_0000, 4)
    let short = big(0, 4) + big(2, 4) + big(0, 4) + big(0xFFFF_FFFF, 4) + rate + big(50, 4) + big(2_112, 4) + rate
    let long = big(1 << 24, 4) + big(2, 4) + big(0, 8) + big(.max, 8) + rate + big(50, 8) + big(2_112, 8) + rate
    let tables = try [short, long].map { try AudioFile(bytes: movie(replacing: "elst", with: $0)).packetTable }
    #expect(tables[0] == tables[1])
    #expect(tables[0].primingFrames == 2_112)
  }
}
