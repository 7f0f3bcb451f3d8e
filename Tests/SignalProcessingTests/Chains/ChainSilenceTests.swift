import PCM
import TestSupport
import Testing

@testable import SignalProcessing

/// A chain that rests equals a chain that processes the silence.
@Suite struct ChainSilenceTests {
  private static let format = PCMFormat.stereo(sampleRate: 4_000)

  /// Noise, a silence, and noise again.
  private static func sound(silence: Int, seed: UInt64) -> [Float] {
    noise(2_600, amplitude: 0.9, seed: seed) + [Float](repeating: 0, count: silence * 2)
      + noise(3_000, amplitude: 0.9, seed: seed + 1)
  }

  /// The results of a list with and without rest, and whether it rested.
  private func compare(_ steps: [ProcessorStep], silence: Int, seed: UInt64, blocks: [Int]) -> Bool {
    var resting = ProcessorChain(steps, format: Self.format)
    var running = ProcessorChain(steps, format: Self.format, rests: false)
    let sound = Self.sound(silence: silence, seed: seed)
    let expected = running.played(sound, blocks: blocks)
    var hasRested = false
    let result = play(sound, blocks: blocks) { samples, _, frame in
      resting.process(&samples, at: frame)
      hasRested = hasRested || resting.isResting
    }
    let isEqual = result == expected
    #expect(isEqual, "\(steps)")
    return hasRested
  }

  @Test(arguments: StepKind.allCases)
  func `Each kind comes to rest, and rest changes no bit`(kind: StepKind) {
    var random = SplitMix64(seed: 11)
    for seed in 0..<6 as Range<UInt64> {
      var step = ProcessorStep(kind.settings(&random))
      if seed == 5 { step.isBypassed = true }
      // A length that ends on no grid.
      let silence = 22_001 + Int.random(in: 0..<700, using: &random)
      let rested = compare([step], silence: silence, seed: seed, blocks: seed % 2 == 0 ? [512] : [37, 441])
      #expect(rested, "\(kind)")
    }
  }

  @Test(arguments: 0..<4)
  func `Random lists after any silence equal lists that never rest`(part: UInt64) {
    var rests = 0
    for seed in part * 50..<(part + 1) * 50 {
      var random = SplitMix64(seed: seed)
      let steps = (0..<Int.random(in: 1...4, using: &random)).map { _ in randomStep(&random) }
      let silence = [0, 300, 5_000, 45_000, 45_000][Int.random(in: 0..<5, using: &random)]
      if compare(steps, silence: silence, seed: seed, blocks: [512, 100]) { rests += 1 }
    }
    #expect(rests > 0)
  }

  @Test(arguments: 0..<4)
  func `The output is exactly 0 after the tail`(part: UInt64) {
    for seed in part * 25..<(part + 1) * 25 {
      var random = SplitMix64(seed: seed)
      let steps = (0..<Int.random(in: 1...4, using: &random)).map { _ in randomStep(&random) }
      var chain = ProcessorChain(steps, format: Self.format, rests: false)
      _ = chain.played(noise(4_000, amplitude: 0.9, seed: seed))
      guard let tail = chain.tail, tail < 60_000 else { continue }
      let result = chain.played([Float](repeating: 0, count: 2 * (tail + 2_000)))
      let isSilent = result[(2 * tail)...].allSatisfy { $0 == 0 }
      #expect(isSilent, "\(steps)")
    }
  }

  @Test func `A leveler keeps its gain over a silence`() {
    var settings = Leveler.Settings()
    (settings.target, settings.speed) = (-30, 20)
    var chain = ProcessorChain([ProcessorStep(.leveler(settings))], format: Self.format)
    _ = chain.played(noise(40_000, amplitude: 0.9))
    let gain = chain.gainChange(ofStep: StepIndex(0)) ?? 0
    _ = chain.played([Float](repeating: 0, count: 80_000))
    let (later, rests) = (chain.gainChange(ofStep: StepIndex(0)) ?? 0, chain.isResting)
    #expect(rests && gain < -5 && abs(later - gain) < 1)
  }

