import FileDecode
import Foundation
import Testing

@Suite struct DamagedFileTests {
  @Test func `Absurd channel counts and rates are refused in a sentence`() throws {
    let folder = try TemporaryFolder()
    let data = [UInt8](repeating: 0, count: 8_192)
    for (channelCount, sampleRate) in [
      (0, 44_100), (33, 44_100), (1_024, 44_100), (1_025, 44_100), (1, 0), (1, 1), (1, 999),
      (1, 768_001), (1, 2_147_483_647), (1, 0xFFFF_FFFF),
    ] {
      let path = try folder.write(wav(channelCount: channelCount, sampleRate: sampleRate, data: data), as: "a.wav")
      let error = try #require(openingFailure(path))
      #expect(error.code == .unsupportedFormat || error.code == .damagedFile)
      #expect(error.message.hasPrefix(path))
    }
    let wide = try #require(openingFailure(folder.write(wav(channelCount: 64, data: data), as: "b.wav")))
    #expect(wide.code == .unsupportedFormat)
    #expect(wide.message.contains("has 64 channels. Files with 1 to 32 channels can be read"))
    let slow = try #require(openingFailure(folder.write(wav(sampleRate: 10, data: data), as: "c.wav")))
    #expect(slow.message.contains("has a sample rate of 10 Hz. Files of 1000 to 768000 Hz can be read"))
  }

  @Test func `32 channels at 768 kHz, and one at 1 kHz, are read`() throws {
    let folder = try TemporaryFolder()
    let data = [UInt8](repeating: 1, count: 6_400)
    let wide = try AudioFile(opening: folder.write(wav(channelCount: 32, sampleRate: 768_000, data: data), as: "a.wav"))
    #expect(try wide.readAll().frameCount == 100)
    #expect(wide.format == PCMFormat(sampleRate: 768_000, layout: .discrete(32)))
    let slow = try AudioFile(opening: folder.write(wav(sampleRate: 1_000, data: data), as: "b.wav"))
    #expect(try slow.readAll().frameCount == 3_200)
  }

  @Test func `A header alone is damaged, not a crash`() throws {
    let folder = try TemporaryFolder()
    for name in ["a.wav", "a.aiff", "a.caf", "a.flac", "a.ogg"] {
      let whole = try bytes(of: save(noise(300, .mono(sampleRate: 8_000)), to: folder.file(name)))
      for count in 1..<min(whole.count, 200) {
        let path = try folder.write(Array(whole.prefix(count)), as: "cut")
        var frameCount = 0
        let error = failure { () throws(AudioFileError) in
          frameCount = try AudioFile(opening: path).readAll().frameCount
        }
        #expect(frameCount < 300)
        #expect(error?.message.hasPrefix(path) != false)
      }
    }
  }

  @Test func `A cut WAV or AIFF file reports its truncation before reading and returns the remaining frames`() throws {
    let folder = try TemporaryFolder()
    let original = try noise(1_000, .mono(sampleRate: 44_100))
    for name in ["a.wav", "a.aiff"] {
      let whole = try bytes(of: save(original, to: folder.file(name)))
      let file = try AudioFile(opening: folder.write(Array(whole.dropLast(1_000)), as: "cut"))
      #expect(file.isTruncated == true)
      let decoded = try file.readAll(as: Int16.self)
      #expect(decoded.samples == Array(original.samples.prefix(500)))
      #expect(file.isTruncated == true)
    }
  }

  @Test func `A WAV file from a pipe is read to its end and is not truncated`() throws {
    let folder = try TemporaryFolder()
    let bytes = wav(dataSize: 0xFFFF_FFFF, data: [UInt8](repeating: 3, count: 2_000))
    let file = try AudioFile(opening: folder.write(bytes, as: "a.wav"))
    #expect(try file.readAll().frameCount == 1_000)
    #expect(file.isTruncated == false)
  }

  @Test func `A WAV file with a false size reserves no memory for it`() throws {
    let folder = try TemporaryFolder()
    let bytes = wav(dataSize: 0x7000_0000, data: [UInt8](repeating: 3, count: 2_000))
    let file = try AudioFile(opening: folder.write(bytes, as: "a.wav"))
    let decoded = try file.readAll()
    #expect(decoded.frameCount == 1_000)
    #expect(decoded.samples.capacity <= 8_192)
    #expect(file.isTruncated == true)
  }

