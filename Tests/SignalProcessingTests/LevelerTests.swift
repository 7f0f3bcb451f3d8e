import Glibc
import PCM
import SignalProcessing
import Testing

/// A leveler on tones.
@Suite struct LevelerTests {
  private let format = PCMFormat.mono(sampleRate: 8_000)

  /// Processes a constant tone whose loudness is `loudness`.
  private func append(_ loudness: Double, seconds: Double, to leveler: inout Leveler) -> [Float] {
    // One channel with a sine of 1 kHz has the loudness of its level less 3 dB.
    let amplitude = pow(10, (loudness + 3.01) / 20)
    let tone = sine(1_000, 8_000, frames: Int(seconds * 8_000), amplitude: amplitude)
    return processed(tone) { leveler.process(&$0) }
  }

  @Test(arguments: [(-29.0, 6.0), (-19, -4), (-40, 9), (-5, -9)])
  func `The gain moves to the target by its speed, and no farther than its range`(loudness: Double, expected: Double) {
    var leveler = Leveler(format: format)
    _ = append(loudness, seconds: 3, to: &leveler)
    #expect(abs(leveler.gainChange) < 0.02)
    _ = append(loudness, seconds: 2, to: &leveler)
    #expect(abs(abs(leveler.gainChange) - 2) < 0.05)
    let result = append(loudness, seconds: 20, to: &leveler)
    #expect(abs(leveler.gainChange - expected) < 0.1)
    #expect(abs(level(result[80_000...]) - (loudness + expected)) < 0.1)
  }

  @Test(arguments: [-51.0, -44])
  func `The gain rests in silence and in a soft scene`(loudness: Double) {
    var leveler = Leveler(format: format)
    let result = append(loudness, seconds: 8, to: &leveler)
    #expect(leveler.gainChange == 0)
    #expect(abs(level(result[8_000...]) - loudness) < 0.1)
  }

  @Test(arguments: [[441, 37, 1_024], [1], [4_001]])
  func `The result does not depend on the lengths of the blocks`(blocks: [Int]) {
    func result(_ blocks: [Int]) -> [Float] {
      var leveler = Leveler(format: .stereo(sampleRate: 4_000))
      return processed(noise(40_000, amplitude: 0.3), channels: 2, blocks: blocks) { leveler.process(&$0) }
    }
    #expect(result([20_000]) == result(blocks))
  }

  @Test func `A smaller range counts in silence as well`() {
    var leveler = Leveler(format: format)
    _ = append(-40, seconds: 14, to: &leveler)
    #expect(abs(leveler.gainChange - 9) < 0.01)
    var settings = Leveler.Settings()
    settings.range = 4
    leveler.set(settings, over: 0)
    _ = processed([Float](repeating: 0, count: 3 * 8_000)) { leveler.process(&$0) }
    #expect(abs(leveler.gainChange - 6) < 0.05)
    _ = processed([Float](repeating: 0, count: 3 * 8_000)) { leveler.process(&$0) }
    #expect(abs(leveler.gainChange - 4) < 0.01)
  }

  @Test func `The channels of surround sound have their weights`() {
    // The tone of EBU Tech 3341, 6 has -23 LUFS: the channel of low-frequency effects does not count.
    let weights = ([-28, -28, -24, -10, -30, -30] as [Double]).map { pow(10, $0 / 20) }
    let sound = interleaved(weights.map { sine(1_000, 8_000, frames: 64_000, amplitude: $0) })
    var settings = Leveler.Settings()
    (settings.target, settings.speed) = (-26, 20)
    var leveler = Leveler(settings, format: PCMFormat(sampleRate: 8_000, layout: .surround51))
    let result = processed(sound, channels: 6) { leveler.process(&$0) }
    #expect(abs(leveler.gainChange + 3) < 0.1)
    #expect(abs(Double(result[result.count - 9] / sound[sound.count - 9]) - pow(10, leveler.gainChange / 20)) < 1e-3)
  }

  @Test func `Settings beyond the ranges and samples that are not finite give a finite gain`() {
    for value in [-1e9, 0, 1e9, .nan, .infinity, -.infinity] {
      var settings = Leveler.Settings()
      (settings.target, settings.range, settings.speed) = (value, value, value)
      var leveler = Leveler(settings, format: format)
      leveler.set(settings, over: 100)
      _ = processed([.nan, .infinity, 3e38] + noise(40_000)) { leveler.process(&$0) }
      #expect(leveler.gainChange.isFinite && abs(leveler.gainChange) <= 24)
    }
  }
}
