import Foundation
import GameAudio
import Stage

/// The voices of the walk, as plain text.
struct VoiceTable: CustomStringConvertible {
  let description: String

  init(of measurement: Measurement) {
    var table = TextTable(
      columns: [
        .init("s", group: "time"),
        .init("real", group: "torches"), .init("virtual", group: "torches"), .init("inaudible", group: "torches"),
        .init("of all", group: "given voices"), .init("left out", group: "level in dB"),
        .init("mix", group: "level in dB"),
      ]
    )
    var changes = 0
    for (index, second) in measurement.seconds.enumerated() {
      changes += second.changes
      guard index % 4 == 3 else { continue }
      table.append([
        "\(index + 1)",
        "\(second.voices.real)",
        "\(second.voices.virtual)",
        "\(second.voices.inaudible)",
        "\(changes)",
        String(format: "%.0f", second.voices.virtualLevel.rawValue),
        String(format: "%.0f", second.level.rawValue),
      ])
    }
    description = """
      \(Dungeon.places.count) torches in a dungeon of \(Int(Dungeon.length)) by \(Int(Dungeon.length)) metres. Levels in dB re full scale:
      of all torches without a voice together, as predicted, and of the mix.


      """ + table.description
  }
}
