/// The pending notifications of one observer, in order.
///
/// Each call costs the same, whatever waits. Joinable notifications stay within 64. The other notifications are kept
/// without a bound for a closure, and up to a bound for a sequence, which counts its losses. Pure: no call and no lock.
struct CoalescingQueue<Element: Coalescing>: Sendable {
  /// The number of joinable notifications that are kept separately.
  static var limit: Int { 64 }

  private struct Numbered: Sendable {
    let number: UInt64
    var element: Element
  }

  /// The notifications that can be joined; at most 64, so that a search and a removal have a bound.
  private var joinable: [Numbered] = []
  /// The notifications that are never joined.
  private var separate = FirstInFirstOut<Numbered>()
  /// The largest number of them; `nil` for no bound.
  private let bound: Int?
  /// The number of notifications that were appended and not joined with the last one.
  private var lastNumber: UInt64 = 0
  /// The number of notifications that were dropped because of the bound.
  private(set) var lostCount = 0

  init(bound: Int? = nil) { self.bound = bound }

  var isEmpty: Bool { joinable.isEmpty && separate.isEmpty }
  var count: Int { joinable.count + separate.count }

  /// Appends the latest notification; returns whether the oldest separate one was dropped for it.
  ///
  /// A count is added to a count right before it. Above 64 pending joinable notifications, the oldest notification with
  /// a later notification of its kind is removed: a count is added to the later notification, a state is dropped.
  @discardableResult
  mutating func append(_ next: Element) -> Bool {
    guard next.isJoinable else { return appendSeparate(next) }
    if let last = joinable.last, last.number == lastNumber, last.element.isCount,
      let sum = last.element.joined(with: next)
    {
      joinable[joinable.count - 1].element = sum
      return false
    }
    lastNumber += 1
    joinable.append(Numbered(number: lastNumber, element: next))
    if joinable.count > Self.limit { joinOldest() }
    return false
  }

  private mutating func appendSeparate(_ next: Element) -> Bool {
    lastNumber += 1
    separate.append(Numbered(number: lastNumber, element: next))
    guard let bound, separate.count > bound else { return false }
    _ = separate.popFirst()
    lostCount += 1
    return true
  }

  private mutating func joinOldest() {
    for index in joinable.indices {
      for later in joinable.indices.dropFirst(index + 1) {
        guard let joined = joinable[index].element.joined(with: joinable[later].element) else { continue }
        joinable[later].element = joined
        joinable.remove(at: index)
        return
      }
    }
  }

  /// Removes and returns the oldest.
  mutating func popFirst() -> Element? {
    guard let next = joinable.first else { return separate.popFirst()?.element }
    if let other = separate.first, other.number < next.number { return separate.popFirst()?.element }
    return joinable.removeFirst().element
  }

  mutating func removeAll() { (joinable, separate) = ([], FirstInFirstOut()) }
}

/// A notification that may represent several of its kind.
///
/// There are fewer kinds than the limit of a list.
package protocol Coalescing: Sendable {
  /// Whether a later one of its kind can represent it too.
  var isJoinable: Bool { get }

  /// Whether the sum of two adjacent notifications can replace them.
  var isCount: Bool { get }

  /// Returns a notification that represents this and a later notification; `nil` for different kinds, and if one of
  /// them is not joinable.
  func joined(with later: Self) -> Self?
}
