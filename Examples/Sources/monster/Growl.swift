import Foundation
import Spatial3D
import Stage

/// The monster's synthetic voice: three growls and a breath.
enum Growl {
  static let format = PCMFormat.mono(sampleRate: 44_100)

  /// A loop of four seconds.
  static func pcm() throws(PCMError) -> PCMBuffer<Float> {
    var noise = Noise(seed: 9)
    var (phase, breath) = (0.0, 0.0)
    let count = 4 * format.sampleRate
    var samples = [Float](repeating: 0, count: count)
    for frame in 0..<count {
      let time = Double(frame) / Double(format.sampleRate)
      // Rattling vocal folds: a sawtooth with a trembling pitch.
      let pitch = 62 + 14 * sin(2 * .pi * time * 0.75) + 7 * sin(2 * .pi * time * 23)
      phase = (phase + pitch / Double(format.sampleRate)).truncatingRemainder(dividingBy: 1)
      breath += 0.35 * (noise.next() - breath)
      let rattle = 0.6 + 0.4 * sin(2 * .pi * time * 31)
      samples[frame] = Float(loudness(at: time) * rattle * (0.34 * (2 * phase - 1) + 0.5 * breath))
    }
    return try PCMBuffer(samples: samples, format: format)
  }

  /// The envelope of three growls, the last of them longest; silent at both ends, so that the loop has no seam.
  private static func loudness(at time: Double) -> Double {
    [(0.1, 0.8), (1.2, 0.7), (2.1, 1.7)].reduce(0) { sum, growl in
      let part = (time - growl.0) / growl.1
      return (0...1).contains(part) ? sum + pow(sin(.pi * sqrt(part)), 1.4) : sum
    }
  }
}
