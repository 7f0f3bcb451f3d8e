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
      let again = processed([Float](repeating: 1, count: (delay + 1) * channels), channels: channels) {
        line.process(&$0)
      }
      #expect(again[..<(delay * channels)].allSatisfy { $0 == 0 } && again[delay * channels] == 1)
    }
  }

  @Test func `A line passes whole frames alone, and has a longest delay`() {
    var line = DelayLine(delay: 1, channelCount: 2)
    #expect(processed([1, 2, 3, 4, 5], channels: 3) { line.process(&$0) } == [0, 0, 1, 2, 5])
    #expect(DelayLine(delay: .max, channelCount: 1).delay == DelayLine.longest)
    #expect(DelayLine(delay: -1, channelCount: 1).delay == 0)
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
    #expect(left[480] == 0.5 && right[480] == 0)
    #expect(left[960] == 0 && right[960] > 0.1)
    #expect(left[1_440] > 0.01 && right[1_440] == 0)
  }

  @Test func `Repeats that cross over begin on the left as the mean of both channels`() {
    let numbers = settings { ($0.time, $0.feedback, $0.crossesOver) = (0.01, 0.5, true) }
    var delay = FeedbackDelay(numbers, channelCount: 2, sampleRate: 48_000)
    let result = processed(impulse(1_600, channels: 2), channels: 2) { delay.process(&$0) }
    let (left, right) = (channel(0, of: result, count: 2), channel(1, of: result, count: 2))
    #expect(left[480] == 1 && right[480] == 0)
    #expect(left[960] == 0 && right[960] > 0.2)
    var mono = FeedbackDelay(numbers, channelCount: 1, sampleRate: 48_000)
    #expect(processed(impulse(1_600)) { mono.process(&$0) }[480] == 1)
  }

  @Test func `The crossing and the tone of repeats change without a click`() {
    var delay = FeedbackDelay(settings { $0.time = 0.01 }, channelCount: 2, sampleRate: 48_000)
    var block = 0
    let sound = interleaved([
      sine(200, 48_000, frames: 48_000, amplitude: 0.5), sine(200, 48_000, frames: 48_000, amplitude: 0.5, phase: 0.3),
    ])
    let result = processed(sound, channels: 2) { samples in
      if block == 20 { delay.set(settings { ($0.time, $0.crossesOver) = (0.01, true) }, over: 960) }
      if block == 40 { delay.set(settings { ($0.time, $0.tone) = (0.01, 150) }, over: 960) }
      if block == 60 { delay.set(settings { $0.time = 0.01 }, over: 960) }
      block += 1
      delay.process(&samples)
    }
    for index in 0..<2 {
      #expect(clickFrames(Array(channel(index, of: result, count: 2)[4_800...]), below: 200, 48_000).isEmpty)
    }
  }

  @Test func `A glide of the feedback takes its frames, and not the block`() {
    // A delay of one frame: the result follows the feedback at once.
    func levels(_ blocks: [Int]) -> [Float] {
      let numbers = settings { ($0.time, $0.feedback, $0.tone) = (0, 0, 20_000) }
      var delay = FeedbackDelay(numbers, channelCount: 1, sampleRate: 192_000)
      var block = 0
      return processed([Float](repeating: 0.5, count: 12_000), blocks: blocks) { samples in
        if block == 0 { delay.set(settings { ($0.time, $0.feedback, $0.tone) = (0, 0.5, 20_000) }, over: 3_200) }
        block += 1
        delay.process(&samples)
      }
    }
    let result = levels([12_000])
    #expect(result == levels([512]) && result == levels([7, 64]))
    #expect(abs(result[1_600] - 0.5 / 0.75) < 0.005 && abs(result[3_300] - 1) < 0.001 && result[2_400] < 0.9)
  }

  @Test(arguments: [1, 16, 480], [100.0, 6_000])
  func `A constant sound ends in exact zeros after the tail`(frames: Int, tone: Double) {
    for feedback in [0.35, 0.9, 0.98] {
      let numbers = settings { ($0.time, $0.feedback, $0.tone) = (Double(frames) / 48_000, feedback, tone) }
      var delay = FeedbackDelay(numbers, channelCount: 1, sampleRate: 48_000)
      // The sound settles within the same time.
      let tail = delay.tail
      _ = processed([Float](repeating: 1, count: tail / 2)) { delay.process(&$0) }
      let settled = delay.tail
      #expect(settled == tail)
      let silence = processed([Float](repeating: 0, count: tail + 4_000)) { delay.process(&$0) }
      #expect(silence[tail...].allSatisfy { $0 == 0 }, "\(feedback)")
      #expect(silence[tail / 8] != 0 || frames == 1, "the tail is no more than eight times too long")
    }
  }

  @Test func `A tail counts what glides: the larger feedback and the later time`() {
    let (small, large) = (
      settings { ($0.time, $0.feedback) = (0.001, 0.1) }, settings { ($0.time, $0.feedback) = (0.01, 0.95) }
    )
    for (from, to) in [(small, large), (large, small)] {
      var delay = FeedbackDelay(from, channelCount: 1, sampleRate: 8_000)
      _ = processed([Float](repeating: 1, count: 40_000)) { delay.process(&$0) }
      delay.set(to, over: 4_000)
      let tail = delay.tail
      let silence = processed([Float](repeating: 0, count: tail + 4_000)) { delay.process(&$0) }
      #expect(silence[tail...].allSatisfy { $0 == 0 })
    }
  }

  @Test func `A new time and a new feedback make no click`() {
    var delay = FeedbackDelay(settings { $0.time = 0.1 }, channelCount: 1, sampleRate: 48_000)
    var block = 0
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
  func `A constant stays constant in a chorus`(taps: Int, rate: Int) {
    var settings = ModulatedDelay.Settings()
    (settings.taps, settings.rate) = (taps, 5)
    var delay = ModulatedDelay(settings, channelCount: 1, sampleRate: rate)
    let result = processed([Float](repeating: 0.5, count: rate / 2)) { delay.process(&$0) }
    #expect(result[(rate / 10)...].allSatisfy { abs($0 - 0.5) < 1e-6 })
  }

  @Test func `Without depth a chorus is a delay, at the exact frame`() {
    var settings = ModulatedDelay.Settings()
    (settings.taps, settings.depth, settings.delay) = (1, 0, 0.01)
    var delay = ModulatedDelay(settings, channelCount: 1, sampleRate: 48_000)
    let result = processed(impulse(1_000)) { delay.process(&$0) }
    #expect(abs(result[480] - 1) < 1e-4)
    #expect(result.indices.allSatisfy { $0 == 480 || abs(result[$0]) < 1e-3 })
  }

  @Test(arguments: 1...4, [2, 6])
  func `All channels of a chorus differ`(taps: Int, channels: Int) {
    var settings = ModulatedDelay.Settings()
    settings.taps = taps
    var delay = ModulatedDelay(settings, channelCount: channels, sampleRate: 48_000)
    let mono = noise(24_000)
    let result = processed(interleaved(Array(repeating: mono, count: channels)), channels: channels) {
      delay.process(&$0)
    }
    let parts = (0..<channels).map { Array(channel($0, of: result, count: channels)[2_000...]) }
    for one in 0..<channels {
      for other in 0..<one {
        let difference = zip(parts[one], parts[other]).map { $0 - $1 }
        #expect(level(difference[...]) - level(parts[one][...]) > -20)
      }
    }
  }

  @Test func `A new number of taps needs a new chorus`() {
    var delay = ModulatedDelay(channelCount: 1, sampleRate: 48_000)
    var settings = delay.settings
    settings.rate = 2
    let rateGlides = delay.canGlide(to: settings)
    settings.taps = 3
    let tapsGlide = delay.canGlide(to: settings)
    #expect(rateGlides && !tapsGlide)
    delay.set(settings, over: 0)
    let found = delay.settings
    #expect(found == ModulatedDelay.Settings())
  }

  @Test(arguments: [-0.95, 0.35, 0.95])
  func `A constant sound in a chorus ends in exact zeros after the tail`(feedback: Double) {
    var settings = ModulatedDelay.Settings()
    (settings.feedback, settings.rate) = (feedback, 3)
    var delay = ModulatedDelay(settings, channelCount: 1, sampleRate: 48_000)
    let tail = delay.tail
    _ = processed([Float](repeating: 1, count: tail / 2)) { delay.process(&$0) }
    let settled = delay.tail
    #expect(settled == tail)
    let silence = processed([Float](repeating: 0, count: tail + 4_000)) { delay.process(&$0) }
    #expect(silence[tail...].allSatisfy { $0 == 0 })
    #expect(silence[tail / 8] != 0)
  }

  @Test func `A vibrato moves the pitch by its numbers`() {
    // A sine of 3 ms at 2 Hz: the rate of the delay is at most 2π · 2 · 0.003 = 3.8 %.
    var settings = ModulatedDelay.Settings()
    (settings.taps, settings.depth, settings.rate) = (1, 0.003, 2)
    var delay = ModulatedDelay(settings, channelCount: 1, sampleRate: 48_000)
    let result = processed(sine(1_000, 48_000, frames: 96_000)) { delay.process(&$0) }
    let crossings = (4_800..<95_999).filter { result[$0] < 0 && result[$0 + 1] >= 0 }
    let periods = zip(crossings, crossings.dropFirst()).map { Double($1 - $0) }
    #expect(abs((periods.min() ?? 0) - 48 / 1.038) < 1.01 && abs((periods.max() ?? 0) - 48 / 0.962) < 1.01)
    #expect(clickFrames(Array(result[4_800...]), below: 1_050, 48_000).isEmpty)
  }

  @Test func `Other numbers of a chorus make no click, and silence becomes exactly 0`() {
    var delay = ModulatedDelay(channelCount: 1, sampleRate: 48_000)
    var block = 0
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
    let tail = delay.tail
    #expect(result[(48_000 + tail)...].allSatisfy { $0 == 0 })
    #expect(tail < 100_000)
  }

  @Test func `Settings beyond the ranges and samples that are not finite give finite sound`() {
    for value in [-1e9, 0, 1e9, .nan, .infinity, -.infinity] {
      var numbers = FeedbackDelay.Settings()
      (numbers.time, numbers.feedback, numbers.tone) = (value, value, value)
      var delay = FeedbackDelay(numbers, longest: value, channelCount: 1, sampleRate: 8_000)
      var settings = ModulatedDelay.Settings()
      (settings.delay, settings.depth, settings.rate, settings.feedback) = (value, value, value, value)
      settings.taps = value > 0 ? .max : .min
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
