import Foundation
import Spatial3DTesting
import Stage

/// The remainder of a sound behind obstacles, as plain text.
struct RemainderTable: CustomStringConvertible {
  let description: String

  init(of remainder: Remainder) {
    var columns = [TextTable.Column("between"), .init("dB")]
    for part in ["direct sound", "room"] {
      columns += ["500 Hz", "5 kHz"].map { TextTable.Column($0, group: part) }
    }
    var table = TextTable(columns: columns)
    for (index, between) in Between.all.enumerated() {
      let changes = [remainder.direct, remainder.room].flatMap { spectra in
        [500, 5_000].map { remainder.change(of: spectra, at: $0, behind: index) }
      }
      // Adding 0 turns -0 into 0.
      table.append(
        [between.name, String(format: "%.0f", between.muffling.rawValue)]
          + changes.map { String(format: "%.1f", ($0 * 10).rounded() / 10 + 0) }
      )
    }
    description = """
      What stands between you and a sound, how much it is said to take, and the change in dB against nothing:
      a column is an obstruction, a wall an occlusion.


      """ + table.description
  }
}
