/// A closure that a context calls at ticks, and the ticks.
struct RunningTick: Sendable {
  let handler: CancellableHandler<Duration>
  var schedule: TickSchedule
}

extension ContextState {
  /// Takes a tick that is due at a frame of the mix; returns its closure, `nil` for none.
  mutating func takeTick(at frame: Int, rate: Int) -> CancellableHandler<Duration>? {
    for index in ticks.indices where ticks[index].schedule.take(at: frame, rate: rate) { return ticks[index].handler }
    return nil
  }

  /// The number of frames until the next tick, 0 or below where one is due; `nil` where no closure waits for one.
  mutating func framesUntilTick() -> Int? {
    guard !ticks.isEmpty else { return nil }
    let (frame, rate) = (mixedFrames, handle.sampleRate)
    var least = Int.max
    for index in ticks.indices { least = min(least, ticks[index].schedule.framesUntilNext(at: frame, rate: rate)) }
    return least
  }
}
