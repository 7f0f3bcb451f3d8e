/// The state of a stream for its program, and the state of its queue.
///
/// The library's source stops whenever its queue is empty; the stream continues. Pure: no call and no lock.
struct StreamState: Sendable {
  private(set) var state = SourceState.initial
  var queue = StreamQueue()
  /// Whether the library's source was started on the chunks in its queue.
  var isStarted = false
  /// Whether the next delivery replaces the queue, after a change of position.
  private(set) var isReplacing = false
  /// Whether the reader is at its end.
  private(set) var isEnded = false
  /// Whether the reader ended with an error.
  private(set) var hasFailed = false
  /// Whether the reader started over and had no frame.
  private(set) var hasEmptyLap = false
  private(set) var isLooping = false
  /// The frames that repeat while the stream loops; `nil` for all of them.
  private(set) var loopRange: Range<Int>?
  /// The length of the reader in frames; `nil` if the reader does not know it.
  let frameCount: Int?

  /// The position to which the reader moves before the next chunk.
  private(set) var target: Int? = 0
  /// The number of underruns so far.
  private(set) var underrunCount = 0
  /// The reader's frame that plays next, if the queue is empty.
  private(set) var nextFrame = 0
  /// Distinguishes requests before and after a change of position.
  private(set) var generation = 0
  /// The current turn at filling the queue.
  private(set) var filling: Filling?
  private var fillingCount = 0
  private var isAwaited = false

  init(frameCount: Int?, loopRange: Range<Int>? = nil) {
    self.frameCount = frameCount
    self.loopRange = loopRange.flatMap { Self.isUsable($0, in: frameCount) ? $0 : nil }
  }

  /// Whether a range of frames can repeat.
  static func isUsable(_ loopRange: Range<Int>, in frameCount: Int?) -> Bool {
    !loopRange.isEmpty && loopRange.lowerBound >= 0 && loopRange.upperBound <= frameCount ?? .max
  }

  /// A turn at filling the queue.
  struct Filling: Hashable, Sendable {
    var number: Int
    var thread: UInt
  }

  /// The work to do on the library's source.
  struct Order: Hashable, Sendable {
    /// Whether to clear the queue first.
    var flushes = false
    var verb: ContextHandle.Verb?
  }
}

// MARK: - The calls of the program

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
      // If the queue is empty, for example after a failure, the reader tries again.
      if isEnded, queue.chunkCount == 0 { go(to: 0) }
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

  /// Ends playing, and continues from the beginning.
  mutating func end() -> Order {
    state = .stopped
    go(to: 0)
    return Order(flushes: true)
  }

  mutating func seek(to frame: Int) -> Order {
    go(to: frame)
    // The queue plays until there is a chunk from the new position.
    isReplacing = state == .playing
    return Order(flushes: !isReplacing)
  }

  /// Changes the loop; the chunks in the queue play as they are, unless the stream has not begun.
  mutating func setLoop(isOn: Bool, range: Range<Int>?) -> Order {
    (isLooping, loopRange) = (isOn, range)
    hasEmptyLap = false
    guard state == .initial || state == .stopped else { return Order() }
    let start = queue.position(at: 0)
    let end = range?.upperBound ?? .max
    let passesEnd = isOn && start < end && queue.position(at: queue.frameCount) >= end
    // A read that is in progress has the old loop.
    guard passesEnd || queue.hasLaps || filling != nil else { return Order() }
    go(to: start)
    return Order(flushes: true)
  }

  private mutating func go(to frame: Int) {
    generation += 1
    target = frame
    nextFrame = frame
    isEnded = false
    hasFailed = false
    hasEmptyLap = false
    isReplacing = false
  }

  /// Whether the queue holds the next frames to play.
  private var isReady: Bool { queue.chunkCount > 0 && !isReplacing }
}

// MARK: - What the reader delivers

extension StreamState {
  /// A request to the reader.
  struct Request: Hashable, Sendable {
    var generation: Int
    var target: Int?
    /// The frames that repeat; `nil` if the stream does not loop.
    var loop: Range<Int>?
  }

  /// Takes the turn at filling the queue; `nil` if a thread already has it.
  mutating func beginFilling(on thread: UInt) -> Filling? {
    guard filling == nil else { return nil }
    fillingCount += 1
    filling = Filling(number: fillingCount, thread: thread)
    return filling
  }

  /// Whether another thread has the turn; if so, the end of that turn is signalled.
  mutating func awaitsFilling(on thread: UInt) -> Bool {
    guard let filling, filling.thread != thread else { return false }
    isAwaited = true
    return true
  }

  /// The next request to the reader.
  ///
  /// Returns `nil` and ends the turn if the queue is full or the reader is at its end.
  mutating func nextRequest(queueLength: Int) -> Request? {
    // A reader at its end continues if the stream loops now. A reader without a frame in its last lap would be asked
    // without end.
    if isEnded, isLooping, !hasFailed, !hasEmptyLap, queue.chunkCount > 0 { isEnded = false }
    guard !isEnded, isReplacing || queue.frameCount < queueLength else {
      filling = nil
      return nil
    }
    defer { target = nil }
    return Request(generation: generation, target: target, loop: isLooping ? loopRange ?? 0..<Int.max : nil)
  }

  /// Ends a turn, unless it has ended and another thread has the next; returns whether a thread waits for it.
  mutating func endFilling(_ turn: Filling) -> Bool {
    if filling == turn { filling = nil }
    defer { isAwaited = false }
    return isAwaited
  }

  /// Accepts a delivery; returns whether to clear the queue first, and `nil` for an outdated request.
  mutating func accept(_ generation: Int) -> Order? {
    guard generation == self.generation else { return nil }
    defer { isReplacing = false }
    return Order(flushes: isReplacing)
  }

  /// Records the end of the reader, its failure, or a lap without a frame.
  mutating func readerEnded(failed: Bool, inEmptyLap: Bool = false) {
    isEnded = true
    hasFailed = failed
    hasEmptyLap = inEmptyLap
  }
}

// MARK: - What the mixer did

extension StreamState {
  /// The reader's frame that is mixed next, at a frame of the queue.
  func position(at frame: Int) -> Int {
    if isReplacing || queue.chunkCount == 0 { return nextFrame }
    let position = queue.position(at: frame)
    // The first frame of the loop follows its last one.
    let isAtEnd = frame >= queue.frameCount && position == loopRange?.upperBound ?? frameCount
    return isLooping && isAtEnd ? loopRange?.lowerBound ?? 0 : position
  }

  /// The state after the queue has been played.
  enum PlayedOut: Hashable, Sendable {
    /// It continues with the next chunk.
    case waits
    /// It had an underrun while playing.
    case underruns
    /// It has ended.
    case ends(End)
  }

  /// The reason of an end.
  enum End: Hashable, Sendable {
    /// The reader is at its end.
    case finished
    case readerFailed
    case lostDevice
  }

  /// Handles the end of the whole queue, which is empty now.
  mutating func playedOut() -> PlayedOut {
    // A target that was set meanwhile stays.
    nextFrame = position(at: queue.frameCount)
    queue.removeAll()
    isStarted = false
    guard isEnded else {
      guard state == .playing, !isReplacing else { return .waits }
      underrunCount += 1
      return .underruns
    }
    state = .stopped
    // After a failure the reader waits for the program to try again.
    if !hasFailed { go(to: 0) }
    return .ends(hasFailed ? .readerFailed : .finished)
  }

  /// Ends the stream with its lost device.
  mutating func lostDevice() -> PlayedOut {
    _ = end()
    return .ends(.lostDevice)
  }
}
