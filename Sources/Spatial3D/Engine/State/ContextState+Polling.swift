internal import AudioSupport

extension ContextState {
  /// The number of hints from which on all sources are polled: OpenAL Soft 1.19 holds 63 events and drops others.
  private static let manyHints = 32

  /// Takes over the state of the mixer; returns the nanoseconds until the next poll, `nil` for never.
  ///
  /// For an audible context only.
  mutating func poll(at now: Int64) -> Int64? {
    let isGone = handle.takeDisconnection()
    let wereLost = handle.takeHints(into: &observation.hints)
    if isGone { observation.updateConnection() }
    let isDue = observation.nextSweep.map { $0 <= now } ?? false
    if isGone || wereLost || isDue || observation.hints.count >= Self.manyHints {
      sweep()
      observation.nextSweep = nil
      if isDue { observation.updateConnection() }
    } else {
      for index in observation.hints.indices {
        // The source of a hint may be unobserved, or released.
        guard let key = observation.keysByID[observation.hints[index]] else { continue }
        update(key, inLibrary: handle.state(records[key].id))
      }
    }
    // For a silent device, the thread that mixes it starts the sources.
    let starts = device.clockMixer == nil ? waitForStarts() : nil
    let loops = observation.waitForLoops(at: now, in: &records, scene, &output)
    let waits = [
      starts, loops, observation.waitForSweep(at: now),
      positions.recordIfDue(at: now, in: &records, of: device, by: handle),
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
}
