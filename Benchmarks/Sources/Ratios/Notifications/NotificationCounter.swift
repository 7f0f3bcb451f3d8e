import Synchronization

/// A counter of notifications.
final class NotificationCounter: Sendable {
  private let total = Atomic(0)

  /// The work of a handler.
  func count() { total.add(1, ordering: .relaxed) }

  /// Throws if the closure causes too few notifications.
  func check<Result>(atLeast expected: Int, in body: () throws -> Result) throws -> Result {
    let before = total.load(ordering: .relaxed)
    let result = try body()
    let count = total.load(ordering: .relaxed) - before
    guard count >= expected else { throw TooFew(count: count, expected: expected) }
    return result
  }

  struct TooFew: Error, CustomStringConvertible {
    let count: Int
    let expected: Int

    var description: String { "\(count) notifications arrived instead of at least \(expected)." }
  }
}
