/// One row: a measurement against a reference, with its limit.
struct Comparison {
  /// The row's name; Docs/Benchmarks.md explains it.
  let what: String

  /// The limit of the median; `nil` for a ratio without limit.
  let limit: Limit?

  /// The limit of the short form, which may run on a busy machine, for a row that needs more margin than others.
  private let ownBriefLimit: Limit?

  /// The factor of the short form for all other rows.
  ///
  /// Two builds of the same code gave 1.13 and 1.18, and two processors 1.15 and 1.42.
  private static let briefRoom = 1.35

  /// Measures, and returns the ratio of each round.
  let ratios: (Effort) throws -> [Double]

  init(
    _ what: String,
    atMost limit: Limit?,
    brief briefLimit: Limit? = nil,
    ratios: @escaping (Effort) throws -> [Double]
  ) {
    self.what = what
    self.limit = limit
    ownBriefLimit = briefLimit
    self.ratios = ratios
  }

  /// The limit, and the limit of the short form if it differs.
  private var limitText: String {
    guard let limit else { return "" }
    return ownBriefLimit.map { "\(limit.text), short \($0.text)" } ?? limit.text
  }

  /// Measures the row with a version of OpenAL Soft, and repeats that up to twice while the row exceeds its limit.
  ///
  /// A disturbance of the machine passes, but slower code stays slow.
  func row(_ effort: Effort, with version: String) throws -> Row {
    let longLimit = limit?.value(with: version)
    let briefLimit = ownBriefLimit?.value(with: version) ?? longLimit.map { $0 * Self.briefRoom }
    func measured() throws -> Row {
      let values = try ratios(effort)
      return Row(what: what, values: values, limit: effort == .full ? longLimit : briefLimit, limitText: limitText)
    }
    var row = try measured()
    for _ in 0..<2 where !row.isWithinLimit {
      let again = try measured()
      if again.median < row.median { row = again }
    }
    return row
  }
}

/// The duration of the measurements.
enum Effort {
  /// Long enough for published figures.
  case full
  /// Just long enough to detect a regression.
  case brief

  /// The number of rounds or seconds for the effort.
  func callAsFunction(full: Int, brief: Int) -> Int { self == .full ? full : brief }
}
