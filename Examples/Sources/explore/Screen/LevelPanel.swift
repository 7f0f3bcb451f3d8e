import Foundation
import Spatial3D
import Stage

/// The sounds with their directions and levels, and the levels at the left and the right ear.
struct LevelPanel {
  /// The least width, in columns.
  static let width = 36

  let world: World
  let readings: Readings
  let glyphs: Glyphs

  /// Draws from a column and a row on.
  func draw(on screen: inout Screen, column: Int, row top: Int, width: Int) {
    screen.write("Sounds, calculated levels", at: column, top, .strong)
    var row = top + 1
    for index in world.sounds.indices {
      drawSound(index, on: &screen, column: column, row: row, width: width)
      row += 2
    }
    row += 1
    screen.write(readings.earsHeading, at: column, row, .strong)
    drawMeter(readings.ears.left, named: "L", on: &screen, column: column, row: row + 1, width: width)
    drawMeter(readings.ears.right, named: "R", on: &screen, column: column, row: row + 2, width: width)
  }

  /// Two rows: number, name, distance, direction and wall; then the meter.
  private func drawSound(_ index: Int, on screen: inout Screen, column: Int, row: Int, width: Int) {
    let sound = world.sounds[index]
    let numbers = numbers(of: index)
    let style = sound.isMuted ? Screen.Style.faint : .series(index)
    screen.write("\(index + 1) \(sound.name)", at: column, row, style, width: width - numbers.count - 1)
    screen.write(numbers, at: column + width - numbers.count, row, sound.isMuted ? .faint : .plain)
    if sound.isMuted {
      screen.write("  muted", at: column, row + 1, .faint)
    } else {
      drawMeter(readings.sounds[index], named: " ", on: &screen, column: column, row: row + 1, width: width)
    }
  }

  /// The distance, the direction from the heading, and the wall, such as `" 3.2 m  −30°  wall −30"`.
  private func numbers(of index: Int) -> String {
    let place = world.polarPosition(of: index)
    let angle = Int(place.azimuth.rounded())
    let direction = (angle < 0 ? glyphs.minus : "") + "\(abs(angle))" + glyphs.degree
    let wall = Int(world.sounds[index].occlusion.rounded())
    return String(format: "%4.1f m", place.distance) + direction.leftPadded(to: 6)
      + (wall < 0 ? " wall" + (glyphs.minus + "\(-wall)").leftPadded(to: 4) : "").leftPadded(to: 9)
  }

  private func drawMeter(
    _ meter: LevelMeter,
    named name: String,
    on screen: inout Screen,
    column: Int,
    row: Int,
    width: Int
  ) {
    screen.write(name, at: column, row)
    let text = meter.text(glyphs)
    let length = width - 2 - text.count
    for (offset, cell) in meter.bar(width: length, glyphs).enumerated() { screen[column + 2 + offset, row] = cell }
    screen.write(text, at: column + width - text.count, row)
  }
}

extension String {
  fileprivate func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(width - count, 0)) + self }
}
