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
    #expect(abs(leveler.gain) < 0.02)
    _ = append(loudness, seconds: 2, to: &leveler)
    #expect(abs(abs(leveler.gain) - 2) < 0.05)
    let result = append(loudness, seconds: 20, to: &leveler)
    #expect(abs(leveler.gain - expected) < 0.1)
    #expect(abs(level(result[80_000...]) - (loudness + expected)) < 0.1)
  }

  @Test(arguments: [-51.0, -44])
  func `The gain rests in silence and in a soft scene`(loudness: Double) {
    var leveler = Leveler(format: format)
    let result = append(loudness, seconds: 8, to: &leveler)
    #expect(leveler.gain == 0)
    #expect(abs(level(result[8_000...]) - loudness) < 0.1)
  }

  @Test func `The result does not depend on the lengths of the blocks, and a reset begins anew`() {
    func result(_ blocks: [Int]) -> [Float] {
      var leveler = Leveler(format: .stereo(sampleRate: 8_000))
      return processed(noise(80_000, amplitude: 0.3), channels: 2, blocks: blocks) { leveler.process(&$0) }
    }
    let (one, other) = (result([40_000]), result([441, 37, 1_024]))
    #expect(zip(one, other).allSatisfy { abs($0 - $1) < 1e-6 })
    var leveler = Leveler(format: format)
    _ = append(-30, seconds: 6, to: &leveler)
    leveler.reset()
    #expect(leveler.gain == 0)
  }

  @Test func `Settings beyond the ranges and samples that are not finite give a finite gain`() {
    for value in [-1e9, 0, 1e9, .nan, .infinity, -.infinity] {
      var settings = Leveler.Settings()
      (settings.target, settings.range, settings.speed) = (value, value, value)
      var leveler = Leveler(settings, format: format)
      leveler.set(settings)
      _ = processed([.nan, .infinity, 3e38] + noise(40_000)) { leveler.process(&$0) }
      #expect(leveler.gain.isFinite && abs(leveler.gain) <= 24)
    }
  }
}
