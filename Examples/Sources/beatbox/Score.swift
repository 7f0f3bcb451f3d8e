import Foundation
import GameAudio

/// The bars of the song as text, one letter for each sixteenth note.
enum Score {
  static let heading = "bar  starts at  tempo  1···2···3···4···"

  /// A bar with its moment and tempo.
  static func line(of bar: Int, at moment: Duration, tempo: Tempo) -> String {
    let first = (bar - 1) * Song.sixteenthsPerBar
    let hits = (first..<first + Song.sixteenthsPerBar).map { Song.hits(at: $0).first?.rawValue ?? "·" }
    let start = String(format: "%3d  %7.3f s  %5.0f  ", bar, moment / .seconds(1), tempo.beatsPerMinute)
    return start + String(hits)
  }
}
