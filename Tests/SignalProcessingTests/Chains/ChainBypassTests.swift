import PCM
import SignalProcessing
import TestSupport
import Testing

/// Bypass, mix and faults of a step.
@Suite struct ChainBypassTests {
  private static let format = PCMFormat.stereo(sampleRate: 48_000)

  private static func sines(_ frames: Int) -> [Float] {
    interleaved([sine(997, 48_000, frames: frames, amplitude: 0.5), sine(440, 48_000, frames: frames, amplitude: 0.5)])
  }

  /// The largest second difference, which a click raises.
  private static func bend(_ sound: [Float]) -> Float {
    var largest: Float = 0
    for index in 4..<sound.count {
      let bend: Float = sound[index] - 2 * sound[index - 2] + sound[index - 4]
      largest = max(largest, bend.magnitude)
    }
    return largest
  }

  private static let limiter: LookAheadLimiter.Settings = {
    var settings = LookAheadLimiter.Settings()
    settings.ceiling = -20
    return settings
  }()

  private static let delay: FeedbackDelay.Settings = {
    var settings = FeedbackDelay.Settings()
    (settings.time, settings.feedback) = (0.03, 0.3)
    return settings
  }()

  private static let steps = [
    ProcessorStep(.limiter(limiter)),
    ProcessorStep(.delay(delay), mix: 0.4),
    ProcessorStep(.equalizer([FilterBand(.bell, 997, gain: 12), FilterBand(.highPass, 200)])),
    ProcessorStep(.custom(lateHalf)),
  ]

  @Test(arguments: 0..<4)
  func `A bypass that begins and ends makes no click, and moves nothing in time`(index: Int) {
    let (part, sound) = (24_000, Self.sines(48_000))
    var steps = [Self.steps[index]]
    var chain = ProcessorChain(steps, format: Self.format)
    var plain = ProcessorChain(steps, format: Self.format)
    let dry = delayed(sound, by: chain.latency, channels: 2)
    var result = chain.played(Array(sound[..<part]))
    for (index, isBypassed) in [true, false, true].enumerated() {
      steps[0].isBypassed = isBypassed
      let isSet = chain.set(steps, over: 0)
      #expect(isSet)
      let start = (index + 1) * part
      result += chain.played(Array(sound[start..<start + part]))
      // A fade of 10 ms.
      if isBypassed { #expect(result[(start + 960)...].elementsEqual(dry[(start + 960)..<start + part])) }
    }
    let largest = max(Self.bend(Array(plain.played(sound)[12_000...])), Self.bend(Array(dry[12_000...])))
    #expect(Self.bend(Array(result[12_000...])) < 1.2 * largest)
  }

  @Test func `A processor behind a bypass begins as after a reset`() {
    var steps = [ProcessorStep(.delay(Self.delay), isBypassed: true)]
    var chain = ProcessorChain(steps, format: Self.format)
    _ = chain.played(noise(48_000))
    steps[0].isBypassed = false
    let isSet = chain.set(steps, over: 0)
    #expect(isSet)
    // No echo of the noise comes: 10 ms of warm-up and 10 ms of the fade are over before the first repeat.
    let result = chain.played([Float](repeating: 0, count: 48_000))
    #expect(result.allSatisfy { $0 == 0 })
  }

  @Test func `A settled bypass does not call its processor`() {
    let counter = CallCounter()
    let custom = CustomProcessor("counter") { _ in counter }
    var steps = [ProcessorStep(.custom(custom))]
    var chain = ProcessorChain(steps, format: Self.format)
    let sound = noise(2_048)
    _ = chain.played(sound)
    #expect(counter.calls == 2)
    steps[0].isBypassed = true
    _ = chain.set(steps, over: 0)
    _ = chain.played(sound)
    let calls = counter.calls
    _ = chain.set(steps, over: 0)
    _ = chain.played(sound)
    #expect(counter.calls == calls && counter.resets == 0)
    steps[0].isBypassed = false
    _ = chain.set(steps, over: 0)
    _ = chain.played(sound)
    #expect(counter.calls > calls && counter.resets == 1)
  }

  @Test func `A key has no gap after a bypass, and none after a change of the key`() {
    var (late, compressor) = (LookAheadLimiter.Settings(), Compressor.Settings())
    // Two limiters before the compressor make its key late by more than 40 ms.
    (late.lookAhead, late.ceiling) = (0.02, 0)
    (compressor.threshold, compressor.ratio, compressor.makeup) = (-40, 20, 12)
    (compressor.attack, compressor.release) = (0.001, 0.01)
    let limiter = ProcessorStep(.limiter(late))
    var steps = [limiter, limiter, ProcessorStep(.compressor(compressor), isBypassed: true, key: KeyIndex(0))]
    var chain = ProcessorChain(steps, format: Self.format)
    let sound = [Float](repeating: 0.1, count: 2 * 9_600)
    let keys = [[Float](repeating: 0.5, count: 2 * 9_600), [Float](repeating: 0.6, count: 2 * 9_600)]
    _ = chain.played(sound, keys: keys)
    steps[2].isBypassed = false
    _ = chain.set(steps, over: 0)
    let afterBypass = chain.played(sound, keys: keys)
    steps[2].key = KeyIndex(1)
    _ = chain.set(steps, over: 0)
    let afterChange = chain.played(sound, keys: keys)
    // A compressor without its key would raise the sound by its makeup.
    #expect(afterBypass.allSatisfy { $0 < 0.101 } && afterBypass[9_600...].allSatisfy { $0 < 0.02 })
    #expect(afterChange.allSatisfy { $0 < 0.02 })
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity, 1e26])
  func `A fault silences its block, is reported once, and bypasses its step`(value: Float) {
    let custom = CustomProcessor("faulty") { _ in Faulty(value: value) }
    let steps = [ProcessorStep(.custom(lateHalf)), ProcessorStep(.custom(custom)), ProcessorStep(.custom(lateHalf))]
    var chain = ProcessorChain(steps, format: Self.format)
    let sound = [Float](repeating: 0.5, count: 2_048)
    _ = chain.played(sound)
    let none = chain.takeFault()
    #expect(none == nil)
    let second = chain.played(sound)
    #expect(second.allSatisfy { $0.isFinite })
    // The third call fails: the first block of this part. The last step is late by 7 frames, and has half of the level.
    #expect(second[14..<1_024 + 14].allSatisfy { $0 == 0 })
    let (fault, again) = (chain.takeFault(), chain.takeFault())
    #expect(fault?.processor == custom && again == nil)
    // The fade to the dry sound takes 10 ms.
    let third = chain.played(sound)
    #expect(third.allSatisfy { $0 == 0.125 })
    let isSet = chain.set(steps, over: 480)
    let later = chain.played(sound)
    let last = chain.takeFault()
    #expect(isSet && later == third && last == nil)
  }

