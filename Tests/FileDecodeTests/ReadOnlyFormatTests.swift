import FileDecode
import Testing

@Suite struct ReadOnlyFormatTests {
  @Test(arguments: [
    (Fixtures.opus, 48_000, 12_000), (Fixtures.alac, 44_100, 5_000), (Fixtures.mp3, 44_100, 12_000),
  ])
  func `Opus, Apple Lossless and MP3 decode to the encoded tone`(
    bytes: [UInt8],
    sampleRate: Int,
    frameCount: Int
  ) throws {
    let folder = try TemporaryFolder()
    let decoded = try AudioFile(opening: folder.write(bytes, as: "a")).readAll()
    #expect(decoded.format == .mono(sampleRate: sampleRate))
    #expect(decoded.frameCount == frameCount)
    // A tone of 300 Hz crosses zero 600 times a second.
    let middle = decoded.samples.dropFirst(1_000).dropLast(1_000)
    let crossings = zip(middle, middle.dropFirst()).filter { ($0 < 0) != ($1 < 0) }.count
    #expect(abs(crossings - 600 * middle.count / sampleRate) <= 2)
    #expect((0.37...0.46).contains(middle.max() ?? 0))
  }

  @Test func `ADPCM gives the tone in whole blocks`() throws {
    let folder = try TemporaryFolder()
    let decoded = try AudioFile(opening: folder.write(Fixtures.imaADPCM, as: "a.wav")).readAll()
    #expect((4_000..<5_100).contains(decoded.frameCount))
    #expect((0.37...0.43).contains(decoded.samples.max() ?? 0))
  }

  @Test func `Surround Opus comes in WAVE order`() throws {
    let folder = try TemporaryFolder()
    let decoded = try AudioFile(opening: folder.write(Fixtures.surroundOpus, as: "a.opus")).readAll()
    #expect(decoded.format.layout == .surround51)
    // The channels sound in the order of Vorbis: left, centre, right, two at the side, low-frequency.
    let loudest = (0..<6).map { slot in
      (0..<6).max { energy(decoded, $0, slot) < energy(decoded, $1, slot) }
    }
    #expect(loudest == [0, 2, 1, 4, 5, 3])
  }

  private func energy(_ buffer: PCMBuffer<Float>, _ channel: Int, _ slot: Int) -> Float {
    buffer.channel(channel)[slot * 1_920 + 400..<(slot + 1) * 1_920 - 400].reduce(0) { $0 + $1 * $1 }
  }

  @Test func `AU, RF64, Wave64, RIFX, CAF and FLAC behind a tag are read`() throws {
    let folder = try TemporaryFolder()
    let samples = try noise(200, .mono(sampleRate: 22_050)).samples
    let littleEndian = samples.flatMap { little(UInt64(UInt16(bitPattern: $0)), 2) }
    let bigEndian = samples.flatMap { big(UInt64(UInt16(bitPattern: $0)), 2) }
    let bigFormat = big(1, 2) + big(1, 2) + big(22_050, 4) + big(44_100, 4) + big(2, 2) + big(16, 2)
    func text(_ string: String) -> [UInt8] { Array(string.utf8) }
    let rifx =
      text("RIFX") + big(436, 4) + text("WAVEfmt ") + big(16, 4) + bigFormat + text("data") + big(400, 4) + bigEndian
    let flac =
      try id3(500)
      + bytes(of: save(PCMBuffer(samples: samples, format: .mono(sampleRate: 22_050)), to: folder.file("a.flac")))

    for (name, bytes) in [
      ("au", au(bigEndian)), ("rifx", rifx), ("rf64", rf64(littleEndian)), ("w64", w64(littleEndian)),
      ("caf", caf(bigEndian)), ("tagged flac", flac),
    ] {
      let file = try AudioFile(opening: folder.write(bytes, as: name))
      #expect(file.format == .mono(sampleRate: 22_050), "\(name)")
      #expect(try file.readAll(as: Int16.self).samples == samples, "\(name)")
      #expect(file.isTruncated == false, "\(name)")
    }
  }
}
