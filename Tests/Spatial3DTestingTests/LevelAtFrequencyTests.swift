import Foundation
import Spatial3DTesting
import TestSupport
import Testing

@Suite struct LevelAtFrequencyTests {
  @Test func `A tone has its own level, and others next to it change nothing`() throws {
    var generator = SplitMix64(seed: 1)
    for _ in 0..<300 {
      // The other tone is fifteen bins away: beyond the window's main lobe and its first side lobes.
      let frequency = Double.random(in: 200...20_000, using: &generator)
      let other = frequency + [-150, 170].randomElement(using: &generator)!
      let tones = [
        Signals.Tone(frequency: frequency, amplitude: 0.3, phase: .random(in: 0...6.283, using: &generator)),
        Signals.Tone(frequency: other, amplitude: 0.3, phase: .random(in: 0...6.283, using: &generator)),
      ]
      let mix = try Signals.mono(Signals.tones(tones, frameCount: 4_800))
      #expect(
        abs((mix.level(at: frequency) - Decibels(factor: 0.3)).rawValue + 3.010_3) < 0.02,
        "\(frequency), \(other)"
      )
    }
  }

  @Test func `A tone that is not there is silent, however loud another is`() {
    let tone = TestSignal.sine(frequency: 1_000, duration: .seconds(1), format: Signals.mono, amplitude: 1)
    #expect(abs(tone.level(at: 1_000).rawValue + 3.010_3) < 0.001)
    #expect(tone.level(at: 1_100) < -100)
    #expect(tone.level(at: 5_000) < -120)
  }

  @Test(arguments: [(0.0, 0), (0.5, -1.42), (1, -6.02)])
  func `The level of a tone between two bins follows the Hann window`(bins: Double, loss: Float) {
    let tone = TestSignal.sine(frequency: 1_000 + bins, duration: .seconds(1), format: Signals.mono, amplitude: 1)
    #expect(abs(tone.level(at: 1_000).rawValue + 3.01 - loss) < 0.01)
  }

  @Test func `The level of a tone two bins away is below -80 dB`() {
    let tone = TestSignal.sine(frequency: 1_002, duration: .seconds(1), format: Signals.mono, amplitude: 1)
    #expect(tone.level(at: 1_000) < -80)
  }

  @Test func `Constant and alternating samples are the tones of 0 Hz and half the rate`() throws {
    let constant = try Signals.mono([Float](repeating: 0.5, count: 4_800))
    #expect(abs(constant.level(at: 0).rawValue + 6.020_6) < 0.001)
    let alternating = try Signals.mono((0..<4_800).map { $0.isMultiple(of: 2) ? 0.5 : -0.5 })
    #expect(abs(alternating.level(at: 24_000).rawValue + 6.020_6) < 0.001)
  }

  @Test func `Channels are measured apart, and together in the mean of their power`() throws {
    let left = Signals.tones([.init(frequency: 1_000, amplitude: 0.8)], frameCount: 4_800)
    let right = Signals.tones([.init(frequency: 3_000, amplitude: 0.8)], frameCount: 4_800)
    let mix = try Signals.stereo(left, right)
    let own = Decibels(factor: 0.8).rawValue - 3.010_3
    #expect(abs(mix.level(at: 1_000, ofChannel: 0).rawValue - own) < 0.01)
    #expect(mix.level(at: 1_000, ofChannel: 1) < -80)
    #expect(abs(mix.level(at: 1_000).rawValue - own + 3.010_3) < 0.01)
    #expect(mix.level(at: 1_000, ofChannel: 2) == .silence)
  }

  @Test(arguments: [-1, 24_001, .infinity, .nan] as [Double])
  func `A frequency that the rate cannot hold is silent`(frequency: Double) {
    let tone = TestSignal.noise(duration: .milliseconds(100), format: Signals.mono)
    #expect(tone.level(at: frequency) == .silence)
    #expect(PCMBuffer<Float>(format: Signals.mono).level(at: 100) == .silence)
  }

  @Test func `A 16-bit buffer has the levels of its signal`() throws {
    let tone = TestSignal.sine(frequency: 1_000, duration: .milliseconds(100), format: Signals.mono, amplitude: 0.5)
    let integers = try PCMBuffer(samples: tone.samples.map(Int16.init(signal:)), format: Signals.mono)
    #expect(abs((integers.level(at: 1_000) - tone.level(at: 1_000)).rawValue) < 0.001)
  }
}
