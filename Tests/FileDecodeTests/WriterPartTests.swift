import Testing

@testable import FileDecode

/// The kinds of file for writing, their limits, and the settings of their encoders.
@Suite struct WriterPartTests {
  @Test func `The extension of a path, in any case, selects the kind of file`() {
    for (path, container) in [
      ("a.wav", .wav), ("a.WaV", .wav), ("/b.mp3/a.aif", .aiff), ("a.aiff", .aiff), ("a.caf", .caf), ("a.flac", .flac),
      ("a.b.ogg", .ogg),
      ("a.opus", .opus), (" .mp3", .mp3), ("ä.mp3", .mp3), (".wav", nil), ("b/.wav", nil), ("wav", nil),
      ("a.wav/", nil), ("a.wav/b", nil),
      ("a.", nil), ("", nil), ("a.wave", nil), ("a.aifc", nil), ("a.wav ", nil),
    ] as [(String, OutputContainer?)] {
      #expect(OutputContainer(path: path) == container, "\(path)")
    }
    #expect(OutputContainer.extensionList == ".wav, .aiff, .aif, .caf, .flac, .ogg, .opus, .mp3")
  }

  @Test func `Each kind of file has its rates`() {
    for container in [OutputContainer.wav, .aiff, .caf, .flac] {
      #expect([999, 1_000, 768_000, 768_001].map(container.holds) == [false, true, true, false])
    }
    #expect([7_999, 8_000, 200_000, 200_001].map(OutputContainer.ogg.holds) == [false, true, true, false])
    let rates = Set((1...200_000).filter(OutputContainer.opus.holds))
    #expect(rates == [8_000, 12_000, 16_000, 24_000, 48_000])
    let others = Set((1...200_000).filter(OutputContainer.mp3.holds))
    #expect(others == [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000])
  }

  @Test func `WAV and AIFF hold 4 and 2 GiB less 4 MiB`() throws {
    #expect(OutputContainer.wav.byteLimit == 4_290_772_992 && OutputContainer.aiff.byteLimit == 2_143_289_344)
    for container in [OutputContainer.caf, .flac, .ogg, .opus, .mp3] { #expect(container.byteLimit == nil) }
    for (codec, size) in [(AudioCodec.int16, 2), (.int24, 3), (.int32, 4), (.float32, 4)] {
      let setup = try #require(EncoderSetup(codec))
      for channelCount in [1, 2, 6] {
        #expect(
          OutputContainer.wav.frameLimit(setup, channelCount: channelCount) == 4_290_772_992 / (size * channelCount)
        )
        #expect(OutputContainer.caf.frameLimit(setup, channelCount: channelCount) == Int.max)
      }
    }
  }

  @Test func `A codec has an encoder, with integers of its depth or floats`() {
    // Numbers of sndfile.h.
    let encoders: [(AudioCodec, Int, EncoderSetup.Samples)] = [
      (.int16, 2, .integer(bits: 16)), (.flac, 2, .integer(bits: 16)), (.int24, 3, .integer(bits: 24)),
      (.int32, 4, .integer(bits: 32)),
      (.float32, 6, .float), (.alac, 0x70, .integer(bits: 16)), (.vorbis, 0x60, .float), (.opus, 0x64, .float),
      (.mp3, 0x82, .float),
    ]
    for kind in AudioCodec.Kind.allCases {
      let expected = encoders.first { $0.0.kind == kind }
      let setup = EncoderSetup(AudioCodec(kind))
      #expect(setup?.libsndfile == expected?.1 && setup?.samples == expected?.2 && setup?.codec == expected?.0)
    }
  }

