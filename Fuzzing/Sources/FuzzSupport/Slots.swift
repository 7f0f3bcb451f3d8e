/// A fixed number of slots for objects of one type, which all threads share.
///
/// An operation that is left out leaves its slot empty and moves no other object, so that the rest of a shortened round
/// stays the same.
package final class Slots<Element: Sendable>: Sendable {
  package let count: Int
  private let elements: Lock<[Element?]>

  package init(count: Int) {
    self.count = count
    elements = Lock(Array(repeating: nil, count: count))
  }

  /// The object in a slot.
  package subscript(index: Int) -> Element? { elements.withLock { $0[index] } }

  /// All objects, in the order of their slots.
  package var all: [Element] { elements.withLock { $0.compactMap(\.self) } }

  /// Puts an object into a slot; the old object is released outside the lock, because its end may call a handler.
  package func put(_ element: Element?, at index: Int) {
    let old = elements.withLock { elements in
      let old = elements[index]
      elements[index] = element
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Empties all places.
  package func removeAll() {
    for index in 0..<count { put(nil, at: index) }
  }
}
