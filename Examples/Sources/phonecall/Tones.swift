import Foundation
import GameAudio

/// The sounds of the game: each has one frequency of its own, which the mix is measured at.
enum Tones {
  static let format = PCMFormat.mono(sampleRate: 48_000)
  static let drone = 110.0
  static let ping = 1_500.0

  /// Music of four seconds: a drone, and a melody above it.
  static func music() throws(PCMError) -> PCMBuffer<Float> {
    let melody = [2.0, 3, 4, 3, 2.5, 3, 4, 5]
    let samples = (0..<4 * format.sampleRate).map { frame in
      let time = Double(frame) / Double(format.sampleRate)
      let (note, part) = (Int(time * 2), (time * 2).truncatingRemainder(dividingBy: 1))
      let tune = sin(2 * .pi * drone * melody[note] * time) * pow(sin(.pi * part), 2)
      return Float(0.16 * sin(2 * .pi * drone * time) + 0.1 * tune)
    }
    return try PCMBuffer(samples: samples, format: format)
  }

  /// A drop of water each half second.
  static func drop() throws(PCMError) -> PCMBuffer<Float> {
    let samples = (0..<format.sampleRate / 2).map { frame in
      let time = Double(frame) / Double(format.sampleRate)
      let shape = min(time / 0.004, 1) * exp(-time / 0.06) * min((0.5 - time) / 0.05, 1)
      return Float(0.35 * shape * sin(2 * .pi * ping * time))
    }
    return try PCMBuffer(samples: samples, format: format)
  }
}
