import Foundation
import Stage

/// The azimuth of each sound and its level at each ear at the moments of a walk, as plain text.
///
/// The table has three sounds side by side, so that it fits a terminal.
struct LevelTable: CustomStringConvertible {
  let description: String

  /// A lower level is inaudible beside the other sounds, and versions of OpenAL differ there.
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
