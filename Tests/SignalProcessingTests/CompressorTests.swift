import Glibc
import SignalProcessing
import Testing

/// A compressor on sounds.
@Suite struct CompressorTests {
  private func settings(_ change: (inout Compressor.Settings) -> Void = { _ in }) -> Compressor.Settings {
    var settings = Compressor.Settings()
    settings.threshold = -20
    settings.ratio = 4
    change(&settings)
    return settings
  }

  @Test(arguments: [LevelDetector.Kind.peak, .rootMeanSquare], [8_000, 48_000, 192_000])
  func `A settled tone has the gain of the curve within 0.05 dB`(kind: LevelDetector.Kind, rate: Int) {
    let numbers = settings { $0.release = 0.2 }
    let curve = CompressionCurve(threshold: -20, ratio: 4, knee: numbers.knee)
    for step in stride(from: -60.0, through: 0, by: 4) {
      // The detector of mean squares measures the level of a sine 3 dB below its crest.
      let amplitude = pow(10, step / 20) * (kind == .peak ? 1 : 2.0.squareRoot())
      let tone = sine(1_237, rate, frames: rate / 2, amplitude: amplitude)
      var compressor = Compressor(numbers, detector: kind, channelCount: 1, sampleRate: rate)
      let result = processed(tone) { compressor.process(&$0) }
      let part = rate / 4..<rate / 2
      let gain = level(result[part]) - level(tone[part])
      #expect(abs(gain - curve.gain(at: step)) < 0.05, "\(step) \(gain)")
      #expect(abs(compressor.reduction - curve.gain(at: step)) < 0.1)
    }
  }

  @Test(arguments: [(0.01, 0.12), (0.001, 0.05), (0.05, 0.02), (0.1, 1)], [44_100, 96_000])
  func `Attack and release take their times, within 5 % or 8 frames`(
    times: (attack: Double, release: Double),
    rate: Int
  ) {
    let numbers = settings {
      ($0.attack, $0.release, $0.knee) = (times.attack, times.release, 0)
    }
    var compressor = Compressor(numbers, detector: .peak, channelCount: 1, sampleRate: rate)
    // A constant: its level is known in each frame.
    let (attackLength, releaseLength) = (Int(10 * times.attack * Double(rate)), Int(4 * times.release * Double(rate)))
    let sound = [Float](repeating: 1, count: attackLength) + [Float](repeating: 0.01, count: releaseLength)
    let result = processed(sound) { compressor.process(&$0) }
    func gain(_ frame: Int) -> Double { decibels(Double(result[frame] / sound[frame])) }
    let (full, share) = (-15.0, 1 - exp(-1.0))
    let attack = (0..<attackLength).first { gain($0) < full * share } ?? 0
    let release = (attackLength..<sound.count).first { gain($0) > full * (1 - share) } ?? 0
    for (found, expected) in [(attack, times.attack), (release - attackLength, times.release)] {
      let frames = expected * Double(rate)
      #expect(abs(Double(found) - frames) <= max(0.05 * frames, 16), "\(found) \(frames)")
    }
  }

  @Test func `Linked channels keep their ratio within 0.01 dB`() {
    let channels = [noise(48_000), noise(48_000, amplitude: 0.1, seed: 1)]
    var compressor = Compressor(settings(), channelCount: 2, sampleRate: 48_000)
    let result = processed(interleaved(channels), channels: 2) { compressor.process(&$0) }
    for frame in stride(from: 0, to: 48_000, by: 97)
    where abs(channels[0][frame]) > 0.01 && abs(channels[1][frame]) > 0.001 {
      let (left, right) = (result[2 * frame] / channels[0][frame], result[2 * frame + 1] / channels[1][frame])
      #expect(abs(decibels(Double(left / right))) < 0.01)
    }
    #expect(compressor.reduction < -5)
  }

  @Test func `A key lowers the sound by the curve, 8 frames after its first sample at the latest`() {
    let numbers = settings { ($0.threshold, $0.release) = (-30, 0.3) }
    let curve = CompressionCurve(threshold: -30, ratio: 4, knee: numbers.knee)
    let tone = sine(440, 48_000, frames: 96_000, amplitude: 0.25)
    for start in [24_000, 24_003, 24_007] {
      let amplitude = pow(10, -10.0 / 20) * 2.0.squareRoot()
      let key =
        [Float](repeating: 0, count: start) + sine(1_000, 48_000, frames: 48_000, amplitude: amplitude, phase: 0.2)
        + [Float](repeating: 0, count: 48_000)
      var (compressor, frame) = (Compressor(numbers, channelCount: 1, sampleRate: 48_000), 0)
      let result = processed(tone) { samples in
        compressor.process(&samples, key: key.span.extracting(frame..<frame + samples.count))
        frame += samples.count
      }
      // Without a key the samples are the same to the bit.
      #expect(result[..<start] == tone[..<start])
      let first = (start..<96_000).first { result[$0] != tone[$0] } ?? 0
      #expect(first - start <= 8, "\(first - start)")
      let part = start + 24_000..<start + 46_000
      #expect(abs(level(result[part]) - level(tone[part]) - curve.gain(at: -10)) < 0.2)
    }
  }

