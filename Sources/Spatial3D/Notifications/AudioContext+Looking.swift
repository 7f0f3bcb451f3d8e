extension AudioContext {
  /// How often all that play are looked at where the library rings: for what it forgot to ring for.
  private static let sweepPeriod: Int64 = 100_000_000
  /// And where it does not ring.
  private static let sweepPeriodWithoutHints: Int64 = 5_000_000
  /// How often the device is looked at where the library does not ring.
  private static let connectionPeriod: Int64 = 1_000_000_000
  /// Loops are not told more often than this.
  private static let loopPeriod: Int64 = 10_000_000
  /// From so many hints on, all are looked at: OpenAL Soft 1.19 has room for 63 events and drops others.
  private static let manyHints = 32

  /// Notes what the mixer has done; returns after how many nanoseconds to look again, `nil` for never.
  ///
  /// By one thread at a time, on a context that is heard.
  func look(at now: Int64) -> Int64? {
    let (wait, isConnected) = lookAtSources(at: now)
    if !isConnected, device.survivesLoss, !device.handle.isStandIn { device.keep(atOnce: false) }
    return wait
  }

  private func lookAtSources(at now: Int64) -> (wait: Int64?, isConnected: Bool) {
    state.withLock { state in
      let isGone = handle.takeDisconnection()
      let wereLost = handle.takeHints(into: &state.watch.hints)
      if isGone { noteConnection(&state) }
      let isDue = state.watch.nextSweep.map { $0 <= now } ?? false
      if isGone || wereLost || isDue || state.watch.hints.count >= Self.manyHints {
        sweep(&state)
        state.watch.nextSweep = nil
        if isDue { noteConnection(&state) }
      } else {
        for index in state.watch.hints.indices {
          // A hint may be of a source that nobody observes, or that is gone.
          guard let place = state.watch.place(ofID: state.watch.hints[index]) else { continue }
          note(place, handle.state(state.watch[place].id), &state)
        }
      }
      // Who mixes a silent device starts them.
      let starts = device.silence == nil ? waitForStarts(&state) : nil
      let loops = waitForLoops(at: now, &state)
      let waits = [starts, loops, waitForSweep(at: now, &state), markAll(at: now, &state)]
      return (waits.compactMap(\.self).min(), state.watch.isConnected)
    }
  }

  /// Looks at all that play.
  private func sweep(_ state: inout State) {
    var states: [UInt8] = []
    swap(&states, &state.watch.states)
    handle.readStates(of: state.watch.playingIDs, into: &states)
    let places = state.watch.playing
    for (place, number) in zip(places, states) {
      let found = SourceState(shimNumber: number)
      // Most play on, and have no queue.
      if found == .playing, state.watch[place].hasOnlyState { continue }
      note(place, found, &state)
    }
    swap(&states, &state.watch.states)
  }

  /// Notes what was found of one that plays, as far as was told.
  private func note(_ place: Int, _ found: SourceState, _ state: inout State) {
    if let stream = state.watch[place].stream { return noteStream(stream, place, found, &state) }
    let finding = finding(place, state.schedule.state(of: state.watch[place].key) ?? found, state)
    let changes = state.watch[place].tracker.found(finding)
    guard !changes.isEmpty else { return }
    post(changes, of: place, at: nil, by: nil, &state)
    settle(place, &state)
  }

  private func waitForSweep(at now: Int64, _ state: inout State) -> Int64? {
    let hasHints = state.watch.hasHints ?? false
    // Nothing happens to what does not play, and to nothing while time stands still.
    guard state.watch.isPlaying, !device.isSuspended else {
      state.watch.nextSweep = nil
      guard !hasHints else { return nil }
      noteConnection(&state)
      return Self.connectionPeriod
    }
    let next = state.watch.nextSweep ?? now + (hasHints ? Self.sweepPeriod : Self.sweepPeriodWithoutHints)
    state.watch.nextSweep = next
    return next - now
  }

  /// Counts the loops that are due; returns when the next one is.
  private func waitForLoops(at now: Int64, _ state: inout State) -> Int64? {
    guard !device.isSuspended else { return nil }
    if let next = state.watch.nextLoop, next > now { return next == .max ? nil : next - now }
    var wait: Int64?
    for place in state.watch.playing where state.watch[place].countsLoops {
      let loop = loop(of: place, state)
      guard loop.isOn, !loop.range.isEmpty else { continue }
      if let due = state.watch[place].loopDue, due <= now {
        countLoops(place, &state)
        state.watch[place].loopDue = nil
      }
      if state.watch[place].loopDue == nil {
        let step = step(of: place, state)
        let mixRate = Double(sampleRate)
        guard step > 0, mixRate > 0 else { continue }
        // The next start over, and no later than half of that after it, so that it is one and not two.
        let left = max(Double(loop.range.upperBound) - state.watch[place].loops.place, 1)
        let seconds = min(left / step / mixRate, 3_600)
        state.watch[place].loopDue = now + max(Int64(saturating: seconds * 1e9), Self.loopPeriod)
      }
      if let due = state.watch[place].loopDue { wait = min(wait ?? due - now, due - now) }
    }
    state.watch.nextLoop = wait.map { now + $0 } ?? .max
    return wait
  }
}
