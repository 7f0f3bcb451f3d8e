import GameAudio

/// Eight bars of four beats: the hits of each sixteenth note, and the tempos.
enum Song {
  static let bars = 8
  static let meter = Meter(4, 4)
  static let tempo: Tempo = 100
  /// The tempo from a bar on.
  static let change: (bar: Int, tempo: Tempo) = (5, 132)
  static let sixteenthsPerBar = 16
  /// The end, in quarter notes.
  static let length = Double(4 * bars)

  /// The drums that are hit at a sixteenth note, counted from the start.
  static func hits(at sixteenth: Int) -> [Drum] {
    let (bar, place) = sixteenth.quotientAndRemainder(dividingBy: sixteenthsPerBar)
    guard bar < bars else { return [] }
    // Each fourth bar ends in a fill.
    if bar % 4 == 3, place >= 12 { return [.tom] }
    var hits: [Drum] = []
    if place % 8 == 0 { hits.append(.kick) }
    if place % 8 == 4 { hits.append(.snare) }
    if place % 2 == 0 { hits.append(.hat) }
    return hits
  }
}
