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
  func poll(at now: Int64) -> Int64? {
    let (wait, isConnected) = pollSources(at: now)
    if !isConnected, device.survivesLoss, !device.handle.isPlaceholder { device.reconnect(atOnce: false) }
    return wait
  }

  private func pollSources(at now: Int64) -> (wait: Int64?, isConnected: Bool) {
    state.withLock { state in
      let isGone = handle.takeDisconnection()
      let wereLost = handle.takeHints(into: &state.observation.hints)
      if isGone { noteConnection(&state) }
      let isDue = state.observation.nextSweep.map { $0 <= now } ?? false
      if isGone || wereLost || isDue || state.observation.hints.count >= Self.manyHints {
        sweep(&state)
        state.observation.nextSweep = nil
        if isDue { noteConnection(&state) }
      } else {
        for index in state.observation.hints.indices {
          // The source of a hint may be unobserved, or released.
          guard let slot = state.observation.slot(ofID: state.observation.hints[index]) else { continue }
          note(slot, handle.state(state.observation[slot].id), &state)
        }
      }
      // For a silent device, the thread that mixes it starts the sources.
      let starts = device.clockMixer == nil ? waitForStarts(&state) : nil
      let loops = waitForLoops(at: now, &state)
      let waits = [starts, loops, waitForSweep(at: now, &state), recordAllPositions(at: now, &state)]
      return (waits.compactMap(\.self).min(), state.observation.isConnected)
    }
  }

  /// Polls all playing sources.
  private func sweep(_ state: inout State) {
    var states: [UInt8] = []
    swap(&states, &state.observation.states)
    handle.readStates(of: state.observation.playingIDs, into: &states)
    let slots = state.observation.playing
    for (slot, number) in zip(slots, states) {
      let found = SourceState(shimNumber: number)
      // Most sources still play, and have no queue.
      if found == .playing, state.observation[slot].hasOnlyState { continue }
      note(slot, found, &state)
    }
    swap(&states, &state.observation.states)
  }

  /// Notes the polled state of a playing source, and posts the changes.
  private func note(_ slot: Int, _ found: SourceState, _ state: inout State) {
    if let stream = state.observation[slot].stream { return noteStream(stream, slot, found, &state) }
    let finding = finding(slot, state.schedule.state(of: state.observation[slot].key) ?? found, state)
    let changes = state.observation[slot].tracker.found(finding)
    guard !changes.isEmpty else { return }
    post(changes, of: slot, at: nil, by: nil, &state)
    settle(slot, &state)
  }

  private func waitForSweep(at now: Int64, _ state: inout State) -> Int64? {
    let hasHints = state.observation.hasHints ?? false
    // A source that does not play does not change; no source changes while time is suspended.
    guard state.observation.isPlaying, !device.isSuspended else {
      state.observation.nextSweep = nil
      guard !hasHints else { return nil }
      noteConnection(&state)
      return Self.connectionPeriod
    }
    let next = state.observation.nextSweep ?? now + (hasHints ? Self.sweepPeriod : Self.sweepPeriodWithoutHints)
    state.observation.nextSweep = next
    return next - now
  }

  /// Counts the loops that are due; returns the nanoseconds until the next one.
  private func waitForLoops(at now: Int64, _ state: inout State) -> Int64? {
    guard !device.isSuspended else { return nil }
    if let next = state.observation.nextLoop, next > now { return next == .max ? nil : next - now }
    var wait: Int64?
    for slot in state.observation.playing where state.observation[slot].countsLoops {
      let loop = loop(of: slot, state)
      guard loop.isOn, !loop.range.isEmpty else { continue }
      if let due = state.observation[slot].loopDue, due <= now {
        countLoops(slot, &state)
        state.observation[slot].loopDue = nil
      }
      if state.observation[slot].loopDue == nil {
        let step = step(of: slot, state)
        let mixRate = Double(sampleRate)
        guard step > 0, mixRate > 0 else { continue }
        // The next start over, plus at most half of that time: the poll counts one loop then, not two.
        let left = max(Double(loop.range.upperBound) - state.observation[slot].loops.position, 1)
        let seconds = min(left / step / mixRate, 3_600)
        state.observation[slot].loopDue = now + max(Int64(saturating: seconds * 1e9), Self.loopPeriod)
      }
      if let due = state.observation[slot].loopDue { wait = min(wait ?? due - now, due - now) }
    }
    state.observation.nextLoop = wait.map { now + $0 } ?? .max
    return wait
  }
}