  @Test func `A quality is the opposite of a level of compression`() throws {
    let format = PCMFormat.stereo(sampleRate: 48_000)
    for quality in [0, 0.25, 0.5, 1] {
      for codec in [AudioCodec.vorbis, .opus] {
        let setting = try EncodingQuality.variable(quality).setting(codec, format)
        #expect(setting == EncodingQuality.Setting(level: 1 - quality, isConstant: false))
      }
      let setting = try EncodingQuality.variable(quality).setting(.mp3, format)
      #expect(setting == EncodingQuality.Setting(level: 0.999 * (1 - quality), isConstant: false))
    }
    for quality in [-0.001, 1.001, .nan, .infinity] {
      for codec in [AudioCodec.vorbis, .opus, .mp3] {
        #expect(throws: EncodingQuality.Refusal.variable) {
          try EncodingQuality.variable(quality).setting(codec, format)
        }
      }
    }
    for codec in [AudioCodec.int16, .flac, .alac, .float32] {
      #expect(throws: EncodingQuality.Refusal.lossless) { try EncodingQuality.variable(0.5).setting(codec, format) }
      #expect(throws: EncodingQuality.Refusal.lossless) { try EncodingQuality.bitRate(100_000).setting(codec, format) }
      #expect(EncodingQuality.bitRates(of: codec, in: format) == nil)
    }
    #expect(throws: EncodingQuality.Refusal.noBitRate) { try EncodingQuality.bitRate(100_000).setting(.vorbis, format) }
  }

  @Test func `Opus takes 6 to 256 kilobits a second for each channel`() throws {
    for channelCount in [1, 2, 6] {
      let format = PCMFormat(sampleRate: 48_000, layout: .usual(channelCount: channelCount))
      let range = 6_000 * channelCount...256_000 * channelCount
      #expect(EncodingQuality.bitRates(of: .opus, in: format) == range)
      for (rate, level) in [
        (range.lowerBound, 1), (range.upperBound, 0), (131_000 * channelCount, 0.5), (56_000 * channelCount, 0.8),
      ] as [(Int, Double)] {
        let setting = try EncodingQuality.bitRate(rate).setting(.opus, format)
        #expect(setting == EncodingQuality.Setting(level: level, isConstant: false))
      }
      for rate in [range.lowerBound - 1, range.upperBound + 1] {
        #expect(throws: EncodingQuality.Refusal.bitRate(range)) {
          try EncodingQuality.bitRate(rate).setting(.opus, format)
        }
      }
    }
  }

  @Test func `MP3 takes whole kilobits a second, half a step above the level of each`() throws {
    for (sampleRate, low, high) in [
      (48_000, 32_000, 320_000), (32_000, 32_000, 320_000), (31_999, 8_000, 160_000), (16_000, 8_000, 160_000),
      (15_999, 8_000, 64_000),
      (8_000, 8_000, 64_000),
    ] {
      let format = PCMFormat.mono(sampleRate: sampleRate)
      let range = try #require(EncodingQuality.bitRates(of: .mp3, in: format))
      #expect(range.upperBound == high)
      let width = Double(high - low)
      for (rate, whole) in [
        (high, high), (high - 1, high - 1_000), (range.lowerBound, range.lowerBound),
        (range.lowerBound + 999, range.lowerBound),
      ] {
        let setting = try EncodingQuality.bitRate(rate).setting(.mp3, format)
        let level = max((Double(high - whole) / width) - 500 / width, 0)
        #expect(setting == EncodingQuality.Setting(level: level, isConstant: true), "\(sampleRate), \(rate)")
      }
      for rate in [range.lowerBound - 1, high + 1] {
        #expect(throws: EncodingQuality.Refusal.bitRate(range)) {
          try EncodingQuality.bitRate(rate).setting(.mp3, format)
        }
      }
    }
  }

  // MARK: Samples

  @Test func `A step of each number of bits is the nearest, and both ends are clipped`() {
    for bits in [2, 8, 16, 20, 24, 32] {
      let scale = Double(Int64(1) << (bits - 1))
      let shift = 32 - bits
      func step(_ signal: Float) -> Int64 {
        Int64(SampleConversion.integer(signal: signal, bits: bits)) >> Int64(shift)
      }
      #expect(
        step(1) == Int64(scale) - 1 && step(-1) == -Int64(scale) && step(2) == Int64(scale) - 1
          && step(-2) == -Int64(scale)
      )
      #expect(
        step(.infinity) == Int64(scale) - 1 && step(-.infinity) == -Int64(scale) && step(.nan) == 0 && step(0) == 0
      )
      for signal: Float in [0.5, -0.5, 0.75, -0.75, 0.3, -0.3, 0.123_456] {
        #expect(step(signal) == Int64(min((Double(signal) * scale).rounded(), scale - 1)), "\(bits), \(signal)")
      }
    }
    // A half rounds away from zero.
    #expect(
      SampleConversion.integer(signal: 0.5 / 128, bits: 8) == 1 << 24
        && SampleConversion.integer(signal: -1.5 / 128, bits: 8) == -2 << 24
    )
    #expect(SampleConversion.blockSize == 4_096)
  }

  @Test func `Blocks of samples are appended as another type`() {
    let floats: [Float] = [0, 0.5, -1, 1, 2, .nan]
    var shorts: [Int16] = [9]
    shorts.append(addingCapacity: 6) { SampleConversion.append(floats.span, to: &$0) }
    #expect(shorts == [9] + floats.map { Int16(signal: $0) } && shorts[1...4] == [0, 16_384, .min, .max])
    var integers: [Int32] = []
    integers.append(addingCapacity: 7) { SampleConversion.append(shorts.span, bits: 24, to: &$0) }
    #expect(integers == shorts.map { Int32($0) << 16 })
    var back: [Float] = []
    back.append(addingCapacity: 7) { SampleConversion.append(shorts.span, to: &$0) }
    #expect(back == shorts.map { Float($0) / 32_768 })
  }

  @Test func `Each codec has its order of channels`() {
    for count in 0...9 {
      #expect(ChannelOrder.wave(from: .vorbis, channelCount: count) == ChannelOrder.waveFromVorbis(channelCount: count))
      #expect(ChannelOrder.wave(from: .opus, channelCount: count) == ChannelOrder.waveFromVorbis(channelCount: count))
      #expect(ChannelOrder.wave(from: .alac, channelCount: count) == ChannelOrder.waveFromLossless(channelCount: count))
      #expect(
        ChannelOrder.wave(from: .flac, channelCount: count) == nil
          && ChannelOrder.wave(from: .aac, channelCount: count) == nil
      )
    }
    // Apple Lossless: the centre, its sides, left and right, the back, and the low frequencies last.
    let lossless: [(Int, [String], [String])] = [
      (3, ["C", "L", "R"], ["L", "R", "C"]), (5, ["C", "L", "R", "BL", "BR"], ["L", "R", "C", "BL", "BR"]),
      (6, ["C", "L", "R", "BL", "BR", "LFE"], ["L", "R", "C", "LFE", "BL", "BR"]),
      (7, ["C", "L", "R", "SL", "SR", "BC", "LFE"], ["L", "R", "C", "LFE", "BC", "SL", "SR"]),
      (8, ["C", "LC", "RC", "L", "R", "BL", "BR", "LFE"], ["L", "R", "C", "LFE", "BL", "BR", "LC", "RC"]),
    ]
    for (count, stored, wave) in lossless {
      let order = ChannelOrder.waveFromLossless(channelCount: count)
      #expect(order?.sources.map { stored[$0] } == wave)
    }
    for count in [0, 1, 2, 4, 9] { #expect(ChannelOrder.waveFromLossless(channelCount: count) == nil) }
    // Fewer samples than a frame stay.
    var samples: [Float] = [1, 2]
    var span = samples.mutableSpan
    ChannelOrder(sources: [2, 1, 0]).apply(to: &span)
    #expect(samples == [1, 2])
    var three: [Float] = [1, 2, 3]
    var whole = three.mutableSpan
    ChannelOrder(sources: [2, 1, 0]).apply(to: &whole)
    #expect(three == [3, 2, 1])
  }
}
