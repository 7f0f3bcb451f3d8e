internal import AudioSupport

extension ContextState {
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

  /// Takes over the state of the mixer; returns the nanoseconds until the next poll, `nil` for never.
  ///
  /// For an audible context only.
  mutating func poll(at now: Int64) -> Int64? {
    let isGone = handle.takeDisconnection()
    let wereLost = handle.takeHints(into: &observation.hints)
    if isGone { updateConnection() }
    let isDue = observation.nextSweep.map { $0 <= now } ?? false
    if isGone || wereLost || isDue || observation.hints.count >= Self.manyHints {
      sweep()
      observation.nextSweep = nil
      if isDue { updateConnection() }
    } else {
      for index in observation.hints.indices {
        // The source of a hint may be unobserved, or released.
        guard let key = observation.keysByID[observation.hints[index]] else { continue }
        update(key, inLibrary: handle.state(records[key].id))
      }
    }
    // For a silent device, the thread that mixes it starts the sources.
    let starts = device.clockMixer == nil ? waitForStarts() : nil
    let loops = waitForLoops(at: now)
    let waits = [
      starts, loops, waitForSweep(at: now), positions.recordIfDue(at: now, in: &records, of: device, by: handle),
      shortFades.endings.wait(on: device, &output, by: handle),
      fades.wait(at: now, in: &records, scene, of: device, &output, by: handle),
    ]
    return waits.compactMap(\.self).min()
  }

  /// Polls all playing sources.
  private mutating func sweep() {
    var states: [UInt8] = []
    swap(&states, &observation.states)
    handle.readStates(of: observation.playingIDs, into: &states)
    let keys = observation.playing
    for (key, number) in zip(keys, states) {
      let found = SourceState(shimNumber: number)
      // Most sources still play, and have no queue.
      if found == .playing, records[observed: key].hasOnlyState { continue }
      update(key, inLibrary: found)
    }
    swap(&states, &observation.states)
  }

  /// Takes over the polled state of a playing source, and posts the changes.
  private mutating func update(_ key: SourceKey, inLibrary found: SourceState) {
    if let stream = records[observed: key].stream { return updateStream(stream, key, found) }
    let reading = reading(of: key, inLibrary: found)
    let changes = records[observed: key].tracker.update(to: reading)
    guard !changes.isEmpty else { return }
    post(changes, of: key, at: nil, by: nil)
    updatePolling(key)
  }

  private mutating func waitForSweep(at now: Int64) -> Int64? {
    let hasHints = observation.hasHints ?? false
    // A source that does not play does not change; no source changes while time is suspended.
    guard observation.isPlaying, !device.isSuspended else {
      observation.nextSweep = nil
      guard !hasHints else { return nil }
      updateConnection()
      return Self.connectionPeriod
    }
    let next = observation.nextSweep ?? now + (hasHints ? Self.sweepPeriod : Self.sweepPeriodWithoutHints)
    observation.nextSweep = next
    return next - now
  }

  /// Counts the loops that are due; returns the nanoseconds until the next one.
  private mutating func waitForLoops(at now: Int64) -> Int64? {
    guard !device.isSuspended else { return nil }
    if let next = observation.nextLoop, next > now { return next == .max ? nil : next - now }
    var wait: Int64?
    for key in observation.playing where records[observed: key].countsLoops {
      let loop = loop(of: key)
      guard loop.isOn, !loop.range.isEmpty else { continue }
      if let due = records[observed: key].loopDue, due <= now {
        countLoops(key)
        records[observed: key].loopDue = nil
      }
      if records[observed: key].loopDue == nil {
        let step = step(of: key)
        let mixRate = Double(handle.sampleRate)
        guard step > 0, mixRate > 0 else { continue }
        // The next start over, plus at most half of that time: the poll counts one loop then, not two.
        let left = max(Double(loop.range.upperBound) - records[observed: key].loops.position, 1)
        let seconds = min(left / step / mixRate, 3_600)
        records[observed: key].loopDue = now + max(Int64(saturating: seconds * 1e9), Self.loopPeriod)
      }
      if let due = records[observed: key].loopDue { wait = min(wait ?? due - now, due - now) }
    }
    observation.nextLoop = wait.map { now + $0 } ?? .max
    return wait
  }
}
