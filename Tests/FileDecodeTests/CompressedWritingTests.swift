import FileDecode
import Testing

/// A written compressed file decodes to the same number of frames, without a shift.
@Suite struct CompressedWritingTests {
  @Test(arguments: [1, 2_205, 4_800, 4_801, 20_000])
  func `Apple Lossless comes back to the bit`(frameCount: Int) throws {
    let folder = try TemporaryFolder()
    let original = try noise(frameCount, .stereo(sampleRate: 44_100))
    let file = try AudioFile(opening: save(original, to: folder.file("a.caf"), codec: .alac))
    #expect(file.codec == .alac)
    #expect(try file.readAll(as: Int16.self) == original)
  }

  @Test(arguments: 1...8)
  func `Apple Lossless keeps the order of the channels`(channelCount: Int) throws {
    let folder = try TemporaryFolder()
    let format = PCMFormat(sampleRate: 44_100, layout: .usual(channelCount: channelCount))
    let original = try noise(500, format)
    let path = try save(original, to: folder.file("a.caf"), codec: .alac)
    #expect(try AudioFile(opening: path).readAll(as: Int16.self) == original)
  }

  @Test(arguments: ["surround.caf", "surround.m4a"])
  func `Surround in Apple Lossless comes in WAVE order`(name: String) throws {
    let decoded = try AudioFile(opening: FixtureFiles.path(name)).readAll()
    #expect(decoded.format.layout == .surround51)
    // Each channel has a higher tone than the channel before it, and crosses zero more often.
    let crossings = (0..<6).map { channel in
      let samples = decoded.channel(channel)
      return zip(samples, samples.dropFirst()).filter { ($0 < 0) != ($1 < 0) }.count
    }
    #expect(crossings == crossings.sorted())
    #expect(Set(crossings).count == 6)
  }

  @Test(arguments: ["a.mp3", "a.opus"], [2_205, 4_800, 4_801, 20_000, 60_000])
  func `MP3 and Opus come back as long as they were, to the last frame`(name: String, frameCount: Int) throws {
    let folder = try TemporaryFolder()
    let original = try tones(frameCount, .mono(sampleRate: 48_000))
    let file = try AudioFile(opening: save(original, to: folder.file(name)))
    let decoded = try file.readAll()
    #expect(decoded.frameCount == frameCount)
    #expect(file.isTruncated == false)
    #expect(lag(of: decoded.samples, behind: Array(original.samples.prefix(4_000)), within: -79..<80) == 0)
    for part in [0..<200, frameCount - 400..<frameCount - 200, frameCount - 200..<frameCount] {
      #expect(signalToNoise(decoded.samples[part], original.samples[part]) > 8, "\(part) of \(frameCount)")
    }
  }

  @Test func `Rates that a codec does not have are refused in a sentence`() throws {
    let folder = try TemporaryFolder()
    for (name, sampleRate) in [("a.opus", 44_100), ("a.mp3", 96_000), ("a.ogg", 4_000)] {
      let error = failure { () throws(AudioFileError) in
        _ = try AudioFileWriter(creating: folder.file(name), format: .mono(sampleRate: sampleRate))
      }
      #expect(error?.code == .unsupportedFormat)
    }
    #expect(try folder.names().isEmpty)
  }
}
