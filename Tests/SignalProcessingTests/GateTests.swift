import Glibc
import SignalProcessing
import Testing

/// A gate on sounds.
@Suite struct GateTests {
  private func settings(_ change: (inout Gate.Settings) -> Void = { _ in }) -> Gate.Settings {
    var settings = Gate.Settings()
    settings.threshold = -40
    change(&settings)
    return settings
  }

  @Test func `A loud sound passes to the bit, and a soft one is lowered by the curve`() {
    var gate = Gate(settings(), channelCount: 1, sampleRate: 48_000)
    let loud = sine(440, 48_000, frames: 48_000, amplitude: 0.5)
    let result = processed(loud) { gate.process(&$0) }
    #expect(gate.isOpen == true && gate.gainChange == 0)
    #expect(result[24_000...] == loud[24_000...])
    // 3 dB below the threshold: 27 dB of reduction, at a ratio of 10.
    var other = Gate(settings { $0.depth = -60 }, channelCount: 1, sampleRate: 48_000)
    _ = processed([Float](repeating: Float(pow(10, -43.0 / 20)), count: 96_000)) { other.process(&$0) }
    #expect(other.isOpen == false && abs(other.gainChange + 27) < 0.01)
    _ = processed([Float](repeating: 0, count: 96_000)) { other.process(&$0) }
    #expect(abs(other.gainChange + 60) < 0.01)
  }

  @Test func `An open gate stays open within the hysteresis, and for the hold time`() {
    var gate = Gate(settings { ($0.hysteresis, $0.hold) = (6, 0.2) }, channelCount: 1, sampleRate: 48_000)
    func append(_ level: Double, _ seconds: Double) {
      let samples = [Float](repeating: Float(pow(10, level / 20)), count: Int(seconds * 48_000))
      _ = processed(samples) { gate.process(&$0) }
    }
    append(-42, 0.5)
    #expect(gate.isOpen == false)
    append(-39, 0.1)
    #expect(gate.isOpen == true)
    append(-45, 1)
    #expect(gate.isOpen == true)
    append(-47, 0.19)
    #expect(gate.isOpen == true)
    append(-47, 0.02)
    #expect(gate.isOpen == false)
    append(-42, 1)
    #expect(gate.isOpen == false)
    gate.reset()
    #expect(gate.isOpen == false && gate.gainChange == -60)
  }

  @Test(arguments: [(0.001, 0.15), (0.02, 0.5)], [44_100, 96_000])
  func `Attack and release take their times`(times: (attack: Double, release: Double), rate: Int) {
    let numbers = settings { ($0.attack, $0.release, $0.hold) = (times.attack, times.release, 0.01) }
    var gate = Gate(numbers, channelCount: 1, sampleRate: rate)
    func frames(of value: Float, until isDone: (borrowing Gate) -> Bool) -> Double {
      var count = 0
      while !isDone(gate), count < 4 * rate {
        _ = processed([Float](repeating: value, count: 8)) { gate.process(&$0) }
        count += 8
      }
      return Double(count)
    }
    let attack = frames(of: 0.5) { $0.gainChange > -60 * exp(-1.0) }
    #expect(abs(attack - times.attack * Double(rate)) <= max(0.05 * times.attack * Double(rate), 8))
    _ = processed([Float](repeating: 0.5, count: rate)) { gate.process(&$0) }
    let release = frames(of: 0) { $0.gainChange < -60 * (1 - exp(-1.0)) }
    #expect(abs(release - (times.release + 0.01) * Double(rate)) <= 0.05 * times.release * Double(rate))
  }

  @Test func `A key opens the gate, and all channels have one gain`() {
    var gate = Gate(settings(), channelCount: 2, keyChannelCount: 1, sampleRate: 48_000)
    let (sound, key) = (noise(9_600, amplitude: 0.001), [Float](repeating: 0.1, count: 4_800))
    var frame = 0
    let result = processed(sound, channels: 2) { samples in
      gate.process(&samples, key: key.span.extracting(frame..<frame + samples.count / 2))
      frame += samples.count / 2
    }
    #expect(gate.isOpen == true && result[4_800...] == sound[4_800...])
    #expect(abs(result[100] / sound[100] - result[101] / sound[101]) < 1e-4)
  }

  @Test(arguments: [50.0, 61, 100, 333, 1_000], [44_100, 48_000])
  func `A tone below the threshold has a constant gain`(frequency: Double, rate: Int) {
    let numbers = settings { ($0.ratio, $0.threshold) = (2, -20) }
    var gate = Gate(numbers, channelCount: 1, sampleRate: rate)
    let tone = sine(frequency, rate, frames: 2 * rate, amplitude: 0.05)
    _ = processed(tone) { gate.process(&$0) }
    var (least, most) = (0.0, -200.0)
    _ = processed(tone, blocks: [8]) { samples in
      gate.process(&samples)
      (least, most) = (min(least, gate.gainChange), max(most, gate.gainChange))
    }
    let expected = -(decibels(1 / 0.05) - 20)
    // A crest between two frames makes the level a little lower.
    #expect(most - least < 0.05 && abs(most - expected) < 0.05, "\(most - least) \(most)")
  }

  @Test(arguments: blockLengths)
  func `The result does not depend on the lengths of the blocks`(blocks: [Int]) {
    let sound = noise(4_000) + noise(4_000, amplitude: 0.001)
    func result(_ blocks: [Int]) -> [Float] {
      var gate = Gate(settings { $0.hold = 0.01 }, channelCount: 2, sampleRate: 48_000)
      return processed(sound, channels: 2, blocks: blocks) { gate.process(&$0) }
    }
    #expect(result([4_000]) == result(blocks))
  }

  @Test func `Settings beyond the ranges and samples that are not finite give a finite gain`() {
    for value in [-1e9, -1, 0, 1e9, .nan, .infinity, -.infinity] {
      let numbers = settings {
        ($0.threshold, $0.ratio, $0.depth, $0.hysteresis) = (value, value, value, value)
        ($0.attack, $0.release, $0.hold) = (value, value, value)
      }
      var gate = Gate(numbers, channelCount: 1, sampleRate: 48_000)
      gate.set(numbers, over: 100)
      let result = processed(noise(1_000) + [.nan, .infinity, 3e38] + noise(4_000)) { gate.process(&$0) }
      #expect(gate.gainChange.isFinite && result[1_003...].allSatisfy { $0.isFinite })
    }
  }
}
