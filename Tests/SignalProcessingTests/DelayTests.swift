import Glibc
import SignalProcessing
import TestSupport
import Testing

/// Delays of whole frames, with repeats, and in motion.
@Suite struct DelayTests {
  private func impulse(_ frames: Int, channels: Int = 1) -> [Float] {
    [Float](repeating: 1, count: channels) + [Float](repeating: 0, count: (frames - 1) * channels)
  }

  @Test(arguments: [0, 1, 82, 700], 1...3)
  func `A line delays all channels to the bit`(delay: Int, channels: Int) {
    let sound = noise(1_500 * channels)
    for blocks in blockLengths {
      var line = DelayLine(delay: delay, channelCount: channels)
      let result = processed(sound, channels: channels, blocks: blocks) { line.process(&$0) }
      #expect(result[..<(delay * channels)].allSatisfy { $0 == 0 })
      #expect(result[(delay * channels)...] == sound[..<(sound.count - delay * channels)])
      line.reset()
      #expect(processed([Float](repeating: 1, count: channels)) { line.process(&$0) }[0] == (delay == 0 ? 1 : 0))
    }
  }

  private func settings(_ change: (inout FeedbackDelay.Settings) -> Void) -> FeedbackDelay.Settings {
    var settings = FeedbackDelay.Settings()
    change(&settings)
    return settings
  }

  @Test(arguments: [1, 480, 18_000])
  func `The first repeat is the sound at the exact frame, and the next ones follow`(frames: Int) {
    let numbers = settings { ($0.time, $0.feedback) = (Double(frames) / 48_000, 0.5) }
    var delay = FeedbackDelay(numbers, channelCount: 1, sampleRate: 48_000)
    let result = processed(impulse(3 * frames + 1_000)) { delay.process(&$0) }
    #expect(result[frames] == 1 && result[..<frames].allSatisfy { $0 == 0 })
    if frames > 1 {
      #expect(result[(frames + 1)..<2 * frames].allSatisfy { $0 == 0 })
      // The second repeat is duller, and in all half as strong.
      #expect(result[2 * frames] > 0.2 && result[2 * frames] < 0.5)
      let sum = result[(2 * frames)..<min(3 * frames, result.count)].reduce(0, +)
      #expect(abs(sum - 0.5) < 1e-3)
    }
  }

  @Test func `Repeats that cross over change their side`() {
    let numbers = settings { ($0.time, $0.feedback, $0.crossesOver) = (0.01, 0.5, true) }
    var delay = FeedbackDelay(numbers, channelCount: 2, sampleRate: 48_000)
    var sound = impulse(1_600, channels: 2)
    sound[1] = 0
    let result = processed(sound, channels: 2) { delay.process(&$0) }
    let (left, right) = (channel(0, of: result, count: 2), channel(1, of: result, count: 2))
    #expect(left[480] == 1 && right[480] == 0)
    #expect(left[960] == 0 && right[960] > 0.2)
    #expect(left[1_440] > 0.02 && right[1_440] == 0)
  }

  @Test func `A new time and a new feedback make no click`() {
    var (delay, block) = (FeedbackDelay(settings { $0.time = 0.1 }, channelCount: 1, sampleRate: 48_000), 0)
    let result = processed(sine(300, 48_000, frames: 48_000)) { samples in
      if block == 40 { delay.set(settings { ($0.time, $0.feedback) = (0.0371, 0.8) }, over: 480) }
      if block == 41 { delay.set(settings { ($0.time, $0.feedback) = (0.2, 0) }, over: 480) }
      block += 1
      delay.process(&samples)
    }
    #expect(clickFrames(Array(result[10_000...]), below: 300, 48_000).isEmpty)
  }

  @Test(arguments: [0, 0.35, 0.98])
  func `Silence is exactly 0 after the tail`(feedback: Double) {
    let numbers = settings { ($0.time, $0.feedback) = (0.002, feedback) }
    var delay = FeedbackDelay(numbers, channelCount: 2, sampleRate: 8_000)
    _ = processed(noise(4_000), channels: 2) { delay.process(&$0) }
    _ = processed([Float](repeating: 0, count: 2 * delay.tail), channels: 2) { delay.process(&$0) }
    let result = processed([Float](repeating: 0, count: 2_000), channels: 2) { delay.process(&$0) }
    #expect(result.allSatisfy { $0 == 0 })
  }

