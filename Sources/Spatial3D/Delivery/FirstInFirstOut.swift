/// A queue in which an element costs the same, however many wait.
struct FirstInFirstOut<Element: Sendable>: Sendable {
  private var elements: [Element?] = []
  /// The index of the oldest.
  ///
  /// The elements before it were returned already. They are removed together: a removal at each return would move all
  /// elements that are left.
  private var head = 0

  var isEmpty: Bool { head == elements.count }
  var count: Int { elements.count - head }
  var first: Element? { isEmpty ? nil : elements[head] }

  mutating func append(_ next: Element) { elements.append(next) }

  /// Removes and returns the oldest.
  mutating func popFirst() -> Element? {
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
