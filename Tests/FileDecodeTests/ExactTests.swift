import FileDecode
import Testing

/// Decoded files match their originals: the same number of frames, no shift, and equal first and last frames.
@Suite struct ExactTests {
  private struct Expectation: Sendable, CustomTestStringConvertible {
    let name: String
    let codec: AudioCodec
    /// The least ratio of signal to error, in decibels.
    let quality: Double
    /// The number of frames of the sound, and of all packets.
    var frames = 2_205
    var lag = 0
    var testDescription: String { name }
  }

  private static let expectations = [
    Expectation(name: "alaw.wav", codec: .aLaw, quality: 30),
    Expectation(name: "mulaw.wav", codec: .muLaw, quality: 30),
    Expectation(name: "ms.wav", codec: .msADPCM, quality: 20),
    Expectation(name: "ima.wav", codec: .imaADPCM, quality: 15),
    Expectation(name: "ima4.aifc", codec: .imaADPCM, quality: 15, frames: 2_240),
    Expectation(name: "ima4.caf", codec: .imaADPCM, quality: 15, frames: 2_240),
    Expectation(name: "alac.caf", codec: .alac, quality: 100),
    Expectation(name: "alac.m4a", codec: .alac, quality: 100),
    Expectation(name: "streamed.flac", codec: .flac, quality: 100),
    Expectation(name: "tagged.mp3", codec: .mp3, quality: 20),
    Expectation(name: "untagged.mp3", codec: .mp3, quality: 20, frames: 3_456, lag: 1_105),
    Expectation(name: "untagged-vbr.mp3", codec: .mp3, quality: 20, frames: 3_456, lag: 1_105),
    Expectation(name: "layer2.mp2", codec: .mp2, quality: 15, frames: 2_304, lag: 481),
    Expectation(name: "vorbis.ogg", codec: .vorbis, quality: 15),
  ]

  #if LibAVCodec
    /// The sound without padding, in each container that declares the sound's frames.
    @Test(arguments: ["aac-itunes.m4a", "aac-edit.m4a", "aac-ffmpeg.m4a", "aac.caf"])
    func `AAC is trimmed to the sound`(name: String) throws {
      let original = try FixtureFiles.original()
      let file = try AudioFile(opening: FixtureFiles.path(name))
      let decoded = try file.readAll()
      #expect(decoded.frameCount == 2_205)
      #expect(file.isTruncated == false)
      #expect(lag(of: decoded.samples, behind: original, within: -1_200..<1_200) == 0)
      for part in [0..<2_205, 0..<200, 2_005..<2_205] {
        #expect(signalToNoise(decoded.samples[part], original[part]) > (part.count == 2_205 ? 20 : 10), "\(part)")
      }
    }

    @Test func `AAC without trimming information decodes to all of its frames`() throws {
      let original = try FixtureFiles.original()
      for file in [FixtureFiles.path("aac.aac"), FixtureFiles.path("aac.caf")] {
        let decoded = try AudioFile(opening: file, trimming: .off).readAll()
        #expect(decoded.frameCount == 5_120)
        #expect(lag(of: decoded.samples, behind: original, within: 1_500..<2_500) == 2_112)
      }
    }

  #endif

  @Test(arguments: expectations)
  private func `A decoded file has every frame of the original at its position`(_ expected: Expectation) throws {
    let original = try FixtureFiles.original()
    let file = try AudioFile(opening: FixtureFiles.path(expected.name))
    #expect(file.codec == expected.codec)
    let decoded = try file.readAll()
    #expect(decoded.format == .mono(sampleRate: 44_100))
    #expect(decoded.frameCount == expected.frames)
    #expect(file.frameCount == nil || file.frameCount == decoded.frameCount)
    #expect(file.isTruncated == false)
    #expect(lag(of: decoded.samples, behind: original, within: -1_200..<1_200) == expected.lag)
    let length = min(original.count, decoded.frameCount - expected.lag)
    let aligned = decoded.samples.dropFirst(expected.lag).prefix(length)
    for part in [0..<length, 0..<200, length - 200..<length] {
      let found = aligned.dropFirst(part.lowerBound).prefix(part.count)
      let quality = signalToNoise(found, original[part])
      #expect(quality > expected.quality - (part.count == length ? 0 : 10), "\(part)")
    }
  }
}
