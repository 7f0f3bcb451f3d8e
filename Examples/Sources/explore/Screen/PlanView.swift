import Stage

/// The plan with the listener, the view ahead, and the sounds by their numbers.
struct PlanView {
  let world: World

  /// The columns and rows of the screen for a cell of the plan.
  let scale: Int

  let glyphs: Glyphs

  /// The length of the view ahead, in metres, and the angle of its sides, in degrees.
  private static let view = (length: 2.5, angle: 35.0)

  /// Draws with the plan's upper left corner at the first column of a row.
  func draw(on screen: inout Screen, row top: Int) {
    let plan = world.plan
    for row in 0..<plan.rows * scale {
      for column in 0..<plan.columns * scale {
        screen[column, top + row] = ground(column: column, row: row)
      }
    }
    drawView(on: &screen, top)
    for (index, sound) in world.sounds.enumerated() {
      let (column, row) = cell(of: sound.place)
      let style = sound.isMuted ? Screen.Style.faint : .series(index)
      screen.write("\(index + 1)", at: column, top + row, style)
      if sound.isMuted { screen.write("x", at: column + 1, top + row, .faint) }
    }
    let (column, row) = cell(of: world.walker.position)
    screen.write(String(glyphs.arrow(world.walker.heading)), at: column, top + row, .listener)
  }

  private func ground(column: Int, row: Int) -> Screen.Cell {
    switch world.plan.ground(column: column / scale, row: row / scale) {
    case .wall: Screen.Cell(character: glyphs.wall, style: .wall)
    case .hall: Screen.Cell()
    // Some tufts without an obvious pattern.
    case .garden: Screen.Cell(character: (column * 7 + row * 11) % 13 == 0 ? glyphs.grass : " ", style: .faint)
    }
  }

  /// The column and the row of a position, from the upper left corner of the plan.
  private func cell(of position: SIMD2<Double>) -> (column: Int, row: Int) {
    let cell = (position / Plan.cellSize * Double(scale)).rounded(.down)
    return (Int(cell.x), Int(cell.y))
  }

  /// Draws both sides of what is ahead of the listener, up to the next wall.
  private func drawView(on screen: inout Screen, _ top: Int) {
    // A Braille character is two dots wide and four high.
    let dotsPerCell = glyphs.hasBraille ? SIMD2(2.0, 4.0) : SIMD2(1.0, 1.0)
    var dots: [SIMD2<Int>: UInt32] = [:]
    for angle in glyphs.hasBraille ? [-Self.view.angle, Self.view.angle] : [0] {
      let direction = Walker.direction(ofHeading: world.walker.heading + angle)
      for part in 1...40 {
        let position = world.walker.position + direction * (Self.view.length * Double(part) / 40)
        guard world.plan.ground(at: position) != .wall else { break }
        let dot = (position / Plan.cellSize * Double(scale) * dotsPerCell).rounded(.down)
        let cell = SIMD2(Int(dot.x / dotsPerCell.x), Int(dot.y / dotsPerCell.y))
        let inside = (Int(dot.x) % Int(dotsPerCell.x), Int(dot.y) % Int(dotsPerCell.y))
        dots[cell, default: 0] |= Self.brailleBit(column: inside.0, row: inside.1)
      }
    }
    for (cell, bits) in dots {
      let character = Unicode.Scalar(0x2800 + bits).map(Character.init) ?? " "
      screen.write(glyphs.hasBraille ? String(character) : "*", at: cell.x, top + cell.y, .listener)
    }
  }

  /// The bit of a dot in a Braille character: its rows 0 to 2 come first, column by column.
  private static func brailleBit(column: Int, row: Int) -> UInt32 {
    row < 3 ? 1 << UInt32(column * 3 + row) : 1 << UInt32(6 + column)
  }
}
