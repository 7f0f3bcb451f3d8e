internal import AudioSupport

extension AudioContext {
  /// The period of the poll of all playing sources if the library sends events; it catches events that the library
  /// dropped.
  private static let sweepPeriod: Int64 = 100_000_000
  /// The same period if the library sends no events.
  private static let sweepPeriodWithoutHints: Int64 = 5_000_000
  /// The period of the poll of the device's connection if the library sends no events.
  private static let connectionPeriod: Int64 = 1_000_000_000
  /// The shortest period between two notifications of a loop.
  private static let loopPeriod: Int64 = 10_000_000
  /// The number of hints from which on all sources are polled: OpenAL Soft 1.19 holds 63 events and drops others.
  private static let manyHints = 32

  /// Notes the work of the mixer; returns the nanoseconds until the next poll, `nil` for never.
  ///
  /// For an audible context only. One thread at a time calls it.
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
          // The source of a hint may be unobserved, or released.
          guard let place = state.watch.place(ofID: state.watch.hints[index]) else { continue }
          note(place, handle.state(state.watch[place].id), &state)
        }
      }
      // For a silent device, the thread that mixes it starts the sources.
      let starts = device.silence == nil ? waitForStarts(&state) : nil
      let loops = waitForLoops(at: now, &state)
      let waits = [starts, loops, waitForSweep(at: now, &state), markAll(at: now, &state)]
      return (waits.compactMap(\.self).min(), state.watch.isConnected)
    }
  }

  /// Polls all playing sources.
  private func sweep(_ state: inout State) {
    var states: [UInt8] = []
    swap(&states, &state.watch.states)
    handle.readStates(of: state.watch.playingIDs, into: &states)
    let places = state.watch.playing
    for (place, number) in zip(places, states) {
      let found = SourceState(shimNumber: number)
      // Most sources still play, and have no queue.
      if found == .playing, state.watch[place].hasOnlyState { continue }
      note(place, found, &state)
    }
    swap(&states, &state.watch.states)
  }

  /// Notes the polled state of a playing source, and posts the changes.
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
    // A source that does not play does not change; no source changes while time is suspended.
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

  /// Counts the loops that are due; returns the nanoseconds until the next one.
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
        // The next start over, plus at most half of that time: the poll counts one loop then, not two.
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
