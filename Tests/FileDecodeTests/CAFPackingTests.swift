import Testing

@testable import FileDecode

/// The headers that this library puts in front of packets for libsndfile, byte by byte.
@Suite struct CAFPackingTests {
  /// The structure of a CAF file.
  private func structure(
    _ format: String,
    rate: Double = 44_100,
    packet: (bytes: UInt64, frames: UInt64),
    channelCount: UInt64 = 1,
    rest: [UInt8],
    content: [UInt8]
  ) throws -> (structure: CAFStructure, description: [UInt8]) {
    let description =
      big(rate.bitPattern, 8) + Array(format.utf8) + big(7, 4) + big(packet.bytes, 4) + big(packet.frames, 4)
      + big(channelCount, 4) + big(16, 4)
    let bytes =
      Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + big(32, 8) + description + rest + Array("data".utf8)
      + big(UInt64.max, 8) + big(0, 4) + content
    let data = AudioChunk(offset: bytes.count - content.count - 4, byteCount: nil)
    let found = CAFStructure(data, fileSize: bytes.count) { Array(bytes.dropFirst($0).prefix($1)) }
    return (try #require(found), description)
  }

  @Test func `Samples get a header with their size and their own description`() throws {
    let (found, description) = try structure(
      "lpcm",
      packet: (4, 1),
      rest: [],
      content: [UInt8](repeating: 1, count: 1_003)
    )
    let expected =
      Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + big(32, 8) + description + Array("data".utf8)
      + big(1_004, 8) + big(0, 4)
    #expect(CAFPacking.header(found) == expected)
  }

  /// The bytes of the rate 44,100 Hz in AIFF: the exponent 15 and the number with its highest bit in front.
  private let extended: [UInt8] = [0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0]

  @Test func `IMA ADPCM gets a header of AIFC`() throws {
    let content = [UInt8](repeating: 1, count: 3 * 68 + 5)
    let (found, _) = try structure("ima4", packet: (68, 64), channelCount: 2, rest: [], content: content)
    let common = big(2, 2) + big(3, 4) + big(16, 2) + extended + Array("ima4".utf8) + [0, 0]
    let expected =
      Array("FORM".utf8) + big(4 + 12 + 8 + 24 + 16 + 204, 4) + Array("AIFCFVER".utf8) + big(4, 4)
      + big(0xA280_5140, 4) + Array("COMM".utf8) + big(24, 4) + common + Array("SSND".utf8) + big(212, 4) + big(0, 8)
    #expect(CAFPacking.header(found) == expected)
    for (bytes, channelCount) in [(67, 2), (34, 2), (68, 1), (0, 0), (17, 2)] as [(UInt64, UInt64)] {
      let other = try structure("ima4", packet: (bytes, 64), channelCount: channelCount, rest: [], content: content)
      #expect(CAFPacking.header(other.structure) == nil, "\(bytes), \(channelCount)")
    }
  }

  @Test func `The rate of AIFC has ten bytes`() throws {
    let cases: [(rate: Double, bytes: [UInt8])] = [
      (44_100, extended), (1, [0x3F, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0]),
      (48_000, [0x40, 0x0E, 0xBB, 0x80, 0, 0, 0, 0, 0, 0]),
      (2, [0x40, 0x00, 0x80, 0, 0, 0, 0, 0, 0, 0]), (1.5, [0x3F, 0xFF, 0xC0, 0, 0, 0, 0, 0, 0, 0]),
      (999_999_999, [0x40, 0x1C, 0xEE, 0x6B, 0x27, 0xFC, 0, 0, 0, 0]),
    ]
    for (rate, bytes) in cases {
      let (found, _) = try structure("ima4", rate: rate, packet: (34, 64), rest: [], content: [])
      let header = try #require(CAFPacking.header(found))
      // Behind the form, the version, and the header of the next chunk: channels, packets and bits.
      #expect(Array(header[(12 + 12 + 8 + 8)...].prefix(10)) == bytes, "\(rate)")
    }
    for rate in [0.999, 0, -44_100, 1e9, .infinity, .nan] {
      let (found, _) = try structure("ima4", rate: rate, packet: (34, 64), rest: [], content: [])
      #expect(CAFPacking.header(found) == nil, "\(rate)")
    }
  }

  /// The header of packets of Apple Lossless with these sizes.
  private func lossless(
    _ cookie: [UInt8],
    flags: UInt64,
    frames: UInt64,
    channelCount: UInt64,
    packets: UInt64,
    table: [UInt8],
    byteCount: UInt64
  ) -> [UInt8] {
    let description =
      big((44_100.0).bitPattern, 8) + Array("alac".utf8) + big(flags, 4) + big(0, 4) + big(frames, 4)
      + big(channelCount, 4) + big(0, 4)
    let numbers = big(packets, 8) + big(packets * min(frames, 1 << 20), 8) + big(0, 8)
    return Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + big(32, 8) + description + Array("kuki".utf8)
      + big(24, 8) + cookie + Array("pakt".utf8) + big(UInt64(24 + table.count), 8) + numbers + table
      + Array("data".utf8) + big(4 + byteCount, 8) + big(0, 4)
  }

  @Test(arguments: [(16, 1), (20, 2), (24, 3), (32, 4), (8, 0)] as [(UInt8, UInt64)])
  func `Apple Lossless gets a description with its number of bits`(bits: UInt8, flags: UInt64) throws {
    let cookie = losslessCookie(frames: 4_096, bits: bits, channelCount: 3)
    // Two packets of 300 and 5 bytes.
    let numbers = big(2, 8) + big(8_000, 8) + big(0, 8)
    let rest =
      Array("kuki".utf8) + big(24, 8) + cookie + Array("pakt".utf8) + big(27, 8) + numbers + [0x82, 0x2C, 5]
    let (found, _) = try structure("alac", packet: (0, 4_096), rest: rest, content: [UInt8](repeating: 1, count: 400))
    let expected = lossless(
      cookie,
      flags: flags,
      frames: 4_096,
      channelCount: 3,
      packets: 2,
      table: [0x82, 0x2C, 5],
      byteCount: 305
    )
    #expect(CAFPacking.header(found) == expected)
    let bare = try structure("alac", packet: (0, 4_096), rest: [], content: [])
    #expect(CAFPacking.header(bare.structure) == nil)
  }

  @Test func `Packets of an MPEG-4 file get the same header`() throws {
    for (frames, sizes, table) in [
      (
        4_096, [1, 127, 128, 16_383, 16_384, 2_097_152],
        [1, 127, 0x81, 0, 0xFF, 127, 0x81, 0x80, 0, 0x81, 0x80, 0x80, 0]
      ),
      (65_536, [200], [0x81, 72]), (1, [], []),
    ] as [(UInt64, [UInt64], [UInt8])] {
      var movie = HandMadeMovie()
      let cookie = losslessCookie(frames: frames, bits: 24, channelCount: 2)
      (movie.codec, movie.setup) = ("alac", box("alac", big(0, 4) + cookie))
      movie.sizes = (0, UInt64(sizes.count), sizes)
      movie.runs = [(1, UInt64(sizes.count))]
      let track = try #require(MPEG4Track(movie.bytes, fileSize: 1 << 30))
      let expected = lossless(
        cookie,
        flags: 3,
        frames: frames,
        channelCount: 2,
        packets: UInt64(sizes.count),
        table: table,
        byteCount: sizes.reduce(0, +)
      )
      #expect(CAFPacking.header(track) == expected)
    }
  }

  @Test func `A packet of Apple Lossless counts a million frames at most`() throws {
    let cookie = losslessCookie(frames: 0x7FFF_FFFF)
    let rest =
      Array("kuki".utf8) + big(24, 8) + cookie + Array("pakt".utf8) + big(25, 8) + big(1, 8) + big(1, 8) + big(0, 8) + [
        9
      ]
    let (found, _) = try structure("alac", packet: (0, 4_096), rest: rest, content: [UInt8](repeating: 1, count: 9))
    let expected = lossless(
      cookie,
      flags: 1,
      frames: 0x7FFF_FFFF,
      channelCount: 1,
      packets: 1,
      table: [9],
      byteCount: 9
    )
    #expect(CAFPacking.header(found) == expected)
  }

  @Test func `The name of the codec stands behind the rate of the first chunk`() throws {
    func isIMA4(_ head: [UInt8]) -> Bool {
      FileSignature { Array(head.dropFirst($0).prefix($1)) }.map { CAFPacking.isIMA4($0) } ?? false
    }
    let start = Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + big(32, 8) + big(0, 8)
    #expect(isIMA4(start + Array("ima4".utf8)))
    #expect(!isIMA4(start + Array("ima".utf8)))
    #expect(!isIMA4(start + Array("lpcm".utf8)))
    #expect(!isIMA4(start + [0] + Array("ima4".utf8)))
  }
}
