/// The notifications of a source, as they happen.
///
/// They are collected from the moment that the sequence was asked for, and for as long as it or an iterator is kept. One
/// loop takes them; two loops share them. The sequence ends when the source is released, after what was pending, and where
/// its task is cancelled.
public struct SourceNotifications: AsyncSequence, Sendable {
  /// A notification.
  public typealias Element = SourceNotification

  /// Nothing is thrown.
  public typealias Failure = Never

  let token: NotificationToken
  let subscription: Subscription<SourceNotification>

  /// An iterator over what was not taken yet.
  public func makeAsyncIterator() -> Iterator { Iterator(token: token, subscription: subscription) }

  /// Takes one notification after the other.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    let token: NotificationToken
    let subscription: Subscription<SourceNotification>

    /// The next notification; `nil` at the end.
    public mutating func next() async -> SourceNotification? { await subscription.next() }

    /// The next notification, awaited on an actor; `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> SourceNotification? {
      await subscription.next()
    }
  }
}
