/// The pending notifications, in bounded memory.
///
/// Pure: no call and no lock.
struct CoalescingQueue<Element: Coalescing>: Sendable {
  /// The number of notifications that are kept separately.
  static var limit: Int { 64 }

  private var elements: [Element] = []
  /// The index of the oldest.
  ///
  /// The elements before it were returned already. They are removed in one piece, because a removal at each return moves
  /// all elements that are left, and a whole queue would take quadratic time.
  private var first = 0

  var isEmpty: Bool { count == 0 }
  var count: Int { elements.count - first }

  /// Appends the latest notification.
  ///
  /// A count is added to a count right before it. With more than 64 pending, the oldest one that has a later one of its
  /// kind is removed: a count is added to the later one, a state is dropped. Lossless notifications are all kept.
  mutating func append(_ next: Element) {
    if !isEmpty, let last = elements.last, last.isCount, let sum = last.joined(with: next) {
      elements[elements.count - 1] = sum
      return
    }
    elements.append(next)
    guard count > Self.limit, !Element.isLossless else { return }
    for index in elements.indices.dropFirst(first) {
      for later in elements.indices.dropFirst(index + 1) {
        guard let joined = elements[index].joined(with: elements[later]) else { continue }
        elements[later] = joined
        elements.remove(at: index)
        return
      }
    }
  }

  /// Removes and returns the oldest.
  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = elements[first]
    first += 1
    if first * 2 >= elements.count {
      elements.removeFirst(first)
      first = 0
    }
    return element
  }

  mutating func removeAll() { (elements, first) = ([], 0) }
}

/// A notification that can represent several of its kind.
///
/// There are fewer kinds than the limit of a list.
package protocol Coalescing: Sendable {
  /// Whether each of them is kept, in memory without a bound.
  static var isLossless: Bool { get }

  /// Whether the sum of two adjacent ones can replace them.
  var isCount: Bool { get }

  /// Returns a notification that represents this and a later one; `nil` for different kinds.
  func joined(with later: Self) -> Self?
}

extension Coalescing {
  package static var isLossless: Bool { false }
}
