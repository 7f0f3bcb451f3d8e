/// One row: something that is measured against something else, and how much of it is too much.
struct Comparison {
  /// The row's name, which Docs/Benchmarks.md explains.
  let what: String

  /// What the median may be at most; `nil` for a figure that is only told.
  let limit: Double?

  /// The same where it is measured briefly, on a machine that may be busy, of a row that needs more room there than others.
  private let ownBriefLimit: Double?

  /// How much more any row may be where it is measured briefly: 1.13 and 1.18 were seen of two builds of the same code.
  private static let briefRoom = 1.15

  /// Measures, and returns the ratio of each round.
  let ratios: (Effort) throws -> [Double]

  init(
    _ what: String,
    atMost limit: Double?,
    brief briefLimit: Double? = nil,
    ratios: @escaping (Effort) throws -> [Double]
  ) {
    self.what = what
    self.limit = limit
    ownBriefLimit = briefLimit
    self.ratios = ratios
  }

  /// The limit, and where the short form has another, that too.
  private var limitText: String {
    guard let limit else { return "" }
    return ownBriefLimit.map { "\(Row.text(limit)), short \(Row.text($0))" } ?? Row.text(limit)
  }

  /// The row, measured once more, twice at most, while it is beyond its limit: what slows a machine down passes, and what
  /// makes the code slower does not.
  func row(_ effort: Effort) throws -> Row {
    func measured() throws -> Row {
      let values = try ratios(effort)
      let briefLimit = ownBriefLimit ?? limit.map { $0 * Self.briefRoom }
      return Row(what: what, values: values, limit: effort == .full ? limit : briefLimit, limitText: limitText)
    }
    var row = try measured()
    for _ in 0..<2 where !row.isWithinLimit {
      let again = try measured()
      if again.median < row.median { row = again }
    }
    return row
  }
}

/// How long rows are measured.
enum Effort {
  /// As long as it takes to write the figures down.
  case full
  /// Just long enough to see what got worse.
  case brief

  /// A number of rounds or seconds.
  func callAsFunction(full: Int, brief: Int) -> Int { self == .full ? full : brief }
}
