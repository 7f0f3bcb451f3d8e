internal import AudioSupport

/// An observed or streamed source: its last known state and its subscribers.
struct ObservedSource: Sendable {
  let stream: Stream?
  /// Do not load it under a lock.
  let reference: Weak<SoundSource>

  var tracker: SourceTracker
  var loops = LoopCounter(position: 0)
  /// The library's clock at the position that loops are counted from; `nil` if no loops are counted.
  var loopClock: Int64?
  /// The scheduled start, in frames of the clock; `nil` if the source has started.
  var startFrame: Int?
  /// The next count of loops, on the monotonic clock.
  var loopDue: Int64?
  var sound: QueuedSound
  /// The index among the playing sources.
  var playingIndex: Int?
  private(set) var subscribers: [Subscriber] = []
  /// The union of the kinds that the subscribers observe.
  private(set) var kinds: SourceNotification.Kinds = []

  struct Subscriber: Sendable {
    let kinds: SourceNotification.Kinds
    let subscription: Subscription<SourceNotification>
    /// The number of the last notification that it received.
    fileprivate(set) var sequence: UInt64 = 0
  }

  init(_ source: SoundSource, state: SourceState) {
    stream = source.stream
    reference = Weak(source)
    tracker = SourceTracker(state: state, processed: 0)
    sound = QueuedSound(of: source)
  }

  /// Whether it has a subscriber or a stream.
  var isNeeded: Bool { !subscribers.isEmpty || stream != nil }

  /// Whether the mixer can change its state.
  var isPlaying: Bool { tracker.state == .playing }

  var countsLoops: Bool { kinds.contains(.loop) && stream == nil }

  var countsBuffers: Bool { sound.isQueue && kinds.contains(.buffersProcessed) && stream == nil }

  /// Whether a poll finds nothing but its state.
  var hasOnlyState: Bool { stream == nil && !countsBuffers }

  mutating func add(_ subscriber: Subscriber) {
    subscribers.append(subscriber)
    kinds.formUnion(subscriber.kinds)
  }

  mutating func remove(_ subscription: Subscription<SourceNotification>) {
    subscribers.removeAll { $0.subscription === subscription }
    kinds = subscribers.reduce([]) { $0.union($1.kinds) }
  }

  /// Posts to the subscribers of a kind.
  mutating func post(_ notice: Notice, over deliveries: any NotificationDispatcher) {
    guard kinds.contains(notice.kind.choice) else { return }
    for index in subscribers.indices where subscribers[index].kinds.contains(notice.kind.choice) {
      subscribers[index].sequence += 1
      let notification = SourceNotification(
        kind: notice.kind,
        reference: reference,
        state: notice.state,
        sequence: subscribers[index].sequence,
        framePosition: notice.frame,
        cause: notice.cause
      )
      subscribers[index].subscription.post(notification, over: deliveries)
    }
  }

  /// Ends all subscriptions.
  func finish(over deliveries: any NotificationDispatcher) {
    for subscriber in subscribers { subscriber.subscription.finish(over: deliveries) }
  }

  /// A notification without its source.
  struct Notice: Sendable {
    var kind: SourceNotification.Kind
    var state: SourceState
    var frame: Int
    var cause: SourceNotification.Cause
  }
}
