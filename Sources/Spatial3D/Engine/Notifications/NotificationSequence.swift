/// The notifications of a source, or the events of a context's output, in order.
///
/// Elements are collected from the call that returned the sequence on, for as long as the sequence or an iterator is
/// kept. Two loops over one sequence share the elements. The sequence ends after the pending elements when the source
/// or the context is released, and when its task is cancelled.
public struct NotificationSequence<Element: Sendable>: AsyncSequence, Sendable {
  /// The sequence throws no errors.
  public typealias Failure = Never

  private let token: NotificationToken
  private let takeNext: @Sendable () async -> Element?

  package init(_ subscription: Subscription<Element>, token: NotificationToken) where Element: Coalescing {
    self.token = token
    takeNext = { await subscription.next() }
  }

  /// An iterator over the pending elements.
  public func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

  /// An iterator that takes one element after the other.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    fileprivate let sequence: NotificationSequence

    /// The next element; `nil` at the end.
    public mutating func next() async -> Element? { await sequence.takeNext() }

    /// The next element, awaited on an actor; `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? { await sequence.takeNext() }
  }
}
