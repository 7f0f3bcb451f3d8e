import Stage
import GameAudio
import Spatial3DReports

/// The state of the audio world: voices, buses with meters, and the emitters with their levels or the reasons of their
/// silence.
///
/// The text comes from `WorldText`; the view adds the colours of the screen.
struct WorldView {
  let snapshot: WorldSnapshot
  let glyphs: Glyphs

  /// The characters of a meter in the text.
  private static let (filled, track): (Character, Character) = ("█", "·")

  /// Draws from the first column of a row on; returns the row below.
  func draw(on screen: inout Screen, row top: Int) -> Int {
    let text = WorldText(snapshot, listing: snapshot.emitters.count).description.replacing("−", with: glyphs.minus)
    var row = top
    for line in text.split(separator: "\n") {
      // The lines of emitters alone are indented.
      if let number = line.first == " " ? line.split(separator: " ").first.flatMap({ Int($0) }) : nil {
        screen.write(String(line), at: 0, row, .series(number - 1))
      } else if line.contains(Self.track) || line.contains(Self.filled) {
        drawBus(line, on: &screen, row: row)
      } else {
        screen.write(String(line), at: 0, row, .strong)
      }
      row += 1
    }
    return row
  }

  /// Draws a bus with the colours of its meter.
  private func drawBus(_ line: Substring, on screen: inout Screen, row: Int) {
    let width = line.count { $0 == Self.filled || $0 == Self.track }
    var cell = 0
    for (column, character) in line.enumerated() {
      guard character == Self.filled || character == Self.track else {
        screen.write(String(character), at: column, row)
        continue
      }
      let style = LevelMeter.style(at: (Double(cell) + 0.5) / Double(width))
      let isFilled = character == Self.filled
      let drawn = isFilled ? glyphs.bar[glyphs.bar.count - 1] : glyphs.track
      screen[column, row] = Screen.Cell(character: drawn, style: isFilled ? style : .faint)
      cell += 1
    }
  }
}
