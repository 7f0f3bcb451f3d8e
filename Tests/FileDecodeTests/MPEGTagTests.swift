import Testing

@testable import FileDecode

/// The contents of a tag in front of an MP3, and the limits to the trust in them.
@Suite struct MPEGTagTests {
  /// The fixture with changed bytes of its tag: the count of packets, the count of bytes, and the encoder's gap.
  private func patched(
    count: UInt64? = nil,
    byteCount: UInt64? = nil,
    hidesEncoder: Bool = false
  ) throws -> [UInt8] {
    var bytes = try FixtureFiles.bytes("tagged.mp3")
    let tag = try #require(bytes.indices.first { bytes[$0...].starts(with: "Info".utf8) })
    if let count { bytes.replaceSubrange(tag + 8..<tag + 12, with: big(count, 4)) }
    if let byteCount { bytes.replaceSubrange(tag + 12..<tag + 16, with: big(byteCount, 4)) }
    if hidesEncoder { bytes.replaceSubrange(tag + 120..<tag + 129, with: [UInt8](repeating: 0, count: 9)) }
    return bytes
  }

  @Test(arguments: [0, 1, 2, 4, 100, 0x7FFF_FFFF, 0xFFFF_FFFF] as [UInt64])
  func `A false packet count in the tag changes nothing`(count: UInt64) throws {
    let whole = try AudioFile(opening: FixtureFiles.path("tagged.mp3")).readAll()
    let file = try AudioFile(bytes: patched(count: count))
    #expect(file.frameCount == 2_205)
    #expect(try file.readAll() == whole)
    #expect(file.isTruncated == false)
  }

  @Test func `A file with fewer packets and bytes than its tag states is truncated`() throws {
    let bytes = try FixtureFiles.bytes("tagged.mp3")
    let whole = try AudioFile(bytes: bytes).readAll()
    let file = try AudioFile(bytes: Array(bytes.dropLast(100)))
    let decoded = try file.readAll()
    #expect(file.isTruncated == true)
    #expect(decoded.frameCount == 2_304 - 1_105)
    let isSame = decoded.samples.prefix(500) == whole.samples.prefix(500)
    #expect(isSame)
  }

  @Test func `A tag without the encoder's delay trims nothing`() throws {
    let file = try AudioFile(bytes: patched(hidesEncoder: true))
    #expect(try file.readAll().frameCount == 3_456)
    #expect(file.packetTable.source == .none)
    #expect(file.packetTable.primingFrames == nil)
    #expect(try lag(of: file.readAll().samples, behind: FixtureFiles.original(), within: 0..<1_300) == 1_105)
  }

  @Test func `A single packet is decoded`() throws {
    #expect(try AudioFile(bytes: silentMP3(packetCount: 1, countedAs: 1)).readAll().frameCount == 1_152)
  }

  @Test func `Junk between packets and behind them adds no frames and no truncation`() throws {
    let packet = silentMP3(packetCount: 1)
    let junk = [UInt8](repeating: 0x55, count: 3_000)
    let file = try AudioFile(bytes: packet + packet + junk + packet + packet + junk)
    #expect(try file.readAll().frameCount == 4 * 1_152)
    for tail in [ape(300), Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)] {
      let tagged = try AudioFile(bytes: FixtureFiles.bytes("tagged.mp3") + tail)
      #expect(try tagged.readAll().frameCount == 2_205)
      #expect(tagged.isTruncated == false)
    }
  }

  @Test func `A packet is found from its number`() throws {
    let bytes = silentMP3(packetCount: 200) + [1, 2, 3] + silentMP3(packetCount: 100)
    let scan = try #require(MPEGScan(from: 0) { offset, count in Array(bytes.dropFirst(offset).prefix(count)) })
    #expect(scan.packetCount == 300)
    #expect(scan.ranges == [0..<200 * 417, 200 * 417 + 3..<300 * 417 + 3])
    for packet in [0, 63, 64, 199, 200, 299, 10_000] {
      let found = scan.ranges(fromPacket: packet)
      #expect(found.packet == min(packet, 299) / 64 * 64)
      #expect(found.ranges.map(\.count).reduce(0, +) == (300 - found.packet) * 417)
    }
  }
}

/// If libmpg123 is missing, libsndfile decodes; both deliver the same samples.
@Suite struct MPEGDecoderTests {
  @Test(arguments: ["tagged.mp3", "untagged.mp3", "untagged-vbr.mp3", "mpeg2.mp3", "layer2.mp2"])
  func `Both MPEG decoders return the same frames`(name: String) throws {
    let path = FixtureFiles.path(name)
    let direct = try AudioFile(opening: path).readAll()
    let through = try MPEGLibrary.$isHidden.withValue(true) { try AudioFile(opening: path).readAll() }
    #expect(through.format == direct.format)
    #expect(through.frameCount == direct.frameCount)
    let difference = zip(through.samples, direct.samples).map { abs($0 - $1) }.max() ?? 1
    #expect(difference < 1e-6)
  }

  @Test func `Both decoders land on the very frame`() throws {
    let bytes = try (0..<70).flatMap { _ in try FixtureFiles.bytes("untagged.mp3") }
    let whole = try AudioFile(bytes: bytes).readAll()
    for isHidden in [false, true] {
      try MPEGLibrary.$isHidden.withValue(isHidden) {
        let file = try AudioFile(bytes: bytes)
        var block = PCMBuffer<Float>(format: file.format)
        for frame in [100_000, 5, 200_000, 199_999, 120_000] {
          try file.seek(toFrame: frame)
          try #require(try file.read(into: &block, maxFrames: 100) == 100)
          let difference = zip(block.samples, whole.samples[frame...]).map { abs($0 - $1) }.max() ?? 1
          #expect(difference < 1e-6)
        }
      }
    }
  }
}
