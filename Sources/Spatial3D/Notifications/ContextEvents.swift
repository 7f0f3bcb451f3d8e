/// What happens to the output of a context, as it happens.
///
/// Events are collected from the moment that the sequence was asked for, and for as long as it or an iterator is kept. One
/// loop takes them; two loops share them. The sequence ends with the context, and where its task is cancelled.
public struct ContextEvents: AsyncSequence, Sendable {
  /// An event.
  public typealias Element = ContextEvent

  /// Nothing is thrown.
  public typealias Failure = Never

  let token: NotificationToken
  let subscription: Subscription<ContextEvent>

  /// An iterator over what was not taken yet.
  public func makeAsyncIterator() -> Iterator { Iterator(token: token, subscription: subscription) }

  /// Takes one event after the other.
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
