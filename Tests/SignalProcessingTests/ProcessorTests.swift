import Glibc
import PCM
import SignalProcessing
import Testing

/// The promises of the protocol, which all processors of this target keep.
@Suite struct ProcessorTests {
  /// Processes a sound, as blocks of a length.
  private func result<Processor: SoundProcessor & ~Copyable>(
    _ processor: inout Processor,
    _ sound: [Float],
    channels: Int,
    block: Int = 512
  ) -> [Float] {
    var (result, start) = (sound, 0)
    while start < sound.count {
      let end = min(start + block * channels, sound.count)
      var part = Array(sound[start..<end])
      var span = part.mutableSpan
      processor.process(&span)
      result.replaceSubrange(start..<end, with: part)
      start = end
    }
    return result
  }

  private func check<Processor: SoundProcessor & ~Copyable>(
    channels: Int = 2,
    from other: Processor.Settings,
    to settings: Processor.Settings,
    _ make: (Processor.Settings) -> Processor
  ) {
    let (before, sound) = (noise(9_001 * channels, amplitude: 1.5), noise(8_003 * channels, seed: 2))
    // A reset, also in the middle of a glide: the same as a new one.
    for frames in [0, 100, 1_000_000] {
      var used = make(other)
      _ = result(&used, before, channels: channels)
      used.set(settings, over: frames)
      _ = result(&used, before, channels: channels, block: 333)
      used.reset()
      var new = make(settings)
      #expect(used.settings == new.settings)
      #expect(result(&used, sound, channels: channels) == result(&new, sound, channels: channels))
    }
    // Unusable samples count as 0, in the first block and on any grid.
    for place in [0, 512, 1_025, 2_048 * channels - 1] {
      var spoiled = sound
      for value in [Float.nan, .infinity, -.infinity, 3e38, -1e26] {
        var one = make(settings)
        var two = make(settings)
        spoiled[place] = 0
        let expected = result(&one, spoiled, channels: channels)
        spoiled[place] = value
        #expect(result(&two, spoiled, channels: channels) == expected)
      }
    }
    // The largest samples give finite sound, and are forgotten by a reset.
    var loud = make(settings)
    #expect(result(&loud, sound.map { $0 * 1e25 }, channels: channels).allSatisfy { $0.isFinite })
    // Samples behind the last whole frame stay.
    if channels > 1 {
      var processor = make(settings)
      #expect(result(&processor, [.nan], channels: 1)[0].isNaN)
    }
    // Zeros come out after the tail.
    var silent = make(settings)
    _ = result(&silent, sound, channels: channels)
    let zeros = [Float](repeating: 0, count: (silent.tail + 512) * channels)
    #expect(result(&silent, zeros, channels: channels)[(silent.tail * channels)...].allSatisfy { $0 == 0 })
  }

  @Test(arguments: [1, 2, 6, 8, 11])
  func `A cascade keeps the promises`(channels: Int) {
    let bands = [FilterBand(.highPass, 120), FilterBand(.bell, 700, gain: 6, quality: 3), FilterBand(.notch, 3_000)]
    let other = [FilterBand(.highPass, 120), FilterBand(.bell, 700, gain: -6, quality: 1)]
    check(channels: channels, from: other, to: bands) {
      FilterCascade($0, channelCount: channels, sampleRate: 48_000)
    }
    check(channels: channels, from: bands, to: []) { FilterCascade($0, channelCount: channels, sampleRate: 48_000) }
  }

  @Test(arguments: [1, 2, 8, 11], [Compressor.Detector.peak, .rootMeanSquare])
  func `A compressor keeps the promises`(channels: Int, detector: Compressor.Detector) {
    var (settings, other) = (Compressor.Settings(), Compressor.Settings())
    (settings.threshold, settings.makeup, settings.detector, settings.keyHighPass) = (-30, 4, detector, 80)
    (other.detector, other.ratio) = (detector, 9)
    check(channels: channels, from: other, to: settings) {
      Compressor($0, channelCount: channels, sampleRate: 48_000)
    }
  }

