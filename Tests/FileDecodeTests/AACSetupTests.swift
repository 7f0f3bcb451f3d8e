import TestSupport
import Testing

@testable import FileDecode

/// The setup of AAC, its bare packets, and the stream that its decoder gets.
@Suite struct AACSetupTests {
  private static let rates = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
  ]

  @Test func `Each field of a configuration is that of the standard`() throws {
    let counts = [nil, 1, 2, 3, 4, 5, 6, 8] + [Int?](repeating: nil, count: 8)
    var wrong: [Int] = []
    for word in stride(from: 0, to: 1 << 16, by: 4) {
      let (object, rate, isShort) = (word >> 11, word >> 7 & 15, word & 4 != 0)
      let frames = [1, 2, 3, 4].contains(object) ? (isShort ? 960 : 1_024) : object == 23 ? (isShort ? 480 : 512) : nil
      // The last bits belong to other fields.
      let bytes = [UInt8(word >> 8), UInt8(word & 0xFF) | UInt8(word >> 4 & 3), 9]
      let found = try #require(AACConfiguration(bytes: bytes))
      let isRight =
        found.bytes == bytes && found.sampleRate == (rate < 13 ? AACSetupTests.rates[rate] : nil)
        && found.channelCount == counts[word >> 3 & 15] && found.framesPerPacket == (rate == 15 ? nil : frames)
      if !isRight { wrong.append(word) }
    }
    #expect(wrong == [])
    #expect(AACConfiguration(bytes: [0x12]) == nil && AACConfiguration(bytes: []) == nil)
    #expect(AACConfiguration(bytes: [0x12, 0x10]) != nil)
  }

  private func configuration(_ descriptors: [UInt8]) -> [UInt8]? {
    // Within larger bytes, as the content of a box is.
    AACConfiguration(descriptors: ([5, 5, 5] + descriptors).dropFirst(3))?.bytes
  }

  @Test func `The configuration lies among descriptors of any size`() {
    let inner: [UInt8] = [5, 2, 0x12, 0x10]
    let decoder = [4, 17] + [UInt8](repeating: 0x40, count: 13) + inner
    #expect(configuration(inner) == [0x12, 0x10])
    #expect(configuration([5, 4, 0x12, 0x10, 3, 4, 5]) == [0x12, 0x10, 3, 4])
    #expect(configuration([5, 9, 0x12, 0x10, 3]) == [0x12, 0x10, 3])
    #expect(configuration([5, 1, 0x12, 0x10]) == nil)
    #expect(configuration(decoder) == [0x12, 0x10])
    for (flags, extra) in [(0, 0), (0x1F, 0), (0x80, 2), (0x20, 2), (0xA0, 4), (0xFF, 4)] as [(UInt8, Int)] {
      let stream = [3, 30, 0, 1, flags] + [UInt8](repeating: 0, count: extra) + decoder
      #expect(configuration(stream) == [0x12, 0x10], "\(flags)")
    }
    #expect(configuration([3, 3, 0, 1]) == nil)
    // Sizes of up to four bytes of seven bits.
    for size in [[2], [0x80, 2], [0x80, 0x80, 2], [0x80, 0x80, 0x80, 2]] as [[UInt8]] {
      #expect(configuration([5] + size + [0x12, 0x10, 7]) == [0x12, 0x10], "\(size)")
      #expect(configuration([6] + size + [1, 1] + inner) == [0x12, 0x10], "\(size)")
    }
    // The fourth byte is the last, whatever its highest bit.
    #expect(configuration([5, 0x80, 0x80, 0x80, 0x82, 0x12, 0x10, 7]) == [0x12, 0x10])
    let long = [UInt8](repeating: 7, count: 130)
    #expect(configuration([6, 0x81, 0x02] + long + inner) == [0x12, 0x10])
    #expect(
      configuration([6, 0x82, 0x81, 0x00] + [UInt8](repeating: 7, count: 1 << 15 + 128) + inner) == [0x12, 0x10]
    )
  }

  @Test func `The search ends behind eight descriptors`() {
    let inner: [UInt8] = [5, 2, 0x12, 0x10]
    let seven = (0..<7).flatMap { _ in [6, 1, 0] as [UInt8] }
    #expect(configuration(seven + inner) == [0x12, 0x10])
    #expect(configuration(seven + [6, 0] + inner) == nil)
    #expect(configuration([]) == nil && configuration([5]) == nil && configuration([6, 4]) == nil)
  }

  // MARK: Bare packets

  /// The header of blocks.
  private func header(
    _ byteCount: Int,
    blocks: Int = 1,
    checksum: Bool = false,
    rate: Int = 4,
    channels: Int = 2
  ) -> [UInt8] {
    let second = 0xF0 | (checksum ? 0 : 1)
    let third = 1 << 6 | rate << 2 | channels >> 2
    let fourth = (channels & 3) << 6 | byteCount >> 11
    return [0xFF, second, third, fourth, byteCount >> 3 & 0xFF, (byteCount & 7) << 5 | 0x1F, 0xFC | (blocks - 1)].map {
      UInt8($0)
    }
  }

  private func packet(_ byteCount: Int, blocks: Int = 1, checksum: Bool = false, rate: Int = 4, channels: Int = 2)
    -> [UInt8]
  {
    header(byteCount, blocks: blocks, checksum: checksum, rate: rate, channels: channels)
      + [UInt8](repeating: 0, count: byteCount - 7)
  }

  private func scan(_ file: [UInt8], from offset: Int = 0) -> ADTSScan? {
    ADTSScan(from: offset) { Array(file.dropFirst($0).prefix($1)) }
  }

  @Test func `A header counts its bytes and its blocks`() throws {
    for byteCount in [7, 8, 9, 10, 12, 13, 15, 16, 18, 19, 100, 2_047, 2_048, 8_191] {
      for blocks in 1...4 {
        for checksum in [false, true] {
          let found = try #require(ADTSScan.Header(header(byteCount, blocks: blocks, checksum: checksum)))
          #expect(found.byteCount == byteCount && found.hasChecksum == checksum)
          // A block of silence has three bytes.
          #expect(found.blockCount == max(min(blocks, (byteCount - 7) / 3), 1), "\(byteCount), \(blocks)")
        }
      }
    }
    #expect(ADTSScan.Header(header(6)) == nil && ADTSScan.Header(Array(header(7).dropLast())) == nil)
    #expect(ADTSScan.Header(header(7) + [0]) == nil && ADTSScan.Header([]) == nil)
    // The bits of the sync, and of a layer that AAC does not have; the version and the checksum may differ.
    for bit in 0..<16 {
      var bytes = header(7)
      bytes[bit / 8] ^= 0x80 >> UInt8(bit % 8)
      #expect((ADTSScan.Header(bytes) != nil) == [12, 15].contains(bit), "\(bit)")
    }
  }

  @Test func `Packets lie behind each other, and those that share a header are empty`() throws {
    let file = [1, 2] + packet(20) + packet(40, blocks: 3) + packet(30)
    let found = try #require(scan(file, from: 2))
    #expect(found.packets == [2..<22, 22..<62, 62..<62, 62..<62, 62..<92])
    #expect(found.sampleRate == 44_100 && found.channelCount == 2 && !found.isCut && !found.hasHiddenBlocks)
    let table = PacketTable(packetCount: 5, framesPerPacket: 1_024, priming: nil, valid: nil, source: .none)
    #expect(found.table == table && ADTSScan.framesPerPacket == 1_024)
    for missing in 1..<30 {
      let cut = try #require(scan(Array(file.dropLast(missing)), from: 2))
      #expect(cut.packets.count == 4 && cut.isCut == (missing <= 23), "\(missing)")
    }
    #expect(try #require(scan(file + [0, 0, 0], from: 2)) == found)
    #expect(scan(file, from: 1) == nil && scan([]) == nil)
    #expect(try #require(scan(packet(20, checksum: true))).hasHiddenBlocks == false)
    #expect(try #require(scan(packet(20) + packet(20, blocks: 2, checksum: true))).hasHiddenBlocks)
    #expect(try #require(scan(packet(20, checksum: true) + packet(20, blocks: 2))).hasHiddenBlocks == false)
  }

  @Test func `A stream has one of thirteen rates, and one to eight channels`() throws {
    for rate in 0..<16 {
      #expect(scan(packet(20, rate: rate))?.sampleRate == (rate < 13 ? AACSetupTests.rates[rate] : nil))
    }
    for (code, count) in [2, 1, 2, 3, 4, 5, 6, 8].enumerated() {
      #expect(try #require(scan(packet(20, channels: code))).channelCount == count)
    }
  }

  @Test func `The decoder gets the packets of a bare stream and of an MPEG-4 file`() throws {
    let found = try #require(scan(packet(20, rate: 3, channels: 6) + packet(30)))
    let bare = AACStream(found)
    #expect(bare.configuration == [] && bare.packets == [0..<20, 20..<50] && bare.framesPerPacket == 1_024)
    #expect(bare.format == PCMFormat(sampleRate: 48_000, layout: .surround51))
    var movie = HandMadeMovie(packetCount: 3)
    movie.setup = box("esds", big(0, 4) + descriptors([0x13, 0x14]))
    let track = try #require(MPEG4Track(movie.bytes, fileSize: 100))
    let stream = AACStream(track)
    #expect(stream.configuration == [0x13, 0x14] && stream.packets == [0..<1, 1..<2, 2..<3])
    #expect(stream.framesPerPacket == 960 && stream.format == .stereo(sampleRate: 24_000))
  }

  @Test func `The decoder gets the packets of a CAF file with possible numbers`() throws {
    func stream(rate: Double = 44_100, frames: UInt64 = 1_024, cookie: [UInt8]? = nil, start: Int = 0) throws
      -> AACStream?
    {
      let description =
        big(rate.bitPattern, 8) + Array("aac ".utf8) + big(0, 4) + big(0, 4) + big(frames, 4) + big(4, 4) + big(0, 4)
      let setup = cookie ?? descriptors([0x12, 0x10])
      // Where a packet has no common number of frames, each has one in the table.
      let sizes: [UInt8] = frames == 0 ? [40, 1, 50, 1] : [40, 50]
      let bytes =
        Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + big(32, 8) + description + Array("kuki".utf8)
        + big(UInt64(setup.count), 8) + setup + Array("pakt".utf8) + big(UInt64(24 + sizes.count), 8) + big(2, 8)
        + big(2_048, 8) + big(0, 8) + sizes
      let data = AudioChunk(offset: 1_000, byteCount: nil)
      let structure = CAFStructure(data, fileSize: 2_000) { Array(bytes.dropFirst($0).prefix($1)) }
      return AACStream(try #require(structure), .mono)
    }
    let found = try #require(try stream())
    #expect(found.configuration == [0x12, 0x10] && found.packets == [1_004..<1_044, 1_044..<1_094])
    #expect(found.framesPerPacket == 1_024 && found.format == .stereo(sampleRate: 44_100))
    // A configuration without channels of its own.
    #expect(try stream(cookie: descriptors([0x12, 0x00]))?.format.channelCount == 4)
    #expect(try stream(cookie: [1, 2, 3]) == nil)
    for (rate, isValid) in [
      (0, true), (-1, false), (1e9, true), (1_000_000_001, false), (.infinity, false), (.nan, false),
    ] as [(Double, Bool)] {
      #expect((try stream(rate: rate) != nil) == isValid, "\(rate)")
      if isValid { #expect(try stream(rate: rate)?.format.sampleRate == Int(rate)) }
    }
    for (frames, isValid) in [(0, false), (1, true), (65_536, true), (65_537, false)] as [(UInt64, Bool)] {
      #expect((try stream(frames: frames)?.framesPerPacket == Int(frames)) == isValid, "\(frames)")
      #expect((try stream(frames: frames) != nil) == isValid)
    }
  }
}