  @Test func `A FLAC file that claims 2^36 - 1 frames returns the frames that exist`() throws {
    let folder = try TemporaryFolder()
    let original = try noise(2_000, .mono(sampleRate: 44_100))
    var bytes = try bytes(of: save(original, to: folder.file("a.flac")))
    // The total is the 36 bits that end 26 bytes into the file.
    bytes[21] |= 0x0F
    for index in 22..<26 { bytes[index] = 0xFF }
    let file = try AudioFile(opening: folder.write(bytes, as: "b.flac"))
    #expect(file.frameCount == nil)
    let decoded = try file.readAll(as: Int16.self)
    #expect(decoded == original)
    #expect(decoded.samples.capacity < 1 << 20)
    #expect(file.isTruncated == true)
  }

  @Test func `A FLAC file without a length is read to its end`() throws {
    let folder = try TemporaryFolder()
    let original = try noise(20_000, .mono(sampleRate: 44_100))
    var bytes = try bytes(of: save(original, to: folder.file("a.flac")))
    bytes[21] &= 0xF0
    for index in 22..<26 { bytes[index] = 0 }
    let file = try AudioFile(opening: folder.write(bytes, as: "b.flac"))
    #expect(file.frameCount == nil)
    #expect(try file.readAll(as: Int16.self) == original)
    #expect(file.isTruncated == false)
    var block = PCMBuffer<Float>(format: file.format)
    try file.seek(toFrame: 19_999)
    #expect(try file.read(into: &block) == 1)
    #expect(block.samples == [original.samples[19_999].signal])
    try file.seek(toFrame: 1 << 40)
    #expect(try file.read(into: &block) == 0)
  }

  @Test(arguments: ["a.flac", "a.ogg"])
  func `A cut compressed file returns its whole frames, reports its truncation and stays seekable`(name: String) throws
  {
    let folder = try TemporaryFolder()
    let path = try save(noise(100_000, .mono(sampleRate: 44_100)), to: folder.file(name))
    let whole = try AudioFile(opening: path).readAll()
    let bytes = try bytes(of: path)
    let file = try AudioFile(opening: folder.write(Array(bytes.prefix(bytes.count * 2 / 3)), as: "cut"))
    let decoded = try file.readAll()
    #expect(file.isTruncated == true)
    try #require((20_000..<90_000).contains(decoded.frameCount))
    // With the trait LibAVCodec, libsndfile decodes the cut file, and libavcodec the whole file.
    let difference = largestDifference(decoded.samples, whole.samples.prefix(decoded.frameCount))
    #expect(difference <= sampleTolerance(of: file.codec))
    var block = PCMBuffer<Float>(format: file.format)
    for frame in [10_000, 0, decoded.frameCount - 1, 5, 99_999, 1_000] {
      try file.seek(toFrame: frame)
      let count = try file.read(into: &block, maxFrames: 10)
      #expect(count == max(0, min(10, decoded.frameCount - frame)))
      #expect(block.samples == Array(decoded.samples.dropFirst(frame).prefix(count)))
    }
  }

  @Test(arguments: ["a.wav", "a.aiff", "a.caf", "a.flac", "a.ogg", "a.opus", "a.mp3"])
  func `A shrinking file fails every read past its new end and is truncated`(name: String) throws {
    let folder = try TemporaryFolder()
    // Long enough that no decoder has read it all ahead.
    let path = try save(noise(960_000, .mono(sampleRate: 48_000)), to: folder.file(name))
    let whole = try AudioFile(opening: path).readAll()
    let file = try AudioFile(opening: path)
    var block = PCMBuffer<Float>(format: file.format)
    #expect(try file.read(into: &block) == 4_096)
    let size = try bytes(of: path).count
    try FileHandle(forUpdating: URL(fileURLWithPath: path)).truncate(atOffset: UInt64(size / 3))

    var samples = block.samples
    let error = failure { () throws(AudioFileError) in
      while try file.read(into: &block) > 0 { samples += block.samples }
    }
    #expect(error?.code == .fileChanged)
    #expect(error?.message.hasPrefix("\(path) became shorter while it was read.") == true)
    #expect(samples.count < whole.samples.count / 2)
    #expect(samples == Array(whole.samples.prefix(samples.count)))
    #expect(file.isTruncated == true)
    let second = failure { () throws(AudioFileError) in while try file.read(into: &block) > 0 {} }
    #expect(second?.code == .fileChanged)
    #expect(failure { () throws(AudioFileError) in _ = try file.readAll() }?.code == .fileChanged)
  }
}
