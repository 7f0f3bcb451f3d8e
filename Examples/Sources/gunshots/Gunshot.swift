import Foundation
import Spatial3D
import Stage

/// A synthetic shot: a crack, and a rumble that decays.
enum Gunshot {
  static func pcm() -> PCMBuffer<Float> {
    let rate = 44_100
    let count = rate * 9 / 10
    var noise = Noise(seed: 3)
    var rumble = 0.0
    var pcm = PCMBuffer<Float>(format: .mono(sampleRate: rate))
    pcm.append(frames: count) { output in
      for frame in 0..<count {
        let time = Double(frame) / Double(rate)
        let hiss = noise.next()
        rumble += 0.08 * (hiss - rumble)
        let end = min(1, (0.9 - time) / 0.05)
        output.append(Float(end * (0.55 * hiss * exp(-time / 0.012) + 1.6 * rumble * exp(-time / 0.16))))
      }
    }
    return pcm
  }
}
