/// What a stream is doing, as its program sees it, and what it needs.
///
/// The source of the library stops whenever its queue is empty; the stream goes on. Pure: no call and no lock.
struct StreamState: Sendable {
  /// How many chunks of 50 ms fill the queue at a pitch of 1; less one that is being played, 350 ms.
  static let chunkCount = 8

  /// How many frames a chunk has, unless a lap ends it.
  static func chunkLength(at sampleRate: Int) -> Int { max(sampleRate / 20, 64) }

  private(set) var state = SourceState.initial
  var line = StreamLine()
  /// Whether the source of the library was started on what is in its queue.
  var isStarted = false
  /// Whether what is in the queue goes as soon as there is something of another place.
  private(set) var isReplacing = false
  /// Whether the reader has no more.
  private(set) var isEnded = false
  /// Whether it ended because it could not deliver.
  private(set) var hasFailed = false
  var isLooping = false

  /// Where the reader is to go before the next chunk.
  private(set) var target: Int? = 0
  /// The reader's frame that is heard next, where nothing is in the queue.
  private(set) var goal = 0
  /// Tells what was asked for at one place from what was asked for at another.
  private(set) var generation = 0
  /// Who fills the queue.
  private(set) var filling: Filling?
  private var fillingCount = 0
  private var isAwaited = false

  /// A turn at filling the queue.
  struct Filling: Hashable, Sendable {
    var number: Int
    var thread: UInt
  }

  /// What is to be done with the source of the library.
  struct Order: Hashable, Sendable {
    /// First, what is in its queue goes.
    var flushes = false
    var verb: ContextHandle.Verb?
  }
}

// MARK: - What the program wants

extension StreamState {
  mutating func play() -> Order {
    defer { state = .playing }
    switch state {
    case .paused: return Order(verb: isReady ? .play : nil)
    case .playing:
      go(to: 0)
      isReplacing = true
      return Order()
    case .initial, .stopped:
      // Where there is nothing, as after a failure, the reader tries again.
      if isEnded, line.chunkCount == 0 { go(to: 0) }
      return Order(verb: isReady ? .play : nil)
    }
  }

  mutating func pause() -> Order {
    guard state == .playing else { return Order() }
    state = .paused
    return Order(verb: isStarted ? .pause : nil)
  }

  mutating func stop() -> Order {
    guard state == .playing || state == .paused else { return Order() }
    return end()
  }

  mutating func rewind() -> Order {
    let order = end()
    state = .initial
    return order
  }

  /// Ends playing, and makes what is heard next the beginning.
  mutating func end() -> Order {
    state = .stopped
    go(to: 0)
    return Order(flushes: true)
  }

  mutating func seek(to frame: Int) -> Order {
    go(to: frame)
    // What plays goes on until there is something of the other place.
    isReplacing = state == .playing
    return Order(flushes: !isReplacing)
  }

  private mutating func go(to frame: Int) {
    generation += 1
    target = frame
    goal = frame
    isEnded = false
    hasFailed = false
    isReplacing = false
  }

  /// Whether the queue holds what is to be heard next.
  private var isReady: Bool { line.chunkCount > 0 && !isReplacing }
}

// MARK: - What the reader delivers

extension StreamState {
  /// What the reader is to do next.
  struct Request: Hashable, Sendable {
    var generation: Int
    var target: Int?
    var isLooping: Bool
  }

  /// Takes the turn at filling the queue; `nil` where somebody has it.
  mutating func beginFilling(on thread: UInt) -> Filling? {
    guard filling == nil else { return nil }
    fillingCount += 1
    filling = Filling(number: fillingCount, thread: thread)
    return filling
  }

  /// Whether another thread has the turn, which is to tell when it has ended it.
  mutating func awaitsFilling(on thread: UInt) -> Bool {
    guard let filling, filling.thread != thread else { return false }
    isAwaited = true
    return true
  }

  /// The next thing for the reader to do; `nil` where the queue holds enough frames or the reader is at its end, which ends
  /// the turn.
  mutating func nextRequest(queueLength: Int) -> Request? {
    // A reader that had come to its end goes on where the stream loops by now.
    if isEnded, isLooping, !hasFailed, line.chunkCount > 0 { isEnded = false }
    guard !isEnded, isReplacing || line.frameCount < queueLength else {
      filling = nil
      return nil
    }
    defer { target = nil }
    return Request(generation: generation, target: target, isLooping: isLooping)
  }

  /// Ends a turn, unless it has ended and somebody else has the next; returns whether a thread waits for it.
  mutating func endFilling(_ turn: Filling) -> Bool {
    if filling == turn { filling = nil }
    defer { isAwaited = false }
    return isAwaited
  }

  /// Whether something that was asked for is still wanted; if so, whether what is in the queue has to go first.
  mutating func accept(_ generation: Int) -> Order? {
    guard generation == self.generation else { return nil }
    defer { isReplacing = false }
    return Order(flushes: isReplacing)
  }

  /// The reader had no more, or could not go on.
  mutating func readerEnded(failed: Bool) {
    isEnded = true
    hasFailed = failed
  }
}

// MARK: - What the mixer did

extension StreamState {
  /// What follows when all that was in the queue has been played.
  enum PlayedOut: Hashable, Sendable {
    /// It goes on with what comes.
    case waits
    /// It had to wait while it should have been heard.
    case starves
    /// That was all.
    case ends(SourceNotification.Cause)
  }

  /// All that was in the queue has been played; it is empty now.
  mutating func playedOut() -> PlayedOut {
    // Where it was told to go meanwhile it is to go still.
    if !isReplacing { goal = line.position(at: line.frameCount) }
    line.removeAll()
    isStarted = false
    guard isEnded else { return state == .playing && !isReplacing ? .starves : .waits }
    let cause: SourceNotification.Cause = hasFailed ? .reader : .mix
    state = .stopped
    // After a failure the reader waits for the program to try again.
    if !hasFailed { go(to: 0) }
    return .ends(cause)
  }

  /// The device is gone.
  mutating func lostDevice() -> PlayedOut {
    _ = end()
    return .ends(.device)
  }
}
