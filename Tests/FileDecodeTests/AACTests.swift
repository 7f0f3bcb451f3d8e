import Testing

@testable import FileDecode

/// Features of AAC that other codecs lack.
@Suite struct AACTests {
  /// The packets of a bare stream, without their headers.
  private func packets(_ bytes: [UInt8]) -> [[UInt8]] {
    let scan = ADTSScan(from: 0) { offset, count in Array(bytes.dropFirst(offset).prefix(count)) }
    return scan?.packets.map { Array(bytes[$0].dropFirst(7)) } ?? []
  }

  /// A bare stream with several blocks behind each header, and an optional checksum behind each block.
  private func joined(_ blocks: [[UInt8]], by counts: [Int], like bytes: [UInt8], hasChecksums: Bool = false) -> [UInt8]
  {
    var result: [UInt8] = []
    var rest = blocks[...]
    for count in counts {
      let checksum = [UInt8](repeating: 0, count: hasChecksums ? 2 : 0)
      let content = Array(rest.prefix(count).map { $0 + checksum }.joined())
      let offsets = [UInt8](repeating: 0, count: hasChecksums ? 2 * count : 0)
      var header = Array(bytes[0..<7])
      let size = 7 + offsets.count + content.count
      header[1] = header[1] & ~1 | (hasChecksums ? 0 : 1)
      header[3] = header[3] & ~3 | UInt8(size >> 11)
      header[4] = UInt8(size >> 3 & 0xFF)
      header[5] = UInt8(size & 7) << 5 | header[5] & 0x1F
      header[6] = header[6] & ~3 | UInt8(count - 1)
      result += header + offsets + content
      rest = rest.dropFirst(count)
    }
    return result
  }

  @Test(arguments: [[2, 3], [4, 1], [1, 1, 3]])
  func `A header in front of several packets counts them all`(counts: [Int]) throws {
    let bytes = try FixtureFiles.bytes("aac.aac")
    let plain = try AudioFile(bytes: bytes)
    let file = try AudioFile(bytes: joined(packets(bytes), by: counts, like: bytes))
    #expect(file.packetTable == plain.packetTable)
    #expect(file.packetTable.packetCount == 5)
    #expect(file.frameCount == 5_120)
    #expect(file.isTruncated == false)
  }

  @Test func `A header for several packets with checksums is rejected as an unsupported encoding`() throws {
    let bytes = try FixtureFiles.bytes("aac.aac")
    let checked = joined(packets(bytes), by: [2, 3], like: bytes, hasChecksums: true)
    // The decoder reports the same error if only a later header has checksums.
    for stream in [checked, joined(packets(bytes), by: [1, 1, 1, 1, 1], like: bytes) + checked] {
      let error = failure { () throws(AudioFileError) in _ = try AudioFile(bytes: stream) }
      #expect(error?.code == .unsupportedEncoding)
      #expect(error?.message.contains("holds AAC with several checksums in a packet, which is not decoded") == true)
    }
  }

  @Test func `The configuration determines the number of frames in a packet`() {
    // Five bits of object type, four of rate, four of channels, and one for the shorter packets.
    func frames(_ type: Int, rate: Int = 4, short: Int = 0) -> Int? {
      let word = type << 11 | rate << 7 | 1 << 3 | short << 2
      return AACConfiguration(bytes: [UInt8(word >> 8), UInt8(word & 0xFF)])?.framesPerPacket
    }
    #expect([1, 2, 3, 4].map { frames($0) } == [1_024, 1_024, 1_024, 1_024])
    #expect(frames(2, short: 1) == 960)
    #expect(frames(23) == 512)
    #expect(frames(23, short: 1) == 480)
    #expect(frames(5) == nil)
    #expect(frames(2, rate: 15) == nil)
  }

