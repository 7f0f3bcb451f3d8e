import Foundation
import GameAudio

/// The sounds of the programme, synthesized, as they come into the studio: at levels that are far apart.
enum Voices {
  static let format = PCMFormat.mono(sampleRate: 48_000)

  /// A buzz with syllables, close to the microphone.
  static func speaker() throws(PCMError) -> PCMBuffer<Float> { try voice(pitch: 120, level: 0.12) }

  /// Another buzz, far away on a bad line.
  static func caller() throws(PCMError) -> PCMBuffer<Float> { try voice(pitch: 190, level: 0.03) }

  /// Chords of a second each, at nearly full scale, with a beat.
  static func concert() throws(PCMError) -> PCMBuffer<Float> {
    try sound(seconds: 4) { time in
      let root = [110.0, 131, 98, 147][Int(time)]
      let part = (2 * time).truncatingRemainder(dividingBy: 1)
      let chord = [1, 1.5, 2, 3].reduce(0) { $0 + sin(2 * .pi * root * $1 * time) }
      let beat = sin(2 * .pi * 60 * part) * exp(-12 * part)
      return 0.17 * chord + 0.3 * beat
    }
  }

  private static func voice(pitch: Double, level: Double) throws(PCMError) -> PCMBuffer<Float> {
    try sound(seconds: 4) { time in
      let syllable = pow(abs(sin(.pi * 3 * time)), 0.7) * (time < 3.6 ? 1 : 0)
      return level * syllable * (1...12).reduce(0) { $0 + sin(2 * .pi * pitch * Double($1) * time) / Double($1) }
    }
  }

  private static func sound(seconds: Int, _ value: (Double) -> Double) throws(PCMError) -> PCMBuffer<Float> {
    let samples = (0..<seconds * format.sampleRate).map { Float(value(Double($0) / Double(format.sampleRate))) }
    return try PCMBuffer(samples: samples, format: format)
  }
}
