/// The effects that are due, with the observers that they are for, in order.
///
/// One thread at a time delivers them. Pure: no call and no lock.
struct DeliveryQueue: Sendable {
  typealias Delivery = (effect: SessionEffect, observers: [Int])

  private var deliveries: [Delivery] = []
  private var isClaimed = false

  mutating func append(_ effect: SessionEffect, to observers: [Int]) { deliveries.append((effect, observers)) }

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
