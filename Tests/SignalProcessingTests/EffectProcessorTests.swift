import SignalProcessing
import TestSupport
import Testing

/// The promises of ``SoundProcessor`` for the processors that delay, shape and convolve.
@Suite struct EffectProcessorTests {
  private static let rates = [8_000, 44_100, 192_000]

  /// Settings, and other settings that a processor can glide to.
  private static var delays: (FeedbackDelay.Settings, FeedbackDelay.Settings) {
    var (one, other) = (FeedbackDelay.Settings(), FeedbackDelay.Settings())
    (one.time, one.feedback, one.crossesOver) = (0.004, 0.6, true)
    (other.time, other.feedback, other.tone) = (0.009, 0.2, 900)
    return (one, other)
  }

  private static var choruses: (ModulatedDelay.Settings, ModulatedDelay.Settings) {
    var (one, other) = (ModulatedDelay.Settings(), ModulatedDelay.Settings())
    (one.taps, one.feedback) = (3, 0.5)
    (other.taps, other.delay, other.rate, other.feedback) = (3, 0.006, 4, -0.4)
    return (one, other)
  }

  private static func distortions(_ curve: ShapingCurve) -> (Distortion.Settings, Distortion.Settings) {
    var (one, other) = (Distortion.Settings(), Distortion.Settings())
    (one.curve, other.curve) = (curve, curve)
    (other.drive, other.tone, other.level) = (30, 700, -6)
    return (one, other)
  }

  private static var crushers: (BitCrusher.Settings, BitCrusher.Settings) {
    var (one, other) = (BitCrusher.Settings(), BitCrusher.Settings())
    one.sampleRate = 5_000
    (other.bits, other.sampleRate) = (3.5, 1_000)
    return (one, other)
  }

  private static var widths: (StereoWidth.Settings, StereoWidth.Settings) {
    var other = StereoWidth.Settings()
    (other.width, other.balance, other.gain) = (1.7, -0.5, -9)
    return (StereoWidth.Settings(), other)
  }

  private static let responses = (
    PartitionedConvolver.Settings(ImpulseResponse([noise(2_500, amplitude: 0.05), noise(900, amplitude: 0.1)])),
    PartitionedConvolver.Settings(ImpulseResponse([noise(1_900, amplitude: 0.05, seed: 7)]))
  )

  /// A body for a processor of any type, because the types of processors cannot be copied into a list.
  private protocol Check {
    func callAsFunction<Processor: SoundProcessor & ~Copyable>(
      _ settings: (Processor.Settings, Processor.Settings),
      _ make: (Processor.Settings, _ channels: Int) -> Processor
    )
  }

  private func forAll(rate: Int, _ check: some Check) {
    check(Self.delays) { FeedbackDelay($0, channelCount: $1, sampleRate: rate) }
    check(Self.choruses) { ModulatedDelay($0, channelCount: $1, sampleRate: rate) }
    for curve in ShapingCurve.allCases {
      check(Self.distortions(curve)) { Distortion($0, channelCount: $1, sampleRate: rate) }
    }
    check(Self.crushers) { BitCrusher($0, channelCount: $1, sampleRate: rate) }
    check(Self.widths) { StereoWidth($0, channelCount: $1) }
    check(Self.responses) { PartitionedConvolver($0, channelCount: $1) }
  }

  private struct Split: Check {
    let channels: Int

    func callAsFunction<Processor: SoundProcessor & ~Copyable>(
      _ settings: (Processor.Settings, Processor.Settings),
      _ make: (Processor.Settings, _ channels: Int) -> Processor
    ) {
      let (one, other) = (noise(1_003 * channels), noise(5_000 * channels, seed: 2))
      func result(_ blocks: [Int]) -> [Float] {
        var processor = make(settings.0, channels)
        var result = processed(one, channels: channels, blocks: blocks) { processor.process(&$0) }
        let canGlide = processor.canGlide(to: settings.1)
        processor.set(settings.1, over: 1_500)
        let found = processor.settings
        #expect(canGlide && found == settings.1)
        result += processed(other, channels: channels, blocks: blocks) { processor.process(&$0) }
        return result
      }
      let whole = result([100_000])
      for blocks in [[512], [441, 37, 1_024], [1, 63, 65, 7]] { #expect(result(blocks) == whole, "\(Processor.self)") }
    }
  }

