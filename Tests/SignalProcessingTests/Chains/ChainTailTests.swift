import PCM
import TestSupport
import Testing

@testable import SignalProcessing

/// Changes of a chain inside its tail: a chain that rests equals a chain that never rests.
@Suite struct ChainTailTests {
  private static let format = PCMFormat.stereo(sampleRate: 4_000)

  /// A list that a chain glides to, from a frame on.
  private struct Change {
    let (frame, steps, glide): (Int, [ProcessorStep], Int)
  }

  /// Plays a sound through a list that changes; returns whether the chain rested at the end of the silence.
  private static func played(
    _ steps: [ProcessorStep],
    _ changes: [Change],
    silence: Int,
    rests: Bool
  ) -> (sound: [Float], hasRested: Bool) {
    let (first, last) = (noise(2_600, amplitude: 0.9), noise(8_000, amplitude: 0.9, seed: 2))
    let sound = first + [Float](repeating: 0, count: 2 * silence) + last
    var chain = ProcessorChain(steps, format: format, rests: rests)
    var (left, hasRested) = (changes[...], false)
    // Blocks of 100 frames.
    let result = play(sound, blocks: [100]) { samples, _, frame in
      while let change = left.first, change.frame <= frame {
        left.removeFirst()
        _ = chain.set(change.steps, over: change.glide)
      }
      chain.process(&samples, at: frame)
      hasRested = hasRested || chain.isResting
    }
    return (result, hasRested)
  }

  private static func compare(_ steps: [ProcessorStep], _ changes: [Change], silence: Int) -> Bool {
    let (result, hasRested) = played(steps, changes, silence: silence, rests: true)
    let expected = played(steps, changes, silence: silence, rests: false).sound
    let different = result.indices.first { result[$0] != expected[$0] }
    #expect(different == nil, "\(steps) \(changes)")
    return hasRested
  }

  private static func delay(feedback: Double, time: Double = 0.375) -> ProcessorStep {
    var settings = FeedbackDelay.Settings()
    (settings.time, settings.feedback) = (time, feedback)
    return ProcessorStep(.delay(settings))
  }

  private static func modulatedDelay(feedback: Double) -> ProcessorStep {
    var settings = ModulatedDelay.Settings()
    (settings.delay, settings.feedback) = (0.04, feedback)
    return ProcessorStep(.modulatedDelay(settings))
  }

  /// An impulse response of three seconds.
  private static let hall = ProcessorStep(.convolution(.init(ImpulseResponse([noise(12_000, amplitude: 0.02)]))))

  private static let limiter: ProcessorStep = {
    var settings = LookAheadLimiter.Settings()
    settings.lookAhead = 0.02
    return ProcessorStep(.limiter(settings))
  }()

  @Test func `The sound behind a delay ends as it would, if the delay is bypassed in its tail`() {
    var bypassed = delayAndHall
    bypassed[0].isBypassed = true
    _ = Self.compare(delayAndHall, [Change(frame: 20_000, steps: bypassed, glide: 0)], silence: 40_000)
    let steps = [Self.delay(feedback: 0.9), Self.limiter]
    var other = steps
    other[0].isBypassed = true
    _ = Self.compare(steps, [Change(frame: 20_030, steps: other, glide: 0)], silence: 30_000)
  }

  private var delayAndHall: [ProcessorStep] { [Self.delay(feedback: 0.9), Self.hall] }

  @Test(arguments: [0, 400, 12_000])
  func `Repeats come to their end, if the feedback falls between them`(glide: Int) {
    for feedback in [0, 0.1] {
      for (first, last) in [
        (Self.delay(feedback: 0.9), Self.delay(feedback: feedback)),
        (Self.modulatedDelay(feedback: 0.95), Self.modulatedDelay(feedback: feedback)),
      ] {
        _ = Self.compare([first], [Change(frame: 3_230, steps: [last], glide: glide)], silence: glide + 9_000)
      }
    }
  }

  @Test func `A fault in a tail leaves the tails of the steps behind it`() {
    let faulty = CustomProcessor("faulty") { _ in LateFault() }
    let steps = [ProcessorStep(.custom(faulty)), Self.hall]
    _ = Self.compare(steps, [], silence: 60_000)
  }

  @Test(arguments: 0..<8)
  func `Random lists that change in their tails equal lists that never rest`(part: UInt64) {
    let kinds: [StepKind] = [.delay, .delay, .modulatedDelay, .convolution, .limiter, .equalizer, .compressor, .custom]
    var rests = 0
    for seed in part * 15..<(part + 1) * 15 {
      var random = SplitMix64(seed: seed)
      let steps = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        var step = randomStep(&random, kinds: kinds)
        if case .delay = step.settings { step.settings = Self.echo(&random) }
        return step
      }
      var (changes, frame, list): ([Change], Int, [ProcessorStep]) = ([], 900, steps)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        frame += Int.random(in: 0...4_000, using: &random)
        for index in list.indices { Self.change(&list[index], &random) }
        let glide = [0, 300, 3_000].randomElement(using: &random) ?? 0
        changes.append(Change(frame: frame, steps: list, glide: glide))
      }
      let silence = [6_000, 20_000, 45_000].randomElement(using: &random) ?? 0
      if Self.compare(steps, changes, silence: silence) { rests += 1 }
    }
    #expect(rests > 0)
  }

  private static func echo(_ random: inout SplitMix64) -> ProcessorSettings {
    delay(feedback: .random(in: 0...0.7, using: &random), time: .random(in: 0.01...0.3, using: &random)).settings
  }

  private static func change(_ step: inout ProcessorStep, _ random: inout SplitMix64) {
    varyShares(of: &step, &random)
    switch step.settings {
    case .delay: step.settings = echo(&random)
    case .modulatedDelay: step.settings = StepKind.modulatedDelay.settings(&random)
    case .convolution: step.settings = StepKind.convolution.settings(&random)
    default: break
    }
  }
}

/// Repeats its input for a time, and fails in a tail.
private final class LateFault: CustomProcessing, @unchecked Sendable {
  var tail: Int? { 50_000 }

  func process(_ samples: inout MutableSpan<Float>, at frame: Int) {
    if frame < 20_000 { for index in 0..<samples.count { samples[index] = 0.1 } }
    if frame >= 20_000 { samples[0] = .nan }
  }
}
