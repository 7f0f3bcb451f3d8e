/// The notifications of a source, in order.
///
/// They are collected from the call that returned the sequence on, for as long as the sequence or an iterator is kept.
/// Two loops over one sequence share the notifications. The sequence ends when the source is released, after the
/// pending ones, and when its task is cancelled.
public struct SourceNotifications: AsyncSequence, Sendable {
  /// A notification.
  public typealias Element = SourceNotification

  /// The sequence throws no errors.
  public typealias Failure = Never

  let token: NotificationToken
  let subscription: Subscription<SourceNotification>

  /// An iterator over the pending notifications.
  public func makeAsyncIterator() -> Iterator { Iterator(token: token, subscription: subscription) }

  /// An iterator that takes one notification after the other.
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
