import Testing

@testable import FileDecode

@Suite struct PacketTableTests {
  private struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    var packets: Int?
    var frames: Int?
    var priming: Int?
    var valid: Int? = 2_205
    var remainder: Int?
    var total: Int?
    var source = PacketTable.Source.none
    var testDescription: String { name }
  }

  private static let rows = [
    Row(name: "original.wav", packets: 2_205, frames: 1, priming: 0, remainder: 0, total: 2_205),
    Row(name: "alaw.wav", packets: 2_205, frames: 1, priming: 0, remainder: 0, total: 2_205),
    Row(name: "ima.wav", packets: 2, frames: 2_041, priming: 0, remainder: 1_877, total: 4_082, source: .fact),
    Row(name: "ms.wav", packets: 2, frames: 2_036, priming: 0, remainder: 1_867, total: 4_072, source: .fact),
    Row(name: "ima4.aifc", packets: 35, frames: 64, priming: 0, valid: 2_240, remainder: 0, total: 2_240),
    Row(name: "alac.caf", packets: 1, frames: 4_096, priming: 0, remainder: 1_891, total: 4_096, source: .pakt),
    Row(name: "alac.m4a", packets: 1, frames: 4_096, priming: 0, remainder: 1_891, total: 4_096, source: .editList),
    Row(name: "tagged.mp3", packets: 3, frames: 1_152, priming: 1_105, remainder: 146, total: 3_456, source: .lameTag),
    Row(name: "untagged.mp3", packets: 3, frames: 1_152, valid: 3_456, total: 3_456),
    Row(name: "layer2.mp2", packets: 2, frames: 1_152, valid: 2_304, total: 2_304),
    Row(
      name: "opus.opus",
      packets: 3,
      frames: 960,
      priming: 312,
      valid: 2_400,
      remainder: 168,
      total: 2_880,
      source: .opusHead
    ),
    Row(name: "vorbis.ogg", packets: 12, priming: 0, remainder: 0, total: 2_205, source: .granule),
    // The example of the 2011 talk: 2,112 + 2,205 + 803 = 5,120.
    Row(
      name: "aac-itunes.m4a",
      packets: 5,
      frames: 1_024,
      priming: 2_112,
      remainder: 803,
      total: 5_120,
      source: .iTunSMPB
    ),
    Row(name: "aac.caf", packets: 5, frames: 1_024, priming: 2_112, remainder: 803, total: 5_120, source: .pakt),
    Row(
      name: "aac-edit.m4a",
      packets: 5,
      frames: 1_024,
      priming: 2_112,
      remainder: 803,
      total: 5_120,
      source: .editList
    ),
    Row(name: "aac.aac", packets: 5, frames: 1_024, valid: 5_120, total: 5_120),
  ]

  @Test(arguments: rows)
  private func `A file reports its packets and its valid frames`(_ row: Row) throws {
    let file = try AudioFile(opening: FixtureFiles.path(row.name))
    let table = file.packetTable
    #expect(table.packetCount == row.packets)
    #expect(table.framesPerPacket == row.frames)
    #expect(table.primingFrames == row.priming)
    #expect(table.validFrames == row.valid)
    #expect(table.remainderFrames == row.remainder)
    #expect(table.totalFrames == row.total)
    #expect(table.source == row.source)
    #expect(file.packetTable == table)
  }

  @Test func `A source prints its name`() {
    for (source, name) in [(PacketTable.Source.lameTag, "LAME tag"), (.editList, "edit list"), (.none, "none")] {
      #expect(source.name == name && source.description == name)
    }
    #expect(PacketTable.Source.pakt.description == "pakt")
  }

  @Test(arguments: [
    (5, 1_024, 2_112, 2_205, 803), (5, 1_024, 2_112, 0, 3_008), (1, 1_152, 1_105, 47, 0), (3, 960, 0, 2_880, 0),
  ])
  func `The sum of priming, valid and remainder frames is the total`(
    packetCount: Int,
    size: Int,
    priming: Int,
    valid: Int,
    remainder: Int
  ) {
    let table = PacketTable(
      packetCount: packetCount,
      framesPerPacket: size,
      priming: priming,
      valid: valid,
      source: .pakt
    )
    #expect(table.remainderFrames == remainder)
    #expect(table.totalFrames == packetCount * size)
    #expect(table.source == .pakt)
  }

  @Test func `A packet table ignores numbers that contradict the packet count`() {
    for (priming, valid) in [(0, -1), (0, 5_121), (100, 5_021), (0, Int.max), (0, Int.min)] {
      let table = PacketTable(packetCount: 5, framesPerPacket: 1_024, priming: priming, valid: valid, source: .pakt)
      #expect(table.validFrames == 5_120 - priming)
      #expect(table.remainderFrames == 0)
    }
    for priming in [-1, 5_121, Int.max, Int.min] {
      let table = PacketTable(packetCount: 5, framesPerPacket: 1_024, priming: priming, valid: 10, source: .pakt)
      #expect(table.primingFrames == nil)
      #expect(table.validFrames == 5_120)
      #expect(table.source == .none)
    }
    let vast = PacketTable(packetCount: Int.max, framesPerPacket: Int.max, priming: 1, valid: 2, source: .pakt)
    #expect(vast.totalFrames == Int.max)
  }

  #if !LibAVCodec
    @Test(arguments: ["aac-itunes.m4a", "aac.caf", "aac.aac"])
    func `AAC reports its format, and the error of its decoding names the missing trait`(name: String) throws {
      let path = FixtureFiles.path(name)
      let file = try AudioFile(opening: path)
      #expect(file.codec == .aac)
      #expect(file.format == .mono(sampleRate: 44_100))
      #expect(file.frameCount == (name == "aac.aac" ? 5_120 : 2_205))
      let error = try #require(failure { () throws(AudioFileError) in _ = try file.readAll() })
      #expect(error.code == .traitNeeded)
      #expect(
        error.message.hasPrefix("\(path) holds AAC, which is decoded only where the package's trait LibAVCodec is on.")
      )
      try file.seek(toFrame: 100)
      var block = PCMBuffer<Float>(format: file.format)
      #expect(failure { () throws(AudioFileError) in _ = try file.read(into: &block) }?.code == .traitNeeded)
    }
  #endif

  @Test func `A file without trimming returns its priming and remainder frames`() throws {
    let original = try FixtureFiles.original()
    let mp3 = try AudioFile(opening: FixtureFiles.path("tagged.mp3"), trimming: .off)
    #expect(mp3.frameCount == 3_456)
    let all = try mp3.readAll()
    #expect(all.frameCount == 3_456)
    #expect(lag(of: all.samples, behind: original, within: 900..<1_300) == 1_105)
    let trimmed = try AudioFile(opening: FixtureFiles.path("tagged.mp3"), trimming: .automatic)
    #expect(trimmed.frameCount == 2_205)
    #expect(try trimmed.readAll().samples == Array(all.samples[1_105..<3_310]))
    #expect(try AudioFile(opening: FixtureFiles.path("tagged.mp3")).readAll() == trimmed.readAll())
    let adpcm = try AudioFile(opening: FixtureFiles.path("ima.wav"), trimming: .off)
    #expect(try adpcm.readAll().frameCount == 4_082)
    #expect(try AudioFile(opening: FixtureFiles.path("aac.caf"), trimming: .off).frameCount == 5_120)
  }
}
