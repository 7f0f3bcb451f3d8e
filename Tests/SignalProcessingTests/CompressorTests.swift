import Glibc
@testable import SignalProcessing
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

  /// The gain of a settled tone, with a level in decibels by the detector, less the gain of the curve.
  private func error(_ numbers: Compressor.Settings, _ level: Double, _ frequency: Double, _ rate: Int) -> Double {
    let curve = CompressionCurve(threshold: numbers.threshold, ratio: numbers.ratio, knee: numbers.knee)
    // The detector of mean squares measures the level of a sine 3 dB below its crest.
    let amplitude = pow(10, level / 20) * (numbers.detector == .peak ? 1 : 2.0.squareRoot())
    let tone = sine(frequency, rate, frames: rate, amplitude: amplitude)
    var compressor = Compressor(numbers, channelCount: 1, sampleRate: rate)
    let result = processed(tone) { compressor.process(&$0) }
    let part = rate / 2..<rate
    return SignalProcessingTests.level(result[part]) - SignalProcessingTests.level(tone[part]) - curve.gain(at: level)
  }

  @Test(arguments: [Compressor.Detector.peak, .rootMeanSquare], [8_000, 48_000, 192_000])
  func `A settled tone has the gain of the curve within 0.05 dB`(detector: Compressor.Detector, rate: Int) {
    let numbers = settings { ($0.release, $0.detector) = (0.2, detector) }
    for level in stride(from: -60.0, through: 0, by: 4) {
      #expect(abs(error(numbers, level, 1_237, rate)) < 0.05, "\(level)")
    }
  }

  @Test(arguments: [44_100, 48_000])
  func `The default detector follows the curve at low frequencies`(rate: Int) {
    let numbers = settings()
    // The window has whole half-waves.
    for frequency in [50.0, 100, 150, 200, 400, 1_000] {
      #expect(abs(error(numbers, -8, frequency, rate)) < 0.05, "\(frequency) \(error(numbers, -8, frequency, rate))")
    }
    for (frequency, bound) in [
      (60.0, 0.6), (70, 0.65), (120, 0.4), (230, 0.25), (330, 0.15), (510, 0.1), (1_237, 0.05),
    ] {
      #expect(abs(error(numbers, -8, frequency, rate)) < bound, "\(frequency) \(error(numbers, -8, frequency, rate))")
    }
  }

  /// The frames from a step of 20 dB over the threshold to 63 % of the reduction, and of its return.
  private func times(_ numbers: Compressor.Settings, rate: Int, offset: Int) -> (attack: Int, release: Int) {
    var compressor = Compressor(numbers, channelCount: 1, sampleRate: rate)
    // A constant: its level is known in each frame.
    let start = 4_800 + offset
    let (attackLength, releaseLength) = (
      start + Int((10 * numbers.attack + 0.05) * Double(rate)), Int((4 * numbers.release + 0.05) * Double(rate))
    )
    let sound =
      [Float](repeating: 1e-5, count: start) + [Float](repeating: 1, count: attackLength - start)
      + [Float](repeating: 1e-5, count: releaseLength)
    let result = processed(sound) { compressor.process(&$0) }
    func gain(_ frame: Int) -> Double { decibels(Double(result[frame] / sound[frame])) }
    let (full, share) = (-15.0, 1 - exp(-1.0))
    let attack = (start..<attackLength).first { gain($0) < full * share } ?? 0
    let release = (attackLength..<sound.count).first { gain($0) > full * (1 - share) } ?? 0
    return (attack - start, release - attackLength)
  }

  @Test(
    arguments: [
      (Compressor.Detector.peak, 0.01, 0.12), (.peak, 0.001, 0.05), (.peak, 0.05, 0.02), (.peak, 0.1, 1),
      (.rootMeanSquare, 0.01, 0.12), (.rootMeanSquare, 0.004, 0.05), (.rootMeanSquare, 0.05, 0.03),
      (.rootMeanSquare, 0.1, 1),
    ],
    [44_100, 96_000]
  )
  func `Attack and release take their times, within 5 % or 8 frames`(
    numbers: (detector: Compressor.Detector, attack: Double, release: Double),
    rate: Int
  ) {
    let settings = settings {
      ($0.attack, $0.release, $0.knee, $0.detector) = (numbers.attack, numbers.release, 0, numbers.detector)
    }
    for offset in [0, 3, 7] {
      let found = times(settings, rate: rate, offset: offset)
      for (frames, expected) in [(found.attack, numbers.attack), (found.release, numbers.release)] {
        let exact = expected * Double(rate)
        #expect(abs(Double(frames) - exact) <= max(0.05 * exact, 8), "\(frames) \(exact)")
      }
    }
  }

  @Test func `The window of the mean square is the shortest time`() {
    let found = times(settings { ($0.attack, $0.release, $0.knee) = (0.0001, 0.001, 0) }, rate: 48_000, offset: 0)
    #expect(found.attack < 120 && found.release < 490, "\(found)")
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
    #expect(compressor.gainChange < -5)
  }

  @Test func `A key lowers the sound by the curve, and begins 8 frames after its first sample at the latest`() {
    let numbers = settings { ($0.threshold, $0.release) = (-36, 0.3) }
    let curve = CompressionCurve(threshold: -36, ratio: 4, knee: numbers.knee)
    let tone = sine(440, 48_000, frames: 96_000, amplitude: 0.25)
    for start in [24_000, 24_003, 24_007] {
      let amplitude = pow(10, -10.0 / 20) * 2.0.squareRoot()
      let key =
        [Float](repeating: 0, count: start) + sine(1_000, 48_000, frames: 48_000, amplitude: amplitude, phase: 0.2)
        + [Float](repeating: 0, count: 48_000)
      var compressor = Compressor(numbers, channelCount: 1, sampleRate: 48_000)
      var frame = 0
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
    var filtered = Compressor(settings { $0.keyHighPass = 400 }, channelCount: 1, sampleRate: 48_000)
    var plain = Compressor(settings(), channelCount: 1, sampleRate: 48_000)
    _ = processed(bass) { filtered.process(&$0) }
    _ = processed(bass) { plain.process(&$0) }
    #expect(filtered.gainChange > -0.5 && plain.gainChange < -10)
    filtered.set(settings(), over: 0)
    _ = processed(bass) { filtered.process(&$0) }
    #expect(abs(filtered.gainChange - plain.gainChange) < 0.5)
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
    #expect(compressor.gainChange < -5)
    let result = processed(soft) { compressor.process(&$0) }
    #expect(result[48_000...] == soft[48_000...])
    compressor.reset()
    #expect(compressor.gainChange == 0)
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
    var compressor = Compressor(settings(), channelCount: 1, sampleRate: 48_000)
    var block = 0
    let result = processed(sine(500, 48_000, frames: 48_000)) { samples in
      block += 1
      if block == 40 { compressor.set(settings { ($0.threshold, $0.ratio, $0.makeup) = (-50, 20, 12) }, over: 480) }
      compressor.process(&samples)
    }
    #expect(clickFrames(Array(result[4_800...]), below: 500, 48_000).isEmpty)
  }

  @Test func `A filter of the key that returns begins without memory`() {
    func result(_ frames: Int) -> [Float] {
      var compressor = Compressor(settings { $0.keyHighPass = 30 }, channelCount: 1, sampleRate: 48_000)
      _ = processed([Float](repeating: 1, count: frames)) { compressor.process(&$0) }
      compressor.set(settings(), over: 0)
      _ = processed([Float](repeating: 0, count: 480_000)) { compressor.process(&$0) }
      compressor.set(settings { $0.keyHighPass = 30 }, over: 0)
      return processed(noise(4_800, amplitude: 0.4)) { compressor.process(&$0) }
    }
    #expect(result(1_000) == result(0))
  }

  @Test func `A key that is shorter than the sound ends the program with a reason`() async {
    await #expect(processExitsWith: .failure) {
      var compressor = Compressor(channelCount: 2, sampleRate: 48_000)
      var sound = [Float](repeating: 0, count: 200)
      var span = sound.mutableSpan
      compressor.process(&span, key: [Float](repeating: 0, count: 198).span)
    }
  }

  @Test func `A key with other channels counts, and the sound alone as well`() {
    var compressor = Compressor(settings(), channelCount: 1, keyChannelCount: 6, sampleRate: 48_000)
    let key = noise(6 * 4_800)
    _ = processed(noise(4_800, amplitude: 0.01), blocks: [4_800]) { compressor.process(&$0, key: key.span) }
    #expect(compressor.gainChange < -5)
    _ = processed(noise(96_000, amplitude: 0.01)) { compressor.process(&$0) }
    #expect(compressor.gainChange == 0)
    var wide = Compressor(settings(), channelCount: 6, keyChannelCount: 1, sampleRate: 48_000)
    _ = processed(noise(6 * 4_800), channels: 6) { wide.process(&$0) }
    #expect(wide.gainChange < -5)
  }

  @Test func `Settings beyond the ranges are moved into them, and give finite sound`() {
    for value in [-1e9, -1, 0, 1e9, .nan, .infinity, -.infinity] {
      let numbers = settings {
        ($0.threshold, $0.ratio, $0.knee, $0.makeup) = (value, value, value, value)
        ($0.attack, $0.release, $0.keyHighPass) = (value, value, value)
      }
      var compressor = Compressor(numbers, channelCount: 2, sampleRate: 48_000)
      compressor.set(numbers, over: 100)
      let result = processed(noise(4_000, amplitude: 1e25), channels: 2) { compressor.process(&$0) }
      #expect(result.allSatisfy { $0.isFinite })
    }
  }
}
