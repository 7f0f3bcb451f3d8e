/// The elements that one thread at a time delivers, in order.
///
/// Pure: no call and no lock.
struct DeliveryQueue<Element: Sendable>: Sendable {
  private var elements: [Element] = []
  private var isClaimed = false

  mutating func append(_ element: Element) { elements.append(element) }

  /// Returns whether the caller has to deliver, because no thread does.
  mutating func claim() -> Bool {
    guard !isClaimed, !elements.isEmpty else { return false }
    isClaimed = true
    return true
  }

  /// The next element for the thread that has the claim; `nil` ends the claim.
  mutating func next() -> Element? {
    guard elements.isEmpty else { return elements.removeFirst() }
    isClaimed = false
    return nil
  }
}
