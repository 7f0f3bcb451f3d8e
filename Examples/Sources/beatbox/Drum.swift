import Foundation
import GameAudio
import Stage

/// A drum: its letter in the drawing, its position and its sound.
enum Drum: Character, CaseIterable, Sendable {
  case kick = "K"
  case snare = "S"
  case hat = "h"
  case tom = "T"

  static let format = PCMFormat.mono(sampleRate: 48_000)

  var place: SIMD3<Float> {
    switch self {
    case .kick: [0, 0, -1]
    case .snare: [-0.5, 0, -1]
    case .hat: [0.7, 0.3, -0.8]
    case .tom: [0.5, 0, -1]
    }
  }

  /// The sound of one hit, which begins at full level.
  func pcm() throws(PCMError) -> PCMBuffer<Float> {
    var noise = Noise(seed: 4)
    let rate = Double(Self.format.sampleRate)
    let (seconds, tone, hiss) =
      switch self {
      case .kick: (0.22, 55.0, 0.0)
      case .snare: (0.16, 180.0, 0.7)
      case .hat: (0.05, 0.0, 0.25)
      case .tom: (0.18, 110.0, 0.0)
      }
    let samples = (0..<Int(seconds * rate)).map { frame in
      let time = Double(frame) / rate
      let shape = pow(1 - time / seconds, 3)
      // The pitch of a skin falls after the hit.
      let phase = 2 * Double.pi * tone * (time + 0.02 * (1 - exp(-time / 0.02)))
      return Float(0.5 * shape * ((tone > 0 ? cos(phase) : 0) + hiss * noise.next()) / (1 + hiss))
    }
    return try PCMBuffer(samples: samples, format: Self.format)
  }
}
