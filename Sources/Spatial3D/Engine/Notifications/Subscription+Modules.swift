// The observations of objects that other modules have on a context.
//
// The protocol of the dispatchers stays internal: the compiler then knows both where a getter of a source calls one.

extension Subscription {
  /// A subscription for a closure, or for tasks.
  package convenience init(calling handler: Handler?) { self.init(handler: handler) }

  /// Appends a notification, and schedules its delivery; may be called with locks held.
  ///
  /// Returns whether it is the first for which one was lost.
  @discardableResult
  package func post(_ element: Element, in context: AudioContext) -> Bool { post(element, over: context.deliveries) }

  /// Accepts no more notifications, and schedules the delivery of pending notifications.
  package func finish(in context: AudioContext) { finish(over: context.deliveries) }
}

extension AudioContext {
  /// Delivers the notifications that the calling thread has to deliver, without a lock.
  package func deliverNotifications() { deliveries.deliver() }
}
