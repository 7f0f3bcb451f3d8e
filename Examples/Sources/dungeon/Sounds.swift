import Foundation
import GameAudio
import Stage

/// The sounds of the game, synthesized.
struct Sounds {
  static let format = PCMFormat.mono(sampleRate: 48_000)

  let flame: Sound
  let step: Sound
  let shot: Sound
  let click: Sound
  let speech: Sound
  /// Two seconds of introduction, and four that repeat.
  let music: Sound
  static let loop = 2 * format.sampleRate..<6 * format.sampleRate

  init() throws {
    var fire = Sound(try Self.noise(seconds: 3, seed: 1, level: 0.5, smoothing: 0.02) { _ in 1 })
    fire.attenuation.rolloffFactor = 1.5
    fire.silentBeyond = 14
    flame = fire
    // Four recordings of a step; no two plays are alike.
    let steps = try (1...4).map { seed in
      try Self.noise(seconds: 0.16, seed: UInt64(seed), level: 0.5, smoothing: 0.12) { pow(1 - $0, 4) }
    }
    var foot = Sound(anyOfSamples: steps)
    foot.pitchVariation = -2...2
    foot.levelVariation = -3...0
    step = foot
    shot = Sound(try Self.noise(seconds: 0.5, seed: 9, level: 0.7, smoothing: 0.5) { pow(1 - $0, 8) })
    click = Sound(try Self.tone(seconds: 0.03) { 0.3 * sin(2 * .pi * 1_200 * $0) * (1 - $0 / 0.03) })
    speech = Sound(try Self.tone(seconds: 3, Self.voice))
    music = Sound(try Self.tone(seconds: 6, Self.chords))
  }

  /// A buzz with syllables.
  private static func voice(_ time: Double) -> Double {
    let syllable = pow(abs(sin(.pi * 3 * time)), 0.7) * min(time / 0.05, 1, (3 - time) / 0.05)
    return (1...5).reduce(0) { $0 + sin(2 * .pi * 150 * Double($1) * time) } * 0.07 * syllable
  }

  /// Chords of a second each, which end in silence.
  private static func chords(_ time: Double) -> Double {
    let root = [110.0, 131, 98, 110, 147, 98][Int(time)]
    let part = time.truncatingRemainder(dividingBy: 1)
    return [1, 1.5, 2].reduce(0) { $0 + sin(2 * .pi * root * $1 * time) } * 0.08 * sin(.pi * part)
  }

  private static func tone(seconds: Double, _ value: (Double) -> Double) throws(PCMError) -> PCMBuffer<Float> {
    let samples = (0..<Int(seconds * Double(format.sampleRate))).map {
      Float(value(Double($0) / Double(format.sampleRate)))
    }
    return try PCMBuffer(samples: samples, format: format)
  }

  /// Noise with a shape over its length, from 0 to 1; a low pass smooths it.
  private static func noise(
    seconds: Double,
    seed: UInt64,
    level: Double,
    smoothing: Double,
    _ shape: (Double) -> Double
  ) throws(PCMError) -> PCMBuffer<Float> {
    var noise = Noise(seed: seed)
    var low = 0.0
    return try tone(seconds: seconds) { time in
      low += smoothing * (noise.next() - low)
      return level * low / smoothing.squareRoot() * shape(time / seconds)
    }
  }
}