  #if LibAVCodec
    @Test(arguments: [[2, 3], [4, 1], [1, 1, 3]])
    func `A header in front of several packets loses none`(counts: [Int]) throws {
      let bytes = try FixtureFiles.bytes("aac.aac")
      let whole = try AudioFile(bytes: bytes).readAll()
      let file = try AudioFile(bytes: joined(packets(bytes), by: counts, like: bytes))
      #expect(try file.readAll() == whole)
      #expect(file.isTruncated == false)
      var block = PCMBuffer<Float>(format: file.format)
      for frame in [4_800, 1_030, 3_072, 0, 2_047, 4_095] {
        try file.seek(toFrame: frame)
        #expect(try file.read(into: &block, maxFrames: 20) == 20)
        #expect(block.samples == Array(whole.samples[frame..<frame + 20]), "\(frame)")
      }
      #expect(file.isTruncated == false)
    }

    /// The byte ranges of a file's packets.
    private func ranges(_ bytes: [UInt8]) throws -> [Range<Int>] {
      let stream = try AudioFile(bytes: bytes).withDecoder { (decoder) throws(AudioFileError) in decoder.decoder.stream
      }
      return try #require(stream.plan.aac).packets
    }

    @Test func `A damaged packet decodes to silence, marks the file truncated and shifts no other packet`() throws {
      var bytes = try FixtureFiles.bytes("aac.caf")
      let whole = try AudioFile(bytes: bytes).readAll()
      // The file has five packets and 2,112 frames of priming. The third packet holds the first 960 frames, and
      // overlaps with the fourth.
      for index in try ranges(bytes)[2] { bytes[index] = 0xFF }
      let file = try AudioFile(bytes: bytes)
      #expect(file.isTruncated == false)
      let decoded = try file.readAll()
      #expect(file.isTruncated == true)
      #expect(decoded.frameCount == 2_205)
      #expect(decoded.samples[..<960].allSatisfy { $0 == 0 })
      #expect(decoded.samples[960..<1_984].contains { $0 != 0 })
      #expect(decoded.samples[1_984...] == whole.samples[1_984...])
    }

    @Test func `An oversized packet does not shift the packets behind it`() throws {
      // The third block is doubled within one packet. The fourth packet overlaps with it, and is left out of the
      // comparison.
      let bytes = try FixtureFiles.bytes("aac.aac")
      let whole = try AudioFile(bytes: bytes).readAll()
      var blocks = packets(bytes)
      blocks[2] += blocks[2]
      let file = try AudioFile(bytes: joined(blocks, by: [1, 1, 1, 1, 1], like: bytes))
      let decoded = try file.readAll()
      #expect(decoded.frameCount == 5_120)
      #expect(decoded.samples[..<3_072] == whole.samples[..<3_072])
      #expect(decoded.samples[4_096...] == whole.samples[4_096...])
    }

    /// The bits of a packet, with an extension of spectral band replication in front of the packet's end.
    private func extended(_ packet: [UInt8]) -> [UInt8] {
      var bits = packet.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
      while bits.last == 0 { bits.removeLast() }
      bits.removeLast(3)
      // A fill element of six bytes: the extension without a checksum, padded with zeros.
      bits += [1, 1, 0] + [0, 1, 1, 0] + [1, 1, 0, 1] + [UInt8](repeating: 0, count: 44) + [1, 1, 1]
      bits += [UInt8](repeating: 0, count: (8 - bits.count % 8) % 8)
      return stride(from: 0, to: bits.count, by: 8).map { bits[$0..<$0 + 8].reduce(0) { $0 << 1 | $1 } }
    }

    @Test func `A file whose packets signal high-efficiency AAC is rejected as an unsupported encoding`() throws {
      let bytes = try FixtureFiles.bytes("aac.aac")
      let stream = joined(packets(bytes).map(extended), by: [1, 1, 1, 1, 1], like: bytes)
      let error = failure { () throws(AudioFileError) in _ = try AudioFile(bytes: stream) }
      #expect(error?.code == .unsupportedEncoding)
    }
  #endif
}