  @Test func `Settings that are set during rest glide as without rest`() {
    var settings = StereoWidth.Settings()
    let steps = [ProcessorStep(.delay(FeedbackDelay.Settings())), ProcessorStep(.stereoWidth(settings), mix: 0.5)]
    settings.gain = -12
    var changed = steps
    (changed[0].mix, changed[1].settings) = (0.3, .stereoWidth(settings))
    var delay = FeedbackDelay.Settings()
    delay.time = 1.2
    changed[0].settings = .delay(delay)
    var results: [[Float]] = []
    for rests in [true, false] {
      var chain = ProcessorChain(steps, format: Self.format, rests: rests)
      _ = chain.played(Self.sound(silence: 50_001, seed: 3).dropLast(3_000))
      let isResting = chain.isResting
      _ = chain.set(changed, over: 3_000)
      results.append(chain.played([Float](repeating: 0, count: 1_002) + noise(20_000)))
      #expect(isResting == rests)
    }
    #expect(results[0] == results[1])
  }

  @Test func `A key that sounds keeps a chain awake`() {
    var compressor = Compressor.Settings()
    compressor.threshold = -40
    let steps = [ProcessorStep(.compressor(compressor), key: KeyIndex(0))]
    let (sound, key) = (Self.sound(silence: 9_000, seed: 1), noise(2_600 + 18_000 + 3_000, seed: 2))
    var chain = ProcessorChain(steps, format: Self.format)
    var running = ProcessorChain(steps, format: Self.format, rests: false)
    let (result, expected) = (chain.played(sound, keys: [key]), running.played(sound, keys: [key]))
    #expect(result == expected)
  }

  @Test func `A processor of the program that states no tail runs in silence`() {
    let generator = CustomProcessor("generator") { _ in Generator() }
    var step = ProcessorStep(.custom(generator))
    var chain = ProcessorChain([step], format: Self.format)
    let silence = [Float](repeating: 0, count: 20_000)
    let (result, tail) = (chain.played(silence), chain.tail)
    #expect(tail == nil && result.allSatisfy { $0 == 0.25 })
    step.isBypassed = true
    _ = chain.set([step], over: 0)
    _ = chain.played(silence)
    let isResting = chain.isResting
    #expect(isResting)
  }

  @Test(arguments: [false, true])
  func `Rest changes no bit after a sound of +40 dB`(isModulated: Bool) {
    var (delay, modulated) = (FeedbackDelay.Settings(), ModulatedDelay.Settings())
    (delay.time, delay.feedback, delay.tone) = (0.3, 0.7, 20_000)
    (modulated.delay, modulated.depth, modulated.feedback, modulated.taps) = (0.04, 0, 0.9, 1)
    let steps = [ProcessorStep(isModulated ? .modulatedDelay(modulated) : .delay(delay))]
    // A constant: its repeats add up.
    let loud = [Float](repeating: 100, count: 30_000) + [Float](repeating: 0, count: 250_000) + noise(6_000)
    var resting = ProcessorChain(steps, format: Self.format)
    var running = ProcessorChain(steps, format: Self.format, rests: false)
    var hasRested = false
    let result = play(loud) { samples, _, frame in
      resting.process(&samples, at: frame)
      hasRested = hasRested || resting.isResting
    }
    let isEqual = result == running.played(loud)
    #expect(isEqual && hasRested)
  }

  @Test func `A key that no processor uses lets a chain rest`() {
    let key = noise(40_000)
    let silence = [Float](repeating: 0, count: 40_000)
    let width = ProcessorStep(.stereoWidth(StereoWidth.Settings()), key: KeyIndex(0))
    let idle = ProcessorStep(.compressor(Compressor.Settings()), isBypassed: true, key: KeyIndex(0))
    for step in [width, idle] {
      var chain = ProcessorChain([step], format: Self.format)
      _ = chain.played(silence, keys: [key])
      let isResting = chain.isResting
      #expect(isResting)
    }
  }

  @Test func `A chain that rests calls no processor, and makes exact zeros`() {
    let counter = RestCounter()
    let custom = CustomProcessor("rest") { _ in counter }
    var chain = ProcessorChain([ProcessorStep(.custom(custom))], format: Self.format)
    _ = chain.played(noise(1_024))
    let result = chain.played([Float](repeating: -0.0, count: 20_480))
    #expect(result[2_048...].allSatisfy { $0.bitPattern == 0 })
    #expect(counter.calls == 2 && counter.skipped == 20 * 512 - 512)
  }
}

private final class Generator: CustomProcessing, @unchecked Sendable {
  func process(_ samples: inout MutableSpan<Float>, at frame: Int) { samples.update(repeating: 0.25) }
}

private final class RestCounter: CustomProcessing, @unchecked Sendable {
  private(set) var (calls, skipped) = (0, 0)
  var tail: Int? { 300 }

  func process(_ samples: inout MutableSpan<Float>, at frame: Int) { calls += 1 }
  func skipSilence(_ frameCount: Int) { skipped += frameCount }
}
