/// The closures that a context calls at ticks.
struct RunningTicks: Sendable {
  private struct Entry: Sendable {
    let handler: CancellableHandler<Duration>
    var schedule: TickSchedule
  }

  private var all: [Entry] = []
  /// Whether a thread calls closures of ticks that are due.
  var isTaking = false

  var isEmpty: Bool { all.isEmpty }

  /// Adds a closure with a tick at each multiple of an interval, in frames, from a frame of the mix on.
  ///
  /// A closure that a tick adds waits for a later frame: it may replace itself without an end.
  mutating func add(_ handler: CancellableHandler<Duration>, every interval: Int, from frame: Int, rate: Int) {
    var schedule = TickSchedule(every: interval)
    schedule.begin(at: frame, rate: rate, isAfter: isTaking)
    all.append(Entry(handler: handler, schedule: schedule))
  }

  mutating func remove(_ handler: CancellableHandler<Duration>) { all.removeAll { $0.handler === handler } }

  /// Takes a tick that is due at a frame of the mix; returns its closure, `nil` for none.
  mutating func take(at frame: Int, rate: Int) -> CancellableHandler<Duration>? {
    for index in all.indices where all[index].schedule.take(at: frame, rate: rate) { return all[index].handler }
    return nil
  }

  /// The number of frames until the next tick, 0 or below where one is due; `nil` where no closure waits for one.
  mutating func framesUntilNext(by handle: ContextHandle) -> Int? {
    guard !all.isEmpty else { return nil }
    let (frame, rate) = (handle.mixedFrames, handle.sampleRate)
    var least = Int.max
    for index in all.indices { least = min(least, all[index].schedule.framesUntilNext(at: frame, rate: rate)) }
    return least
  }
}
