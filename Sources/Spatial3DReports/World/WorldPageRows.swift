internal import GameAudio

/// The names and buses of emitters and players, one row for each that a number has had.
///
/// Another play may choose another variation, and a player goes on to its next sound: the number then has another row.
struct WorldPageRows {
  private struct Row: Hashable {
    let number: Int
    let name: String
    let bus: String
  }

  private var rows = UniqueValues<Row>()
  /// The rows of each number, by the times from which on they hold.
  private var history: [Int: [(time: Double, row: Int)]] = [:]

  /// The row of a number with a name and a bus at the time of a snapshot.
  mutating func index(of number: Int, _ name: String, _ bus: String, at time: Double) -> Int {
    let row = rows.index(of: Row(number: number, name: name, bus: bus))
    if history[number]?.last?.row != row { history[number, default: []].append((time, row)) }
    return row
  }

  /// The row of a number at a time; for a number of no snapshot, a new one without a bus.
  mutating func index(of number: Int, at time: Double, named name: String?) -> Int {
    guard let known = history[number] else { return index(of: number, name ?? "", "", at: time) }
    return (known.last { $0.time <= time + 2e-6 } ?? known[0]).row
  }

  var json: JSON {
    .list(rows.values.map { .list([.number(Double($0.number)), .text($0.name), .text($0.bus)]) })
  }
}
