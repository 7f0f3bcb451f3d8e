internal import AudioSupport
internal import Synchronization

extension AudioDevice {
  /// Calls the closures of all contexts whose ticks are due, where this thread mixes; returns the number of frames
  /// until the next tick, at least 1, and `nil` for none.
  func takeTicks() -> Int? {
    // The flag is cleared before the contexts are read, and set after a closure is stored: no closure is missed.
    guard mayHaveTicks.exchange(false, ordering: .sequentiallyConsistent) else { return nil }
    let next = takeTicksOnce()
    if next != nil { mayHaveTicks.store(true, ordering: .sequentiallyConsistent) }
    return next.map { max($0, 1) }
  }

  /// The number of frames until the next tick, at least 1, of closures that were added since; `nil` for none.
  func framesUntilTick() -> Int? {
    guard mayHaveTicks.load(ordering: .sequentiallyConsistent), !isSuspended else { return nil }
    return earliest { $0.state.withLock { $0.ticks.framesUntilNext(by: $0.handle) } }.map { max($0, 1) }
  }

  private func takeTicksOnce() -> Int? { earliest { $0.takeTicks() } }

  /// The smallest number of frames that a closure returns for a context; `nil` if it returns none.
  private func earliest(_ frames: (AudioContext) -> Int?) -> Int? {
    var earliest: Int?
    forEachContext { if let frames = frames($0) { earliest = min(earliest ?? frames, frames) } }
    return earliest
  }

  /// Takes a new closure into account: the thread that calls the closures of ticks starts on an output, or polls now.
  func beginTicks() {
    mayHaveTicks.store(true, ordering: .sequentiallyConsistent)
    guard isMixedByLibrary else { return }
    let reference = Weak(self)
    if !tickLoop.isRunning { tickClock.withLock { $0 = ClockProgress() } }
    // The thread retains the device for one poll, no longer.
    tickLoop.begin(wakes: true) { reference.object?.pollTicks() ?? .end }
  }

  private func pollTicks() -> BackgroundLoop.Next {
    let context = isSuspended ? nil : livingContexts.first
    // Read before the ticks: a step of the clock behind this reading is new to the next poll, whoever has seen it.
    let reading = context.map { context in
      let (clock, now) = (context.handle.clock, monotonicTime())
      return tickClock.withLock { $0.read(clock, now: now) }
    }
    guard var frames = takeTicksOnce() else { return .end }
    // A resume signals the loop.
    guard !isSuspended, let context, let reading else {
      // The clock goes on from where it stood still.
      tickClock.withLock { $0 = ClockProgress() }
      return .onSignal
    }
    switch reading {
    case .standsStill: return .after(ClockProgress.standstill)
    // The clock advances once a mix: a poll before its next step would find nothing.
    case .moved: frames = max(frames, context.framesPerMix)
    case .unchanged: break
    }
    let wait = Double(frames) * 1e9 / Double(max(context.handle.sampleRate, 1))
    return .after(max(Int64(saturating: wait), Self.leastTick))
  }

  /// The least time between two polls for ticks, in nanoseconds.
  private static let leastTick: Int64 = 1_000_000
}
