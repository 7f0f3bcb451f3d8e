import Foundation

/// Prints what is measured, a line each.
@main
struct Ratios {
  static func main() throws {
    let rows = [
      Row(what: "Positions written through, against one deferred update", values: try DeferredUpdates.ratios()),
      Row(what: "Sound rendered in the time that it lasts, 64 sources", values: try OfflineRendering.ratios()),
    ]
    print("".padding(toLength: 56, withPad: " ", startingAt: 0) + "  lowest   median  highest")
    for row in rows { print(row) }
  }
}

/// The ratios that one comparison gave, from round to round.
struct Row: CustomStringConvertible {
  let what: String
  let values: [Double]

  var description: String {
    let sorted = values.sorted()
    return [sorted[0], sorted[sorted.count / 2], sorted[sorted.count - 1]]
      .reduce(what.padding(toLength: 56, withPad: " ", startingAt: 0)) { line, value in
        line + String(format: "%8.1fx", value)
      }
  }
}