  @Test func `The high pass of the key leaves out a bass`() {
    let bass = sine(40, 48_000, frames: 48_000)
    var (filtered, plain) = (
      Compressor(settings { $0.keyHighPass = 400 }, channelCount: 1, sampleRate: 48_000),
      Compressor(settings(), channelCount: 1, sampleRate: 48_000)
    )
    _ = processed(bass) { filtered.process(&$0) }
    _ = processed(bass) { plain.process(&$0) }
    #expect(filtered.reduction > -0.5 && plain.reduction < -10)
    filtered.set(settings(), over: 0)
    _ = processed(bass) { filtered.process(&$0) }
    #expect(abs(filtered.reduction - plain.reduction) < 0.5)
  }

  @Test(arguments: blockLengths)
  func `The result does not depend on the lengths of the blocks`(blocks: [Int]) {
    let sound = noise(8_000)
    func result(_ blocks: [Int]) -> [Float] {
      var compressor = Compressor(settings { $0.makeup = 3 }, channelCount: 2, sampleRate: 48_000)
      return processed(sound, channels: 2, blocks: blocks) { compressor.process(&$0) }
    }
    #expect(result([4_000]) == result(blocks))
  }

  @Test func `Below the knee the samples stay the same to the bit, also after a reduction`() {
    let soft = noise(96_000, amplitude: 0.01)
    var compressor = Compressor(settings { $0.release = 0.05 }, channelCount: 1, sampleRate: 48_000)
    #expect(processed(soft) { compressor.process(&$0) } == soft)
    _ = processed(noise(9_600)) { compressor.process(&$0) }
    #expect(compressor.reduction < -5)
    let result = processed(soft) { compressor.process(&$0) }
    #expect(result[48_000...] == soft[48_000...])
    compressor.reset()
    #expect(compressor.reduction == 0)
  }

  @Test func `The make-up counts from the first frame, and glides`() {
    var compressor = Compressor(settings { $0.makeup = 6 }, channelCount: 1, sampleRate: 48_000)
    let constant = [Float](repeating: 0.01, count: 48_000)
    #expect(abs(processed(constant) { compressor.process(&$0) }[0] - 0.01 * 1.995_262) < 1e-6)
    compressor.set(settings { $0.makeup = -6 }, over: 24_000)
    let result = processed(constant) { compressor.process(&$0) }
    #expect(abs(result[12_000] - 0.01) < 1e-4 && abs(result[47_000] - 0.01 * 0.501_187) < 1e-6)
    #expect(zip(result, result.dropFirst()).allSatisfy { abs($0 - $1) < 1e-5 })
  }

  @Test func `A sudden change of all settings makes no click`() {
    var (compressor, block) = (Compressor(settings(), channelCount: 1, sampleRate: 48_000), 0)
    let result = processed(sine(500, 48_000, frames: 48_000)) { samples in
      block += 1
      if block == 40 { compressor.set(settings { ($0.threshold, $0.ratio, $0.makeup) = (-50, 20, 12) }, over: 480) }
      compressor.process(&samples)
    }
    #expect(clickFrames(Array(result[4_800...]), below: 500, 48_000).isEmpty)
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity, 3e38])
  func `A sample that is not finite does not count`(value: Float) {
    var sound = noise(9_600, amplitude: 0.5)
    let numbers = settings { $0.keyHighPass = 100 }
    var (compressor, other) = (
      Compressor(numbers, channelCount: 1, sampleRate: 48_000), Compressor(numbers, channelCount: 1, sampleRate: 48_000)
    )
    sound[1_000] = 0
    let expected = processed(sound) { other.process(&$0) }
    sound[1_000] = value
    let result = processed(sound) { compressor.process(&$0) }
    #expect(result[1_001...] == expected[1_001...])
  }

  @Test func `Settings beyond the ranges are moved into them, and give finite sound`() {
    for value in [-1e9, -1, 0, 1e9, .nan, .infinity, -.infinity] {
      let numbers = settings {
        ($0.threshold, $0.ratio, $0.knee, $0.makeup) = (value, value, value, value)
        ($0.attack, $0.release, $0.keyHighPass) = (value, value, value)
      }
      var compressor = Compressor(numbers, channelCount: 2, sampleRate: 48_000)
      compressor.set(numbers, over: 100)
      let result = processed(noise(4_000, amplitude: 1e20), channels: 2) { compressor.process(&$0) }
      #expect(result.allSatisfy { $0.isFinite })
    }
  }
}
