/// The events of a context's output, in order.
///
/// Events are collected from the call that returned the sequence on, for as long as the sequence or an iterator is
/// kept. Two loops over one sequence share the events. The sequence ends with the context, and when its task is
/// cancelled.
public struct ContextEvents: AsyncSequence, Sendable {
  /// An event.
  public typealias Element = ContextEvent

  /// The sequence throws no errors.
  public typealias Failure = Never

  let token: NotificationToken
  let subscription: Subscription<ContextEvent>

  /// An iterator over the pending events.
  public func makeAsyncIterator() -> Iterator { Iterator(token: token, subscription: subscription) }

  /// An iterator that takes one event after the other.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    let token: NotificationToken
    let subscription: Subscription<ContextEvent>

    /// The next event; `nil` at the end.
    public mutating func next() async -> ContextEvent? { await subscription.next() }

    /// The next event, awaited on an actor; `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> ContextEvent? {
      await subscription.next()
    }
  }
}
