/// The notifications or events of an observed object, such as a source, a context or a session, in order.
///
/// Elements are collected from the call that returned the sequence on, for as long as the sequence or an iterator is
/// kept. Two loops over one sequence share the elements. The sequence ends after the pending elements when the observed
/// object is released. A loop ends when its task is cancelled, and other loops over the sequence continue.
///
/// Memory has a bound, also where nobody reads. Counts are added up, and of states the latest are kept: together at
/// most 64. Elements that cannot be joined, such as the end of an emitter's sound or an event of a session, wait up to
/// 16,384; then the oldest is dropped for each new one. ``lostCount`` counts those. A closure, such as the closure of
/// `SoundSource.observe`, loses none.
public struct NotificationSequence<Element: Sendable>: AsyncSequence, Sendable {
  /// The sequence throws no errors.
  public typealias Failure = Never

  private let token: NotificationToken
  private let takeNext: @Sendable () async -> Element?
  private let countLost: @Sendable () -> Int

  /// A sequence of elements that other code collects, until the token is released.
  package init(
    token: NotificationToken,
    takeNext: @escaping @Sendable () async -> Element?,
    countLost: @escaping @Sendable () -> Int
  ) {
    self.token = token
    self.takeNext = takeNext
    self.countLost = countLost
  }

  /// The number of elements that were dropped until now, because 16,384 that cannot be joined waited already.
  ///
  /// It counts on while the sequence is kept. The dropped elements are older than all pending elements. The count is 0
  /// in a sequence of joinable elements, such as `SoundSource.events`.
  public var lostCount: Int { countLost() }

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