  @Test func `A fault with a mix leaves the dry sound`() {
    let custom = CustomProcessor("faulty") { _ in Faulty(value: .nan) }
    var chain = ProcessorChain([ProcessorStep(.custom(custom), mix: 0.5)], format: Self.format)
    let sound = [Float](repeating: 0.5, count: 4_096)
    let result = chain.played(sound)
    #expect(result[..<2_048].allSatisfy { $0 == 0.5 })
    #expect(result[2_048..<3_072].allSatisfy { $0 == 0.25 })
    #expect(zip(result[3_072...], result[3_074...]).allSatisfy { $0 <= $1 } && result.last == 0.5)
  }

  @Test func `A processor of the program gets usable samples and the frame of the mix`() {
    let checker = InputChecker()
    let custom = CustomProcessor("checker") { _ in checker }
    var chain = ProcessorChain([ProcessorStep(.custom(custom))], format: Self.format)
    var sound = noise(6_000)
    (sound[3], sound[2_001], sound[4_000]) = (.nan, .infinity, 1e30)
    _ = chain.played(sound, blocks: [1_400, 100])
    #expect(checker.isUsable && checker.frames == [0, 512, 1_024, 1_400, 1_500, 2_012, 2_524, 2_900])
  }
}

/// Returns an unusable sample in its third block.
private final class Faulty: CustomProcessing, @unchecked Sendable {
  private let value: Float
  private var calls = 0

  init(value: Float) { self.value = value }

  func process(_ samples: inout MutableSpan<Float>, at frame: Int) {
    calls += 1
    if calls == 3 { samples[samples.count / 2] = value }
  }
}

private final class CallCounter: CustomProcessing, @unchecked Sendable {
  private(set) var (calls, resets) = (0, 0)

  func process(_ samples: inout MutableSpan<Float>, at frame: Int) { calls += 1 }
  func reset() { resets += 1 }
}

private final class InputChecker: CustomProcessing, @unchecked Sendable {
  private(set) var (isUsable, frames): (Bool, [Int]) = (true, [])

  func process(_ samples: inout MutableSpan<Float>, at frame: Int) {
    frames.append(frame)
    for index in 0..<samples.count where !(samples[index].magnitude <= 1e25) { isUsable = false }
  }
}