  @Test(arguments: [1, 2, 8, 11])
  func `A gate keeps the promises`(channels: Int) {
    var (settings, other) = (Gate.Settings(), Gate.Settings())
    (settings.threshold, settings.depth, settings.hold) = (-0.5, -30, 0.02)
    other.threshold = -70
    check(channels: channels, from: other, to: settings) { Gate($0, channelCount: channels, sampleRate: 48_000) }
  }

  @Test(arguments: [1, 2, 8, 11], [false, true])
  func `A limiter keeps the promises`(channels: Int, isTruePeak: Bool) {
    var (settings, other) = (LookAheadLimiter.Settings(), LookAheadLimiter.Settings())
    (settings.ceiling, settings.release, settings.isTruePeak) = (-6, 0.05, isTruePeak)
    other.isTruePeak = isTruePeak
    check(channels: channels, from: other, to: settings) {
      LookAheadLimiter($0, channelCount: channels, sampleRate: 48_000)
    }
  }

  @Test func `A leveler keeps the promises`() {
    var settings = Leveler.Settings()
    (settings.target, settings.speed) = (-12, 20)
    // At this rate the loudness of 3 s is known within a sound of the check.
    check(channels: 2, from: Leveler.Settings(), to: settings) { Leveler($0, format: .stereo(sampleRate: 1_000)) }
  }

  private static let rates = [-1, 1, 100, 441, 10_000_000, .max]

  @Test(arguments: rates, [0, 1, 1_024])
  func `Any rate and any number of channels give finite sound`(rate: Int, channels: Int) {
    let count = max(channels, 1)
    let sound = noise((count == 1 ? 2_100 : 200) * count, amplitude: 2)
    var cascade = FilterCascade([FilterBand(.bell, 30, gain: 12)], channelCount: channels, sampleRate: rate)
    let filtered = result(&cascade, sound, channels: count)
    var compressor = Compressor(channelCount: channels, sampleRate: rate)
    let compressed = result(&compressor, sound, channels: count)
    var gate = Gate(channelCount: channels, sampleRate: rate)
    let gated = result(&gate, sound, channels: count)
    var limiter = LookAheadLimiter(channelCount: channels, sampleRate: rate)
    let limited = result(&limiter, sound, channels: count)
    #expect(peak(filtered) < 40)
    #expect(peak(compressed) <= 2)
    #expect(peak(gated) <= 2)
    #expect(peak(limited) < 0.9)
  }

  @Test(arguments: rates)
  func `Meters and a leveler take any rate`(rate: Int) {
    let sound = noise(4_200, amplitude: 2)
    let format = PCMFormat.stereo(sampleRate: rate)
    var leveler = Leveler(format: format)
    let leveled = result(&leveler, sound, channels: 2)
    #expect(peak(leveled) < 20)
    var meter = LoudnessBlocks(format: format)
    meter.append(sound.span)
    #expect((meter.reading.momentary ?? 0) < 20)
    var peaks = TruePeakMeter(channelCount: 2, sampleRate: rate)
    peaks.append(sound.span)
    var levels = LevelWindows(channelCount: 2, sampleRate: rate)
    levels.append(sound.span)
    let reading = levels.reading(ofChannel: 1)
    #expect(peaks.samplePeaks.allSatisfy { $0 <= 2 })
    #expect(reading.peak <= 2)
  }

  @Test func `Eight channels of dynamics have one gain`() {
    let sound = interleaved((0..<8).map { noise(4_800, amplitude: 0.5, seed: UInt64($0)) })
    var compressor = Compressor(channelCount: 8, sampleRate: 48_000)
    let result = result(&compressor, sound, channels: 8)
    for frame in stride(from: 2_000, to: 4_800, by: 31) {
      let gains = (0..<8).map { result[frame * 8 + $0] / sound[frame * 8 + $0] }
      #expect(gains.allSatisfy { abs($0 - gains[0]) < 1e-5 } && gains[0] < 0.9)
    }
  }
}
