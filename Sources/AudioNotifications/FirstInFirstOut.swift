/// A queue in which an element costs the same, however many wait.
///
/// Other modules inline its calls, because a context appends to a queue under its lock.
@frozen @usableFromInline
package struct FirstInFirstOut<Element: Sendable>: Sendable {
  @usableFromInline var elements: [Element?] = []
  /// The index of the oldest.
  ///
  /// The elements before it were returned already. They are removed together: a removal at each return would move all
  /// elements that are left.
  @usableFromInline var head = 0

  @inlinable package init() {}

  @inlinable package var isEmpty: Bool { head == elements.count }
  @inlinable package var count: Int { elements.count - head }
  @inlinable package var first: Element? { isEmpty ? nil : elements[head] }

  @inlinable
  package mutating func append(_ next: Element) { elements.append(next) }

  /// Removes and returns the oldest.
  @inlinable
  package mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = elements[head]
    // The queue does not keep what it has returned.
    elements[head] = nil
    head += 1
    if head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }
}
