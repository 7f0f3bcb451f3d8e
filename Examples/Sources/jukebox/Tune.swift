import Foundation
import GameAudio

/// The sounds of the jukebox, as notes that a small synthesizer plays.
enum Tune: CaseIterable {
  case theme, jingle, organ, waltz

  var format: PCMFormat { self == .organ ? .mono(sampleRate: 24_000) : .stereo(sampleRate: 48_000) }

  /// The notes in semitones above A at 220 Hz, each of a quarter of a second.
  private var notes: [Int] {
    switch self {
    case .theme: [0, 3, 7, 12, 0, 7, 3, 7, -2, 5, 2, 5]
    case .jingle: [12, 7, 12]
    case .organ: [0, 5, 7, 5]
    case .waltz: [0, 4, 7, 2, 5, 9]
    }
  }

  private static let seconds = 0.25

  /// Seconds of the sound as frames.
  func frames(_ seconds: Range<Int>) -> Range<Int> {
    seconds.lowerBound * format.sampleRate..<seconds.upperBound * format.sampleRate
  }

  func pcm() throws(PCMError) -> PCMBuffer<Float> {
    let rate = Double(format.sampleRate)
    var samples: [Float] = []
    for (index, note) in notes.enumerated() {
      let pitch = 220 * pow(2, Double(note) / 12)
      for frame in 0..<Int(Self.seconds * rate) {
        let time = Double(frame) / rate
        // Each note begins and ends in silence.
        let shape = sin(.pi * time / Self.seconds)
        let tone = Float(0.3 * shape * sin(2 * .pi * pitch * time))
        // The notes of a stereo sound go from side to side.
        let side: Float = index.isMultiple(of: 2) ? 0.8 : 0.4
        samples += format.channelCount == 1 ? [tone] : [tone * side, tone * (1.2 - side)]
      }
    }
    return try PCMBuffer(samples: samples, format: format)
  }
}