  @Test(arguments: blockLengths)
  func `The results do not depend on the lengths of the blocks`(blocks: [Int]) {
    let sound = noise(12_000)
    func repeated(_ blocks: [Int]) -> [Float] {
      var delay = FeedbackDelay(settings { $0.time = 0.01 }, channelCount: 2, sampleRate: 48_000)
      return processed(sound, channels: 2, blocks: blocks) { delay.process(&$0) }
    }
    #expect(repeated(blocks) == repeated([6_000]))
    func moved(_ blocks: [Int]) -> [Float] {
      var settings = ModulatedDelay.Settings()
      settings.feedback = 0.5
      var delay = ModulatedDelay(settings, channelCount: 2, sampleRate: 48_000)
      return processed(sound, channels: 2, blocks: blocks) { delay.process(&$0) }
    }
    #expect(moved(blocks) == moved([6_000]))
  }

  @Test(arguments: 1...4, [8_000, 48_000, 192_000])
  func `A constant stays constant in a chorus`(voices: Int, rate: Int) {
    var settings = ModulatedDelay.Settings()
    (settings.voices, settings.rate) = (voices, 5)
    var delay = ModulatedDelay(settings, channelCount: 1, sampleRate: rate)
    let result = processed([Float](repeating: 0.5, count: rate / 2)) { delay.process(&$0) }
    #expect(result[(rate / 10)...].allSatisfy { abs($0 - 0.5) < 1e-6 })
  }

  @Test func `Without depth a chorus is a delay, at the exact frame`() {
    var settings = ModulatedDelay.Settings()
    (settings.voices, settings.depth, settings.delay) = (1, 0, 0.01)
    var delay = ModulatedDelay(settings, channelCount: 1, sampleRate: 48_000)
    let result = processed(impulse(1_000)) { delay.process(&$0) }
    #expect(abs(result[480] - 1) < 1e-4)
    #expect(result.indices.allSatisfy { $0 == 480 || abs(result[$0]) < 1e-3 })
  }

  @Test func `A vibrato moves the pitch by its numbers`() {
    // A sine of 3 ms at 2 Hz: the rate of the delay is at most 2π · 2 · 0.003 = 3.8 %.
    var settings = ModulatedDelay.Settings()
    (settings.voices, settings.depth, settings.rate) = (1, 0.003, 2)
    var delay = ModulatedDelay(settings, channelCount: 1, sampleRate: 48_000)
    let result = processed(sine(1_000, 48_000, frames: 96_000)) { delay.process(&$0) }
    let crossings = (4_800..<95_999).filter { result[$0] < 0 && result[$0 + 1] >= 0 }
    let periods = zip(crossings, crossings.dropFirst()).map { Double($1 - $0) }
    #expect(abs((periods.min() ?? 0) - 48 / 1.038) < 1.01 && abs((periods.max() ?? 0) - 48 / 0.962) < 1.01)
    #expect(clickFrames(Array(result[4_800...]), below: 1_050, 48_000).isEmpty)
  }

  @Test func `Other numbers of a chorus make no click, and silence becomes exactly 0`() {
    var (delay, block) = (ModulatedDelay(channelCount: 1, sampleRate: 48_000), 0)
    let sound = sine(300, 48_000, frames: 48_000) + [Float](repeating: 0, count: 200_000)
    let result = processed(sound) { samples in
      if block == 40 {
        var settings = ModulatedDelay.Settings()
        (settings.delay, settings.depth, settings.rate, settings.feedback) = (0.004, 0.002, 0.3, -0.7)
        delay.set(settings, over: 9_600)
      }
      block += 1
      delay.process(&samples)
    }
    #expect(clickFrames(Array(result[4_800..<48_000]), below: 350, 48_000).isEmpty)
    #expect(result[(48_000 + delay.tail)...].allSatisfy { $0 == 0 })
    #expect(delay.tail < 100_000)
  }

  @Test func `Settings beyond the ranges and samples that are not finite give finite sound`() {
    for value in [-1e9, 0, 1e9, .nan, .infinity, -.infinity] {
      var numbers = FeedbackDelay.Settings()
      (numbers.time, numbers.feedback, numbers.tone) = (value, value, value)
      var delay = FeedbackDelay(numbers, longest: value, channelCount: 1, sampleRate: 8_000)
      var settings = ModulatedDelay.Settings()
      (settings.delay, settings.depth, settings.rate, settings.feedback) = (value, value, value, value)
      settings.voices = value > 0 ? .max : .min
      var chorus = ModulatedDelay(settings, channelCount: 1, sampleRate: 8_000)
      let sound = [.nan, .infinity, -.infinity, 3e38] + noise(6_000, amplitude: 1e24)
      #expect(processed(sound) { delay.process(&$0) }.allSatisfy { $0.isFinite })
      #expect(processed(sound) { chorus.process(&$0) }.allSatisfy { $0.isFinite })
      delay.reset()
      chorus.reset()
      #expect(processed([Float](repeating: 0, count: 4_000)) { delay.process(&$0) }.allSatisfy { $0 == 0 })
      #expect(processed([Float](repeating: 0, count: 4_000)) { chorus.process(&$0) }.allSatisfy { $0 == 0 })
    }
  }
}
