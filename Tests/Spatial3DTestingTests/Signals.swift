import Foundation
import Spatial3DTesting
import TestSupport

/// Signals whose measures follow from their construction.
enum Signals {
  static let mono = PCMFormat.mono(sampleRate: 48_000)
  static let stereo = PCMFormat.stereo(sampleRate: 48_000)

  /// A steady sine of a frequency in hertz, an amplitude and a phase in radians.
  struct Tone {
    var frequency: Double
    var amplitude: Double
    var phase = 0.0
  }

  /// The sum of tones, `delay` frames late; the delay need not be whole.
  static func tones(_ tones: [Tone], frameCount: Int, delay: Double = 0, sampleRate: Double = 48_000) -> [Float] {
    (0..<frameCount).map { frame in
      let time = (Double(frame) - delay) / sampleRate
      return Float(tones.reduce(0) { $0 + $1.amplitude * sin(2 * .pi * $1.frequency * time + $1.phase) })
    }
  }

  /// Random tones up to a given frequency.
  static func randomTones(
    _ count: Int,
    upTo highest: Double,
    using generator: inout SplitMix64
  ) -> [Tone] {
    (0..<count).map { _ in
      Tone(
        frequency: .random(in: 20...highest, using: &generator),
        amplitude: .random(in: 0.001...0.2, using: &generator),
        phase: .random(in: 0...6.283, using: &generator)
      )
    }
  }

  static func mono(_ samples: [Float]) throws -> PCMBuffer<Float> {
    try PCMBuffer(samples: samples, format: mono)
  }

  /// A stereo buffer of two channels of one length.
  static func stereo(_ left: [Float], _ right: [Float]) throws -> PCMBuffer<Float> {
    try PCMBuffer(samples: zip(left, right).flatMap { [$0, $1] }, format: stereo)
  }
}
