import FileDecode
import TestSupport
import Testing

@Suite struct SeekTests {
  /// Seeks at random and compares the samples with the file decoded in one pass.
  private func checkSeeks(_ path: String, count: Int, seed: UInt64, tolerance: Float = 0) throws {
    let file = try AudioFile(opening: path)
    let whole = try AudioFile(opening: path).readAll()
    let channelCount = whole.format.channelCount
    var generator = SplitMix64(seed: seed)
    var block = PCMBuffer<Float>(format: file.format)
    for _ in 0..<count {
      let frame = Int.random(in: 0...whole.frameCount, using: &generator)
      let maxFrames = Int.random(in: 1...2_000, using: &generator)
      try file.seek(toFrame: frame)
      let read = try file.read(into: &block, maxFrames: maxFrames)
      try #require(read == min(maxFrames, whole.frameCount - frame))
      let expected = whole.samples[frame * channelCount..<(frame + read) * channelCount]
      let error = zip(block.samples, expected).map { abs($0 - $1) }.max() ?? 0
      try #require(error <= tolerance)
    }
  }

  @Test(arguments: ["a.wav", "a.flac", "a.ogg", "a.aiff", "a.caf"])
  func `300 random seeks land on the very frame`(name: String) throws {
    let folder = try TemporaryFolder()
    let path = try save(noise(50_000, .stereo(sampleRate: 44_100)), to: folder.file(name))
    try checkSeeks(path, count: 300, seed: 300)
  }

  @Test func `Seeks land on the very frame in formats that are only read`() throws {
    let folder = try TemporaryFolder()
    for (name, bytes) in [
      ("opus", Fixtures.opus), ("mp3", Fixtures.mp3), ("alac", Fixtures.alac), ("adpcm", Fixtures.imaADPCM),
      ("untagged mp3", silentMP3(packetCount: 20)),
    ] {
      // The MP3 decoder adds in another order after a seek, which changes the last bit.
      let tolerance: Float = name == "mp3" ? 1e-6 : 0
      try checkSeeks(folder.write(bytes, as: name), count: 100, seed: 100, tolerance: tolerance)
    }
  }

  @Test(arguments: FixtureFiles.decodable)
  func `300 random seeks land on the very frame in every format that is only read`(name: String) throws {
    // The MP3 decoder adds in another order after a seek, which changes the last bit.
    let isMPEG = name.hasSuffix("mp3") || name.hasSuffix("mp2")
    try checkSeeks(FixtureFiles.path(name), count: 300, seed: 7, tolerance: isMPEG || name.contains("aac") ? 1e-6 : 0)
  }

  @Test func `Seeks in a long MP3 land on the very frame, from its index`() throws {
    let folder = try TemporaryFolder()
    // The packets of a tone, repeated: each takes bits from the packet before it.
    let bytes = try FixtureFiles.bytes("untagged.mp3")
    let long = (0..<70).flatMap { _ in bytes }
    try checkSeeks(folder.write(long, as: "a.mp3"), count: 60, seed: 8, tolerance: 1e-6)
  }

  @Test(arguments: ["a.wav", "a.flac", "a.ogg"])
  func `A seek beyond an end stops at that end`(name: String) throws {
    let folder = try TemporaryFolder()
    let file = try AudioFile(opening: save(noise(10_000, .mono(sampleRate: 44_100)), to: folder.file(name)))
    let whole = try file.readAll()
    var block = PCMBuffer<Float>(format: file.format)
    for frame in [10_000, 10_001, Int.max] {
      try file.seek(toFrame: frame)
      #expect(try file.read(into: &block) == 0)
      #expect(try file.read(into: &block) == 0)
    }
    for frame in [-1, Int.min] {
      try file.seek(toFrame: 5_000)
      try file.seek(toFrame: frame)
      #expect(try file.read(into: &block, maxFrames: 100) == 100)
      #expect(block.samples == Array(whole.samples.prefix(100)))
    }
    #expect(file.isTruncated == false)
  }

  @Test func `A seek that fails leaves a file that can be read`() throws {
    let folder = try TemporaryFolder()
    let path = try save(noise(60_000, .mono(sampleRate: 44_100)), to: folder.file("a.flac"))
    var bytes = try bytes(of: path)
    // The middle of the file becomes unreadable.
    for index in bytes.count / 2..<bytes.count / 2 + 20_000 { bytes[index] = 0 }
    let damaged = try folder.write(bytes, as: "b.flac")
    let file = try AudioFile(opening: damaged)
    let linear = try file.readAll()
    #expect(file.isTruncated == true)
    var block = PCMBuffer<Float>(format: file.format)
    for frame in [30_000, 59_999, 0, 100, 45_000, 10] {
      try file.seek(toFrame: frame)
      let count = try file.read(into: &block, maxFrames: 50)
      #expect(count <= 50)
      if frame < 1_000 {
        #expect(block.samples == Array(linear.samples[frame..<frame + 50]))
      }
    }
  }
}
