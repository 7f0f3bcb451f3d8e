import FileDecode
import TestSupport
import Testing

@Suite struct Int16ExactTests {
  @Test(arguments: [
    ("a.wav", AudioCodec.int16, true), ("a.wav", .int24, false), ("a.wav", .float32, false),
    ("a.aiff", .int16, true),
    ("a.caf", .int16, true), ("a.caf", .int32, false), ("a.flac", .int16, true), ("a.flac", .int24, false),
    ("a.ogg", .vorbis, false),
  ])
  func `isExactAsInt16 matches a comparison of the decoded samples`(
    name: String,
    codec: AudioCodec,
    isExact: Bool
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.file(name)
    var generator = SplitMix64(seed: 3)
    let samples = (0..<5_000).map { _ in Float.random(in: -0.9...0.9, using: &generator) }
    var writer = try AudioFileWriter(creating: path, format: .mono(sampleRate: 48_000), codec: codec)
    try writer.write(PCMBuffer(samples: samples, format: .mono(sampleRate: 48_000)))
    try writer.close()
    let file = try AudioFile(opening: path)
    #expect(file.isExactAsInt16 == isExact)
    #expect(((file.bitDepth ?? .max) <= 16) == isExact)
    let floats = try file.readAll().samples
    #expect((try file.readAll(as: Int16.self).samples.map(\.signal) == floats) == isExact)
  }

  @Test(arguments: [
    ("8-bit", wav(bits: 8, data: (0...255).map { UInt8($0) }), true),
    ("µ-law", wav(formatTag: 7, bits: 8, data: (0...255).map { UInt8($0) }), true),
    ("A-law", wav(formatTag: 6, bits: 8, data: (0...255).map { UInt8($0) }), true),
    ("IMA ADPCM", Fixtures.imaADPCM, true), ("16-bit ALAC", Fixtures.alac, true), ("MP3", Fixtures.mp3, false),
    ("Opus", Fixtures.opus, false),
  ])
  func `isExactAsInt16 is true for the encodings that decode to 16 bits`(
    name: String,
    bytes: [UInt8],
    isExact: Bool
  ) throws {
    let folder = try TemporaryFolder()
    let file = try AudioFile(opening: folder.write(bytes, as: "sound"))
    #expect(file.isExactAsInt16 == isExact)
    let floats = try file.readAll().samples
    #expect(!floats.isEmpty)
    if isExact { #expect(try file.readAll(as: Int16.self).samples.map(\.signal) == floats) }
  }
}