  @Test(arguments: rates, [1, 2, 3, 8])
  func `The result does not depend on the lengths of the blocks, also in a glide`(rate: Int, channels: Int) {
    forAll(rate: rate, Split(channels: channels))
  }

  private struct Finite: Check {
    let channels: Int

    func callAsFunction<Processor: SoundProcessor & ~Copyable>(
      _ settings: (Processor.Settings, Processor.Settings),
      _ make: (Processor.Settings, _ channels: Int) -> Processor
    ) {
      var processor = make(settings.0, channels)
      let bad = [.nan, .infinity, -.infinity, 3e38, 1e25, -1e25] + noise(2_000 * channels - 6, amplitude: 1e25)
      #expect(processed(bad, channels: channels) { processor.process(&$0) }.allSatisfy { $0.isFinite })
      processor.set(settings.1, over: 700)
      #expect(processed(bad, channels: channels) { processor.process(&$0) }.allSatisfy { $0.isFinite })
      // Samples behind the last whole frame stay.
      let part = [Float](repeating: 7, count: channels - 1)
      #expect(processed(part, channels: channels) { processor.process(&$0) } == part)
      processor.reset()
      let silence = processed([Float](repeating: 0, count: 5_000 * channels), channels: channels) {
        processor.process(&$0)
      }
      #expect(silence.allSatisfy { $0 == 0 }, "\(Processor.self)")
    }
  }

  @Test(arguments: rates, 1...8)
  func `Samples that are not finite, or very large, give finite sound`(rate: Int, channels: Int) {
    forAll(rate: rate, Finite(channels: channels))
  }

  private struct Reset: Check {
    let channels: Int

    func callAsFunction<Processor: SoundProcessor & ~Copyable>(
      _ settings: (Processor.Settings, Processor.Settings),
      _ make: (Processor.Settings, _ channels: Int) -> Processor
    ) {
      var processor = make(settings.0, channels)
      _ = processed(noise(1_003 * channels), channels: channels) { processor.process(&$0) }
      processor.set(settings.1, over: 2_000)
      _ = processed(noise(1_003 * channels), channels: channels) { processor.process(&$0) }
      processor.reset()
      let found = processor.settings
      #expect(found == settings.1)
      // The memory of the first settings has room for the second settings.
      var new = make(settings.1, channels)
      let (numbers, newNumbers) = ((processor.latency, processor.tail), (new.latency, new.tail))
      let gainChange = processor.gainChange
      #expect(numbers == newNumbers && gainChange == 0)
      let sound = noise(6_000 * channels, seed: 5)
      let result = processed(sound, channels: channels) { processor.process(&$0) }
      #expect(result == processed(sound, channels: channels) { new.process(&$0) }, "\(Processor.self)")
    }
  }

  @Test(arguments: rates, [1, 2, 8])
  func `A processor that was reset equals a new one`(rate: Int, channels: Int) {
    forAll(rate: rate, Reset(channels: channels))
  }

  private struct Tail: Check {
    func callAsFunction<Processor: SoundProcessor & ~Copyable>(
      _ settings: (Processor.Settings, Processor.Settings),
      _ make: (Processor.Settings, _ channels: Int) -> Processor
    ) {
      for sound in [noise(10_000), [Float](repeating: 1, count: 10_000)] {
        for glides in [false, true] {
          var processor = make(settings.0, 2)
          _ = processed(sound, channels: 2) { processor.process(&$0) }
          if glides { processor.set(settings.1, over: 3_000) }
          let tail = processor.tail
          let silence = [Float](repeating: 0, count: 2 * (tail + 2_000))
          let result = processed(silence, channels: 2) { processor.process(&$0) }
          #expect(result[(2 * tail)...].allSatisfy { $0 == 0 }, "\(Processor.self)")
        }
      }
    }
  }

  @Test(arguments: rates)
  func `Silence is exactly 0 after the tail, behind noise and behind a constant`(rate: Int) {
    forAll(rate: rate, Tail())
  }
}
