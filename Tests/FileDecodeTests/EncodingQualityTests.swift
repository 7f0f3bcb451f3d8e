@testable import FileDecode
import Testing

/// A quality or a bit rate reaches the encoder.
@Suite struct EncodingQualityTests {
  @Test(arguments: ["a.ogg", "a.mp3", "a.opus"])
  func `A higher quality gives a larger file with less error`(name: String) throws {
    let folder = try TemporaryFolder()
    let original = try softNoise(48_000, .stereo(sampleRate: 48_000))
    var size = 0
    var ratio = -Double.infinity
    for quality in [0, 0.25, 0.5, 0.75, 1] {
      let path = try write(original, folder.file(name), .variable(quality))
      let decoded = try AudioFile(opening: path).readAll()
      let quieter = signalToNoise(decoded.samples[...], original.samples[...])
      #expect(try byteCount(path) > size, "\(quality)")
      #expect(quieter > ratio, "\(quality)")
      (size, ratio) = (try byteCount(path), quieter)
    }
  }

  @Test(arguments: [64_000, 128_000, 192_000, 256_000, 320_000])
  func `An MP3 file has the constant bit rate`(rate: Int) throws {
    let folder = try TemporaryFolder()
    let path = try write(softNoise(96_000, .stereo(sampleRate: 48_000)), folder.file("a.mp3"), .bitRate(rate))
    let expected = Double(rate * 2 / 8)
    // The first frame holds numbers about the file, and the encoder's delay takes up to three more.
    #expect(abs(Double(try byteCount(path)) - expected) < 5 * Double(rate) * 0.024 / 8)
  }

  @Test(arguments: [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000], [1, 2])
  func `An MP3 file of each bit rate reads back to the frame`(sampleRate: Int, channelCount: Int) throws {
    let folder = try TemporaryFolder()
    let format: PCMFormat = channelCount == 1 ? .mono(sampleRate: sampleRate) : .stereo(sampleRate: sampleRate)
    let original = try tones(sampleRate / 2, format)
    var count = 0
    for rate in [8, 16, 24, 32, 40, 48, 56, 64, 80] {
      guard let path = try? write(original, folder.file("a.mp3"), .bitRate(1_000 * rate)) else { continue }
      count += 1
      let file = try AudioFile(opening: path)
      #expect((file.packetTable.primingFrames ?? 0) > 0)
      #expect(try AudioFile(opening: path).readAll().frameCount == original.frameCount, "\(rate) kbit/s")
    }
    #expect(count >= 2)
  }

  @Test(arguments: [16_000, 64_000, 160_000])
  func `An Opus file comes near its bit rate`(rate: Int) throws {
    let folder = try TemporaryFolder()
    let path = try write(softNoise(96_000, .stereo(sampleRate: 48_000)), folder.file("a.opus"), .bitRate(rate))
    let expected = Double(rate * 2 / 8)
    #expect(abs(Double(try byteCount(path)) - expected) < 0.15 * expected)
  }

  @Test func `Each bit rate of MP3 is the one that libsndfile computes`() throws {
    for (sampleRate, lowest, highest) in [
      (48_000, 32, 320), (44_100, 32, 320), (32_000, 32, 320), (24_000, 8, 160), (16_000, 8, 160), (11_025, 8, 64),
      (8_000, 8, 64),
    ] {
      for rate in lowest...highest {
        let quality = EncodingQuality.bitRate(1_000 * rate)
        guard let setting = try? quality.setting(.mp3, .mono(sampleRate: sampleRate)) else {
          // Its frames are too small for the length of the sound.
          #expect(rate < 64)
          continue
        }
        #expect(Int(Double(highest) - setting.level * Double(highest - lowest)) == rate)
        #expect((0...1).contains(setting.level) && setting.isConstant)
      }
    }
  }

  @Test func `The lowest bit rate of MP3 is the lowest of the standard whose frames hold the length of the sound`() {
    for (sampleRate, mono, stereo) in [
      (8_000, 24, 24), (11_025, 32, 32), (12_000, 32, 32), (16_000, 40, 40), (22_050, 56, 56), (24_000, 64, 64),
      (32_000, 40, 48), (44_100, 56, 64), (48_000, 64, 64),
    ] {
      let ranges = [PCMFormat.mono(sampleRate: sampleRate), .stereo(sampleRate: sampleRate)]
        .map { EncodingQuality.bitRates(of: .mp3, in: $0) }
      #expect(ranges.map { $0?.lowerBound } == [1_000 * mono, 1_000 * stereo], "\(sampleRate) Hz")
      let highest = sampleRate < 16_000 ? 64_000 : sampleRate < 32_000 ? 160_000 : 320_000
      #expect(ranges.allSatisfy { $0?.upperBound == highest }, "\(sampleRate) Hz")
    }
  }

  @Test func `A quality that the codec does not take is refused in a sentence`() throws {
    let folder = try TemporaryFolder()
    let cases: [(name: String, quality: EncodingQuality, words: String)] = [
      ("a.wav", .variable(0.5), "has no loss to choose"), ("a.flac", .bitRate(500_000), "has no loss to choose"),
      ("a.ogg", .bitRate(128_000), "no bit rate"), ("a.ogg", .variable(1.5), "from 0 to 1"),
      ("a.opus", .variable(.nan), "from 0 to 1"), ("a.opus", .bitRate(5_999), "6000 to 256000"),
      ("a.mp3", .bitRate(321_000), "64000 to 320000"), ("a.mp3", .bitRate(Int.min), "64000 to 320000"),
    ]
    for (name, quality, words) in cases {
      let error = failure { () throws(AudioFileError) in
        _ = try AudioFileWriter(creating: folder.file(name), format: .mono(sampleRate: 48_000), quality: quality)
      }
      #expect(error?.code == .invalidQuality)
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
    #expect(try folder.names().isEmpty)
  }

  private func write(_ sound: PCMBuffer<Float>, _ path: String, _ quality: EncodingQuality) throws -> String {
    var writer = try AudioFileWriter(creating: path, format: sound.format, quality: quality)
    try writer.write(sound)
    try writer.close()
    return path
  }

  /// Noise that leaves room for the errors of a codec.
  private func softNoise(_ frameCount: Int, _ format: PCMFormat) throws -> PCMBuffer<Float> {
    let loud = try noise(frameCount, format)
    return try PCMBuffer(samples: loud.samples.map { Float($0) / 131_072 }, format: format)
  }

  private func byteCount(_ path: String) throws -> Int { try bytes(of: path).count }
}
