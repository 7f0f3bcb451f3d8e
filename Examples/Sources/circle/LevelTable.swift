import Drawing
import Foundation
import Stage

/// Where each sound was at the moments of a walk, and how loud at each ear, as plain text.
///
/// Three sounds stand side by side, so that a table fits a terminal.
struct LevelTable: CustomStringConvertible {
  let description: String

  /// Below this level nothing is heard beside the other sounds, and versions of OpenAL differ in what they leave there.
  private static let silence = -65.0

  init(of measurement: Measurement, in scene: Scene) {
    let sounds = Array(scene.placed.indices)
    let blocks = stride(from: 0, to: sounds.count, by: 3).map { sounds[$0..<min($0 + 3, sounds.count)] }
    let tables = blocks.enumerated().map { index, block in
      Self.table(of: block, withWhole: index == blocks.count - 1, measurement, scene)
    }
    description = """
      Angle in degrees from the listener's heading (0 ahead, 90 right, -90 left),
      level at the left and the right ear in dB re full scale, silent below \(Int(Self.silence)).


      """ + tables.joined(separator: "\n")
  }

  private static func table(
    of sounds: ArraySlice<Int>,
    withWhole: Bool,
    _ measurement: Measurement,
    _ scene: Scene
  ) -> String {
    var columns = [TextTable.Column("s", group: "time")]
    for sound in sounds {
      let name = "\(sound + 1) \(scene.placed[sound].sound.name)"
      columns += ["angle", "left", "right"].map { TextTable.Column($0, group: name) }
    }
    if withWhole { columns += ["left", "right"].map { TextTable.Column($0, group: "together") } }

    var table = TextTable(columns: columns)
    for moment in scene.momentsOfLap {
      var row = [String(format: "%.1f", moment)]
      for sound in sounds {
        // Adding 0 turns -0 into 0.
        row.append(String(format: "%.0f", scene.azimuth(of: sound, at: moment).rounded() + 0))
        row += texts(of: measurement.solos[sound].levels(at: moment, window: scene.levelWindow))
      }
      if withWhole { row += texts(of: measurement.whole.levels(at: moment, window: scene.levelWindow)) }
      table.append(row)
    }
    return table.description
  }

  private static func texts(of levels: (left: Double, right: Double)) -> [String] {
    [levels.left, levels.right].map { $0 < silence ? "silent" : String(format: "%.1f", $0) }
  }
}
