/// The effects that are due, with the observers that they are for, in order.
///
/// One thread at a time delivers them. Pure: no call and no lock.
struct DeliveryQueue: Sendable {
  enum Delivery: Sendable {
    case effect(SessionEffect, observers: [Int])
    /// A closure that waits for all deliveries before it.
    case mark(@Sendable () -> Void)
  }

  private var deliveries: [Delivery] = []
  private var isClaimed = false

  mutating func append(_ effect: SessionEffect, to observers: [Int]) {
    deliveries.append(.effect(effect, observers: observers))
  }

  mutating func append(_ mark: @escaping @Sendable () -> Void) { deliveries.append(.mark(mark)) }

  /// Returns whether the caller has to deliver, because no thread does.
  mutating func claim() -> Bool {
    guard !isClaimed, !deliveries.isEmpty else { return false }
    isClaimed = true
    return true
  }

  /// The next delivery of the thread that has the claim; `nil` ends the claim.
  mutating func next() -> Delivery? {
    guard deliveries.isEmpty else { return deliveries.removeFirst() }
    isClaimed = false
    return nil
  }
}
