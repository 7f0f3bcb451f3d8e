import FileDecode
import TestSupport
import Testing

@Suite struct RoundTripTests {
  @Test(arguments: ["a.wav", "a.aiff", "a.aif", "a.caf", "a.flac", "A.WAV"])
  func `16-bit samples come back bit-exact, as Int16 and as Float`(name: String) throws {
    let folder = try TemporaryFolder()
    for format in [PCMFormat.mono(sampleRate: 44_100), .stereo(sampleRate: 48_000)] {
      let original = try noise(10_007, format)
      let file = try AudioFile(opening: save(original, to: folder.file(name)))
      #expect(file.format == format)
      #expect(file.frameCount == 10_007)
      #expect(try file.readAll(as: Int16.self) == original)
      #expect(try file.readAll().samples == original.samples.map(\.signal))
      #expect(file.isTruncated == false)
    }
  }

  @Test(arguments: ["a.wav", "a.aiff", "a.caf", "a.flac"])
  func `24-bit samples come back bit-exact`(name: String) throws {
    let folder = try TemporaryFolder()
    var generator = SplitMix64(seed: 24)
    let steps =
      [-8_388_608, 8_388_607] + (0..<9_998).map { _ in Int.random(in: -8_388_608...8_388_607, using: &generator) }
    let original = try PCMBuffer(samples: steps.map { Float($0) / 8_388_608 }, format: .stereo(sampleRate: 44_100))
    let path = try save(original, to: folder.file(name), codec: .int24)
    #expect(try AudioFile(opening: path).readAll() == original)
  }

  @Test(arguments: ["a.wav", "a.aiff", "a.caf"])
  func `Float samples come back bit-exact, beyond full scale too`(name: String) throws {
    let folder = try TemporaryFolder()
    let original = try PCMBuffer<Float>(samples: [0, 1, -1, 1.5, -700, 1e-9, 0.1], format: .mono(sampleRate: 22_050))
    let path = try save(original, to: folder.file(name), codec: .float32)
    #expect(try AudioFile(opening: path).readAll() == original)
    #expect(
      try AudioFile(opening: path).readAll(as: Int16.self).samples == [0, 32_767, -32_768, 32_767, -32_768, 0, 3_277]
    )
  }

  @Test func `Values that are no finite numbers come back as silence`() throws {
    let folder = try TemporaryFolder()
    let original = try PCMBuffer<Float>(samples: [0.5, 0.25, -0.5], format: .mono(sampleRate: 22_050))
    let path = try save(original, to: folder.file("a.wav"), codec: .float32)
    var bytes = try bytes(of: path)
    let offset = try #require(bytes.indices.first { bytes[$0...].starts(with: [0, 0, 0, 0x3F, 0, 0, 0x80, 0x3E]) })
    for (value, expected) in [(Float.nan, Float(0)), (.infinity, 0), (-.infinity, 0), (1e30, 1e30)] {
      for index in 0..<4 { bytes[offset + 4 + index] = UInt8(truncatingIfNeeded: value.bitPattern >> (8 * index)) }
      let file = try AudioFile(opening: folder.write(bytes, as: "b.wav"))
      #expect(try file.readAll().samples == [0.5, expected, -0.5])
    }
  }

  @Test(arguments: ["a.wav", "a.aiff", "a.caf", "a.flac"])
  func `Integers clip at full scale and never wrap`(name: String) throws {
    let folder = try TemporaryFolder()
    let loud: [Float] = [1, -1, 1.000_1, -1.000_1, 2, -2, 1e30, -1e30, .infinity, -.infinity, .nan, 0.25]
    let format = PCMFormat.mono(sampleRate: 48_000)
    for codec in [AudioCodec.int16, .int24, .int32] where !(name == "a.flac" && codec == .int32) {
      let path = try save(PCMBuffer(samples: loud, format: format), to: folder.file(name), codec: codec)
      let samples = try AudioFile(opening: path).readAll().samples
      let nearOne: Float = codec == .int16 ? 32_767 / 32_768 : codec == .int24 ? 8_388_607 / 8_388_608 : 1
      #expect(samples == [nearOne, -1, nearOne, -1, nearOne, -1, nearOne, -1, nearOne, -1, 0, 0.25])
    }
  }

  @Test(arguments: [0, 1, 2, 100, 2_205, 4_096, 100_003])
  func `Vorbis keeps the number of frames, and the signal`(frameCount: Int) throws {
    let folder = try TemporaryFolder()
    let original = try tones(frameCount, .stereo(sampleRate: 44_100))
    let file = try AudioFile(opening: save(original, to: folder.file("a.ogg")))
    let decoded = try file.readAll()
    #expect(file.frameCount == frameCount)
    #expect(decoded.frameCount == frameCount)
    #expect(file.isTruncated == false)
    let error = zip(decoded.samples, original.samples).map { abs($0 - $1) }.max() ?? 0
    #expect(error < 0.1)
  }

  @Test(arguments: ["a.wav", "a.aiff", "a.caf", "a.flac", "a.ogg"])
  func `Surround channels keep their order`(name: String) throws {
    let folder = try TemporaryFolder()
    for channelCount in 1...8 {
      let format = PCMFormat(sampleRate: 48_000, layout: .usual(channelCount: channelCount))
      // Each channel has a tone of its own frequency, below the range that the low-frequency channel's filter removes.
      var samples: [Float] = []
      for frame in 0..<9_600 {
        for channel in 0..<channelCount {
          let isOn = frame / 960 % 10 == channel
          samples.append(isOn ? (frame / 480 % 2 == 0 ? 0.4 : -0.4) : 0)
        }
      }
      let decoded = try AudioFile(opening: save(PCMBuffer(samples: samples, format: format), to: folder.file(name)))
        .readAll()
      #expect(decoded.format == format)
      for channel in 0..<channelCount {
        let energy = (0..<10).map { slot in
          decoded.channel(channel)[slot * 960..<(slot + 1) * 960].reduce(0) { $0 + $1 * $1 }
        }
        #expect(energy.indices.max { energy[$0] < energy[$1] } == channel)
      }
    }
  }

  @Test func `A file without frames is read as such`() throws {
    let folder = try TemporaryFolder()
    for name in ["a.wav", "a.aiff", "a.caf", "a.flac", "a.ogg"] {
      let file = try AudioFile(
        opening: save(PCMBuffer<Float>(format: .stereo(sampleRate: 48_000)), to: folder.file(name))
      )
      #expect(try file.readAll().frameCount == 0)
      var block = PCMBuffer<Float>(format: file.format)
      #expect(try file.read(into: &block) == 0)
      #expect(file.isTruncated == false)
    }
  }
}
