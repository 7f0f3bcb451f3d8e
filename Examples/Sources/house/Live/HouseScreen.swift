import GameAudio
import Stage

/// The plan of the house with the listener and the monsters, and the path and the level of each monster.
struct HouseScreen {
  let place: SIMD2<Double>
  /// The direction of the listener, in degrees clockwise from north.
  let heading: Double
  let openness: [Float]
  let monsters: [SIMD2<Double>]
  let hearings: [Hearing]
  let meters: [LevelMeter]
  /// The name of the output device.
  let output: String
  let glyphs: Glyphs

  /// The size of a cell, in metres: half as wide as high, like a character of a terminal.
  private static let cell = SIMD2(0.5, 1.0)
  private static let columns = Int(Plan.size.x / cell.x) + 1
  private static let rows = Int(Plan.size.y / cell.y) + 1
  private static let panelWidth = 38
  /// The size that the drawing needs.
  static let smallest = Screen.Size(columns: columns + 3 + panelWidth, rows: rows + 4)

  /// The screen of a size; if the size is too small, the screen shows the size that is needed.
  func screen(_ size: Screen.Size) -> Screen {
    var screen = Screen(size)
    guard size.columns >= Self.smallest.columns, size.rows >= Self.smallest.rows else {
      let needed = "Needs \(Self.smallest.columns) x \(Self.smallest.rows) characters. Q quits."
      screen.write(needed, at: 0, 0, .alarm)
      return screen
    }
    let room = Plan.room(at: place)?.name ?? "a doorway"
    screen.write("house", at: 0, 0, .strong)
    screen.write(["", "in the \(room)", "plays on \(output)"].joined(separator: glyphs.separator), at: 5, 0)
    drawPlan(on: &screen)
    drawMonsters(on: &screen, column: Self.columns + 3)
    drawDoors(on: &screen, column: Self.columns + 3)
    let (walk, turn) = glyphs.arrowKeys
    let keys = "\(walk) W S walk   \(turn) A D turn   1-\(Plan.doors.count) doors   O nearest door   Q quit"
    screen.write(keys, at: 0, size.rows - 1, .faint)
    return screen
  }

  /// The cell of a position.
  private func cell(of place: SIMD2<Double>) -> (column: Int, row: Int) {
    let cell = (place / Self.cell).rounded(.toNearestOrAwayFromZero)
    return (Int(cell.x), Int(cell.y) + 2)
  }

  private func drawPlan(on screen: inout Screen) {
    for wall in Plan.rooms.flatMap(\.edges) {
      let (first, last) = (cell(of: wall.start), cell(of: wall.end))
      for column in first.column...last.column {
        for row in first.row...last.row { screen[column, row] = Screen.Cell(character: glyphs.wall, style: .wall) }
      }
    }
    for pillar in Plan.pillars {
      let (column, row) = cell(of: pillar)
      for offset in -1...1 { screen[column + offset, row] = Screen.Cell(character: glyphs.wall, style: .wall) }
    }
    for room in Plan.rooms {
      let (column, row) = cell(of: [room.x.lowerBound, room.y.lowerBound])
      screen.write(room.name, at: column + 2, row + 1, .faint)
    }
    for (index, door) in Plan.doors.enumerated() {
      let (column, row) = cell(of: door.place)
      let offsets = door.isInNorthSouthWall ? [0] : [-1, 0, 1]
      for offset in offsets { screen[column + offset, row] = Screen.Cell() }
      screen.write("\(index + 1)", at: column, row, style(ofDoor: index))
    }
    for (index, monster) in Monster.all.enumerated() {
      let (column, row) = cell(of: monsters[index])
      screen.write(String(monster.name.prefix(1).uppercased()), at: column, row, .series(index))
    }
    let (column, row) = cell(of: place)
    screen.write(String(glyphs.arrow(heading)), at: column, row, .listener)
  }

  private func style(ofDoor index: Int) -> Screen.Style {
    openness[index] >= 1 ? .low : openness[index] > 0 ? .middle : .high
  }

  /// Three rows for each monster: its name, the path and the occlusion; and its level.
  private func drawMonsters(on screen: inout Screen, column: Int) {
    screen.write("Monsters, predicted levels", at: column, 2, .strong)
    for (index, monster) in Monster.all.enumerated() {
      let (row, hearing) = (3 + 3 * index, hearings[index])
      screen.write("\(monster.name) in the \(monster.room)", at: column, row, .series(index))
      let muffling = hearing.muffling.rawValue.rounded()
      let words = hearing.way.words + (muffling < 0 ? ", muffled by \(Int(-muffling)) dB" : "")
      screen.write(words, at: column + 2, row + 1)
      let text = meters[index].text(glyphs)
      for (offset, cell) in meters[index].bar(width: Self.panelWidth - text.count - 3, glyphs).enumerated() {
        screen[column + 2 + offset, row + 2] = cell
      }
      screen.write(text, at: column + Self.panelWidth - text.count, row + 2)
    }
  }

  private func drawDoors(on screen: inout Screen, column: Int) {
    let row = 4 + 3 * Monster.all.count
    screen.write("Doors", at: column, row, .strong)
    for (index, door) in Plan.doors.enumerated() {
      let state = openness[index] >= 1 ? "open" : openness[index] > 0 ? "ajar" : "closed"
      screen.write("\(index + 1) \(door.rooms.0), \(door.rooms.1)", at: column, row + 1 + index)
      screen.write(state, at: column + Self.panelWidth - 8, row + 1 + index, style(ofDoor: index))
    }
  }
}
