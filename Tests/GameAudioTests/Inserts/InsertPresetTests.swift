import Glibc
import PCM
import SignalProcessing
import Spatial3D
import TestSupport
import Testing

@testable import GameAudio

/// The sound of the presets, as their names promise it.
@Suite struct InsertPresetTests {
  private static let rate = 48_000

  /// The sound of half a second that leaves inserts, for a steady tone after a second.
  private static func sound(_ inserts: [Insert], _ frequency: Double, _ level: Decibels) -> [Float] {
    let amplitude = Double(level.factor)
    var sound = (0..<72_000).map { index in
      Float(amplitude * sin(2 * .pi * frequency * Double(index) / Double(rate)))
    }
    var chain = ProcessorChain(inserts.compactMap { $0.step() }, format: .mono(sampleRate: rate))
    var samples = sound.mutableSpan
    chain.process(&samples, at: 0)
    return Array(sound[48_000...])
  }

  /// The level of a frequency in a sound of half a second, in decibels re a tone of full scale.
  private static func tone(_ frequency: Double, in sound: [Float]) -> Double {
    level(at: frequency, of: sound, rate: rate) - 20 * log10(Double(sound.count) / 2)
  }

  /// The gain of inserts for a tone of a level, in decibels.
  private static func gain(_ inserts: [Insert], _ frequency: Double, _ level: Decibels = -20) -> Double {
    tone(frequency, in: sound(inserts, frequency, level)) - Double(level.rawValue)
  }

  @Test(arguments: [[Insert].radio, .telephone, .megaphone, .underwater, .nextRoom, .nightMode, .voice])
  func `A preset makes finite sound below full scale, and silence after it`(inserts: [Insert]) {
    var random = SplitMix64(seed: 8)
    var chain = ProcessorChain(inserts.compactMap { $0.step() }, format: .stereo(sampleRate: Self.rate))
    var sound = (0..<96_000).map { _ in Float.random(in: -0.25...0.25, using: &random) }
    sound += [Float](repeating: 0, count: 2 * 96_000)
    let dry = sound
    var samples = sound.mutableSpan
    chain.process(&samples, at: 0)
    #expect(sound.allSatisfy { abs($0) < 1 })
    #expect(sound[..<96_000] != dry[..<96_000] && sound.suffix(1_000).allSatisfy { $0 == 0 })
    let tail = chain.tail
    #expect(tail != nil)
  }

  @Test func `A telephone has its band, and an even level`() {
    let middle = Self.gain(.telephone, 1_000)
    for frequency in [100.0, 8_000] {
      let gain = Self.gain(.telephone, frequency)
      #expect(gain < -20 && gain < middle - 20)
    }
    #expect(abs(Self.gain(.telephone, 500) - middle) < 6 && abs(Self.gain(.telephone, 3_000) - middle) < 6)
    let (soft, loud) = (Self.gain(.telephone, 1_000, -36) - 36, Self.gain(.telephone, 1_000, -6) - 6)
    #expect(loud - soft < 20)
  }

  @Test func `A radio has a narrow band, one level, and harmonics`() {
    let middle = Self.gain(.radio, 1_000)
    #expect(Self.gain(.radio, 150) < middle - 20 && Self.gain(.radio, 8_000) < middle - 30)
    let (soft, loud) = (Self.gain(.radio, 1_000, -30) - 30, Self.gain(.radio, 1_000, -6) - 6)
    #expect(loud - soft < 6)
    let sound = Self.sound(.radio, 800, -12)
    #expect(Self.tone(2_400, in: sound) > Self.tone(800, in: sound) - 25)
  }

  @Test func `A megaphone has a peak, no bass, and harmonics`() {
    let peak = Self.gain(.megaphone, 1_600, -60)
    #expect(Self.gain(.megaphone, 700, -60) < peak - 6 && Self.gain(.megaphone, 4_500, -60) < peak - 6)
    #expect(Self.gain(.megaphone, 100, -60) < peak - 40)
    let sound = Self.sound(.megaphone, 800, -12)
    #expect(Self.tone(1_600, in: sound) > Self.tone(800, in: sound) - 30)
  }

  @Test func `Under water the highs are gone, and the pitch moves`() {
    #expect(Self.gain(.underwater, 100) > -8)
    for frequency in [2_000.0, 4_000, 10_000] { #expect(Self.gain(.underwater, frequency) < -30) }
    // A moving copy beside the sound: the level of a tone changes.
    let sound = Self.sound(.underwater, 400, -20)
    let levels = stride(from: 0, to: 24_000, by: 2_400).map { energy(of: Array(sound[$0..<$0 + 2_400])) }
    #expect((levels.max() ?? 0) - (levels.min() ?? 0) > 1)
  }

  @Test func `From the next room the lows come through the wall`() {
    #expect(abs(Self.gain(.nextRoom, 100)) < 3)
    #expect(abs(Self.gain(.nextRoom, 1_000) + 10) < 2)
    #expect(Self.gain(.nextRoom, 4_000) < -40)
  }

  @Test func `In the night the loud is softer and the soft louder`() {
    let (soft, loud) = (Self.gain(.nightMode, 1_000, -50), Self.gain(.nightMode, 1_000, -6))
    #expect(soft > 6 && loud < -6)
    #expect(abs(44 + loud - soft - 24) < 2)
    #expect(Self.gain(.nightMode, 50, -50) < soft - 4)
    let peak = Self.sound(.nightMode, 1_000, 12).reduce(0) { max($0, abs($1)) }
    #expect(peak <= Decibels(-6).factor + 1e-4)
  }

  @Test func `A voice has no rumble, more presence and an even level`() {
    let middle = Self.gain(.voice, 1_000, -50)
    #expect(Self.gain(.voice, 30, -50) < middle - 15)
    #expect(Self.gain(.voice, 4_000, -50) > middle + 2 && Self.gain(.voice, 300, -50) < middle - 1)
    #expect(Self.gain(.voice, 1_000, -6) < middle - 5)
  }
}
