/// The faults of the entries of a list that were reported: each of an entry once.
struct ReportedFaults: Hashable, Sendable {
  /// The cause for which an entry has no effect, or keeps a value.
  enum Cause: Hashable, Sendable {
    /// A property is no usable number.
    case value(String)
    /// A property is outside of its range.
    case outside(String)
    case unknownZone(String)
    case oneRoom
    case farZone(String)
  }

  /// The fault of one entry.
  private struct Fault: Hashable, Sendable {
    let index: Int
    let cause: Cause
  }

  private var reported: Set<Fault> = []

  /// Whether a fault was not reported before.
  mutating func insert(_ cause: Cause, of index: Int) -> Bool {
    reported.insert(Fault(index: index, cause: cause)).inserted
  }
}

/// A property with a value that it cannot have, in words.
struct UnusableValue: Equatable {
  let property: String
  let value: String
}
