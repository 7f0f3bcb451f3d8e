/// The pending notifications, in bounded memory.
///
/// Pure: no call and no lock.
struct CoalescingQueue<Element: Coalescing>: Sendable {
  /// The number of notifications that are kept separately.
  static var limit: Int { 64 }

  private var elements: [Element] = []

  var isEmpty: Bool { elements.isEmpty }
  var count: Int { elements.count }

  /// Appends the latest notification.
  ///
  /// A count is added to a count right before it. With more than 64 pending, the oldest one that has a later one of its
  /// kind is removed: a count is added to the later one, a state is dropped.
  mutating func append(_ next: Element) {
    if let last = elements.last, last.isCount, let sum = last.joined(with: next) {
      elements[elements.count - 1] = sum
      return
    }
    elements.append(next)
    guard elements.count > Self.limit else { return }
    for index in elements.indices {
      for later in elements.indices.dropFirst(index + 1) {
        guard let joined = elements[index].joined(with: elements[later]) else { continue }
        elements[later] = joined
        elements.remove(at: index)
        return
      }
    }
  }

  /// Removes and returns the oldest.
  mutating func popFirst() -> Element? { elements.isEmpty ? nil : elements.removeFirst() }

  mutating func removeAll() { elements = [] }
}

/// A notification that can represent several of its kind.
///
/// There are fewer kinds than the limit of a list.
package protocol Coalescing: Sendable {
  /// Whether the sum of two adjacent ones can replace them.
  var isCount: Bool { get }

  /// Returns a notification that represents this and a later one; `nil` for different kinds.
  func joined(with later: Self) -> Self?
}
