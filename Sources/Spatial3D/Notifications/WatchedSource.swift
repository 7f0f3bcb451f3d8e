/// A source that somebody observes, or that is streamed: what is known of it, and who is told.
struct WatchedSource: Sendable {
  let key: SourceKey
  let id: UInt32
  let hasQueue: Bool
  let stream: Stream?
  /// Not to be followed under a lock.
  let reference: SourceReference

  var tracker: SourceTracker
  var loops = LoopCounter(place: 0)
  /// The library's clock at the place that loops are counted from; `nil` where nothing is counted from there.
  var loopClock: Int64?
  /// When it begins to play, of the frames that the clock has counted; `nil` where it does, or did.
  var startFrame: Int?
  /// When to look for loops again, on the monotonic clock.
  var loopDue: Int64?
  var sound = QueuedSound()
  /// Where it is among those that play.
  var playingPlace: Int?
  private(set) var subscribers: [Subscriber] = []
  /// What any of them observes.
  private(set) var kinds: SourceNotification.Kinds = []

  struct Subscriber: Sendable {
    let kinds: SourceNotification.Kinds
    let subscription: Subscription<SourceNotification>
    /// The number of the last notification that it was told.
    fileprivate(set) var sequence: UInt64 = 0
  }

  init(_ source: SoundSource, state: SourceState, processed: Int) {
    key = source.key
    id = source.id
    hasQueue = source.hasQueue
    stream = source.stream
    reference = SourceReference(source)
    tracker = SourceTracker(state: state, processed: processed)
  }

  /// Whether anybody is told, or the stream is fed.
  var isNeeded: Bool { !subscribers.isEmpty || stream != nil }

  /// Whether the mixer can do something with it that has to be told.
  var isPlaying: Bool { tracker.state == .playing }

  var countsLoops: Bool { kinds.contains(.loop) && stream == nil }

  /// Whether there is nothing to be found of it but its state.
  var hasOnlyState: Bool { stream == nil && !(hasQueue && kinds.contains(.buffersProcessed)) }

  mutating func add(_ subscriber: Subscriber) {
    subscribers.append(subscriber)
    kinds.formUnion(subscriber.kinds)
  }

  mutating func remove(_ subscription: Subscription<SourceNotification>) {
    subscribers.removeAll { $0.subscription === subscription }
    kinds = subscribers.reduce([]) { $0.union($1.kinds) }
  }

  /// Tells those who observe a kind.
  mutating func post(_ notice: Notice, over deliveries: any Deliveries) {
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
      let subscription = subscribers[index].subscription
      if subscription.post(notification) { deliveries.schedule(subscription) }
    }
  }

  /// Tells all that nothing follows.
  func finish(over deliveries: any Deliveries) {
    for subscriber in subscribers where subscriber.subscription.finish() {
      deliveries.schedule(subscriber.subscription)
    }
  }

  /// What is to be told, without the source that it is about.
  struct Notice: Sendable {
    var kind: SourceNotification.Kind
    var state: SourceState
    var frame: Int
    var cause: SourceNotification.Cause
  }
}

/// The lengths of what a source plays.
struct QueuedSound: Hashable, Sendable {
  var sampleRate = 0
  /// Frames of each buffer, in order.
  var lengths: [Int] = []
  var isMono = false
  /// What repeats while the source loops.
  var loopRange = 0..<0

  init() {}

  init(_ buffers: [SoundBuffer], isQueue: Bool) {
    guard let first = buffers.first else { return }
    sampleRate = first.format.sampleRate
    isMono = first.format.layout == .mono
    lengths = buffers.map(\.frameCount)
    // A queue repeats as a whole, whatever the buffers' own ranges are.
    loopRange = isQueue ? 0..<frameCount : first.loopRange
  }

  /// Whether the library places the sound, and shifts it by the Doppler effect.
  func isPlaced(_ spatialization: Spatialization) -> Bool {
    spatialization == .always || (isMono && spatialization == .automatic)
  }

  var frameCount: Int { lengths.reduce(0, +) }

  /// The frame after the last of the first buffers.
  func end(ofFirst count: Int) -> Int { lengths.prefix(count).reduce(0, +) }
}
