internal import AudioSupport

/// The notifications that a game's own thread takes, once a frame.
///
/// Closures that ``observe(_:_:_:)`` adds run only inside ``deliver()``, on the thread that calls it. They may
/// therefore use the game's state without a lock: they need not be `Sendable`, and may belong to an actor such as the
/// main actor. The inbox itself is not `Sendable`: it stays on one thread, or on one actor.
///
/// ```swift
/// let inbox = NotificationInbox()
/// var score = 0
/// let count = inbox.observe(monster, .state) { notification in
///   // on the thread of the frame
///   if notification.state == .stopped { score += 1 }
/// }
///
/// // Once a frame:
/// inbox.deliver()
/// ```
///
/// The OpenAL counterpart is `alSourceAddNotification` of Apple's extension, which calls on a thread of its own.
public final class NotificationInbox {
  private let ready = ReadySubscriptions()
  /// Each delivers one subscription's notifications, and returns their number and whether they are the last.
  private var deliveries: [ObjectIdentifier: () -> (count: Int, isLast: Bool)] = [:]

  /// An inbox without observations.
  public init() {}

  /// Collects the notifications of a source from now on, until the token is released; a closure receives them.
  ///
  /// By default the closure receives all kinds. Pending notifications are bounded like the notifications of
  /// ``SoundSource/events(_:)``.
  public func observe(
    _ source: SoundSource,
    _ kinds: SourceNotification.Kinds = .all,
    _ handler: @escaping (SourceNotification) -> Void
  ) -> NotificationToken {
    let subscription = Subscription<SourceNotification>(inbox: ready)
    add(subscription, handler)
    return source.subscribe(subscription, to: kinds).token
  }

  /// Collects the events of a context's output from now on, until the token is released; a closure receives them.
  ///
  /// Pending events are bounded like the events of ``AudioContext/events()``.
  public func observe(_ context: AudioContext, _ handler: @escaping (ContextEvent) -> Void) -> NotificationToken {
    let subscription = Subscription<ContextEvent>(inbox: ready)
    add(subscription, handler)
    return context.subscribe(subscription)
  }

  /// Calls the closures with the notifications that are pending; returns their number.
  ///
  /// The notifications of one source come in order; the sources come in the order of their first notification. A
  /// closure may do anything: notifications that it causes come with this call or the next one. Allocates nothing where
  /// nothing was posted. The closure of an observation that has ended is released here.
  @discardableResult
  public func deliver() -> Int {
    var count = 0
    for id in ready.takeAll() {
      guard let deliver = deliveries[id] else { continue }
      let delivery = deliver()
      count += delivery.count
      if delivery.isLast { deliveries[id] = nil }
    }
    return count
  }

  private func add<Element>(_ subscription: Subscription<Element>, _ handler: @escaping (Element) -> Void) {
    deliveries[ObjectIdentifier(subscription)] = {
      var (elements, isLast) = subscription.takePending()
      var count = 0
      // The closure may end its own observation.
      while !subscription.isCancelled, let element = elements.popFirst() {
        handler(element)
        count += 1
      }
      return (count, isLast)
    }
  }
}

@available(*, unavailable)
extension NotificationInbox: Sendable {}

/// The subscriptions of an inbox with pending notifications, in order.
private final class ReadySubscriptions: NotificationDispatcher {
  private let ids = Lock<[ObjectIdentifier]>([])

  func schedule(_ subscription: any NotificationQueue) { ids.withLock { $0.append(ObjectIdentifier(subscription)) } }

  func deliver() {}

  func takeAll() -> [ObjectIdentifier] {
    ids.withLock { ids in
      defer { ids = [] }
      return ids
    }
  }
}
