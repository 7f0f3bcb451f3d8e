import Foundation
import GameAudio
import Stage

/// The synthetic sound of a torch: a rumble, and crackles.
enum Flame {
  static let format = PCMFormat.mono(sampleRate: 48_000)

  /// A loop of three seconds without a seam.
  static func pcm() throws(PCMError) -> PCMBuffer<Float> {
    var noise = Noise(seed: 20)
    let (count, overlap) = (3 * format.sampleRate, 4_800)
    var (low, crackle) = (0.0, 0.0)
    var samples = (0..<count + overlap).map { _ in
      low += 0.02 * (noise.next() - low)
      crackle *= 0.993
      if noise.next() > 0.9996 { crackle = 1 }
      return Float(2.4 * low + 0.12 * crackle * noise.next())
    }
    // The end crosses over to the part ahead of the beginning.
    for index in 0..<overlap {
      let part = Float(index) / Float(overlap)
      samples[index] = samples[index] * part.squareRoot() + samples[count + index] * (1 - part).squareRoot()
    }
    return try PCMBuffer(samples: Array(samples[..<count]), format: format)
  }
}
