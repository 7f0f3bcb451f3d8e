// Counts how often looping sources start over.

extension ObservationState {
  /// Counts loops from the current position of the source on.
  mutating func beginCounting(_ key: SourceKey, in records: inout SourceTable) {
    guard records[observed: key].countsLoops else { return }
    let now = records[key].library.soundPosition(at: handle.position(records[key].id))
    records[observed: key].loops.position = now.frame
    records[observed: key].loopClock = now.clock
    records[observed: key].loopDue = nil
    nextLoop = nil
    if records[observed: key].isPlaying { device.wakeMonitor() }
  }

  /// Counts from the scheduled start of a source.
  mutating func countFromStart(_ key: SourceKey, in records: inout SourceTable) {
    guard let time = records[key].start.time else { return }
    records[observed: key].startFrame = handle.mixFrame(at: time)
    records[observed: key].loopClock = time.inNanoseconds
  }

  /// Posts the number of loops of a source since the last count, to its present position by default.
  mutating func countLoops(
    _ key: SourceKey,
    until position: ContextHandle.Position? = nil,
    in records: inout SourceTable,
    _ scene: Scene,
    _ output: inout OutputState
  ) {
    guard records[observed: key].countsLoops, let clock = records[observed: key].loopClock else { return }
    let now = records[key].library.soundPosition(at: position ?? handle.position(records[key].id))
    // A source does not play before its start.
    if now.clock < clock { return }
    // A source whose thread is late is still in its silence.
    if records[key].start.isInSilence, now.frame == 0 {
      records[observed: key].loopClock = now.clock
      records[observed: key].loopDue = nil
      nextLoop = nil
      return
    }
    let before = records[observed: key].loops.position
    let loop = records.loop(of: key)
    let laps: Int
    switch records[observed: key].tracker.state {
    case .playing where !device.isRendered:
      // A scheduled source has not moved before its start. A thread that polls late would count that time as loops.
      let start = records[key].start.time?.inNanoseconds ?? clock
      let seconds = Double(max(now.clock - max(clock, start), 0)) / 1e9
      // A source that ended by itself does not loop.
      guard now.frame > 0 || handle.state(records[key].id) != .stopped else { return }
      let advance = seconds * Double(handle.sampleRate) * records.step(of: key, in: scene, by: handle)
      laps = records[observed: key].loops.advance(by: advance, to: now.frame, in: loop)
    // A mix that is in progress at the pause runs to its end; OpenAL Soft 1.25 then fades out over 64 frames.
    case .paused where now.frame != before:
      let step = records.step(of: key, in: scene, by: handle)
      let mix = device.isRendered ? 0 : Double(output.framesPerMix(by: handle)) * step
      let distances = [64 * step, mix, mix + 64 * step]
      laps = records[observed: key].loops.advance(byOneOf: distances, to: now.frame, in: loop)
    // Offline, each mix counts its own loops.
    default: return
    }
    records[observed: key].loopClock = now.clock
    records[observed: key].loopDue = nil
    nextLoop = nil
    postLoops(laps, key, in: &records)
  }

  /// Posts the number of loops of a source during a play or pause call, between the last count and now.
  ///
  /// The mixer continues meanwhile.
  mutating func countLoops(
    over verb: ContextHandle.Verb,
    _ key: SourceKey,
    in records: inout SourceTable,
    _ scene: Scene
  ) {
    guard verb == .play || verb == .pause, !device.isRendered, records[observed: key].countsLoops else { return }
    let now = records[key].library.soundPosition(at: handle.position(records[key].id))
    let step = records.step(of: key, in: scene, by: handle)
    var mixed = 0.0
    if let before = records[observed: key].loopClock {
      mixed = Double(now.clock - before) / 1e9 * Double(handle.sampleRate) * step
    }
    // A source that does not resume from a pause starts from the beginning.
    if verb == .play, records[observed: key].tracker.state != .paused { records[observed: key].loops.position = 0 }
    let loop = records.loop(of: key)
    let laps = records[observed: key].loops.advance(byPartOf: mixed, or: 64 * step, to: now.frame, in: loop)
    records[observed: key].loopClock = now.clock
    postLoops(laps, key, in: &records)
  }

  private func postLoops(_ laps: Int, _ key: SourceKey, in records: inout SourceTable) {
    guard laps > 0 else { return }
    let notice = ObservedSource.Notice(
      kind: .looped(laps),
      state: records[observed: key].tracker.state,
      frame: framePosition,
      cause: .mix
    )
    records[observed: key].post(notice, over: deliveries)
  }

  /// The shortest period between two notifications of a loop.
  private static let loopPeriod: Int64 = 10_000_000

  /// Counts the loops that are due; returns the nanoseconds until the next one.
  mutating func waitForLoops(
    at now: Int64,
    in records: inout SourceTable,
    _ scene: Scene,
    _ output: inout OutputState
  ) -> Int64? {
    guard !device.isSuspended else { return nil }
    if let next = nextLoop, next > now { return next == .max ? nil : next - now }
    var wait: Int64?
    for key in playing where records[observed: key].countsLoops {
      let loop = records.loop(of: key)
      guard loop.isOn, !loop.range.isEmpty else { continue }
      if let due = records[observed: key].loopDue, due <= now {
        countLoops(key, in: &records, scene, &output)
        records[observed: key].loopDue = nil
      }
      if records[observed: key].loopDue == nil {
        let step = records.step(of: key, in: scene, by: handle)
        let mixRate = Double(handle.sampleRate)
        guard step > 0, mixRate > 0 else { continue }
        // The next start over, plus at most half of that time: the poll counts one loop then, not two.
        let left = max(Double(loop.range.upperBound) - records[observed: key].loops.position, 1)
        let seconds = min(left / step / mixRate, 3_600)
        records[observed: key].loopDue = now + max(Int64(saturating: seconds * 1e9), Self.loopPeriod)
      }
      if let due = records[observed: key].loopDue { wait = min(wait ?? due - now, due - now) }
    }
    nextLoop = wait.map { now + $0 } ?? .max
    return wait
  }
}

// MARK: - Changes of speed

// A change makes a looping source faster or slower: the loops before it are counted with the old values.

extension ObservationState {
  /// Prepares a change of the scene, and of the values of all sources by a closure.
  mutating func prepareChange(
    to next: Scene,
    in records: inout SourceTable,
    _ scene: Scene,
    _ output: inout OutputState,
    _ change: (SourceKey, inout SourceValues) -> Void = { _, _ in }
  ) {
    // Offline, each rendered piece is counted with the values at the time of its mix.
    guard !device.isRendered else { return }
    for key in playing where records[observed: key].countsLoops {
      var values = records[key].scene.values
      change(key, &values)
      prepareChange(of: key, to: values, in: next, &records, scene, &output)
    }
  }

  /// Prepares a change of the values of a source, and of the scene.
  // Each setter would contain an inlined call, and seldom runs it.
  @inline(never)
  mutating func prepareChange(
    of key: SourceKey,
    to values: SourceValues,
    in next: Scene,
    _ records: inout SourceTable,
    _ scene: Scene,
    _ output: inout OutputState
  ) {
    let isLooping = records.loop(of: key).isOn
    guard isLooping || values.isLooping else { return }
    let step = records.step(of: key, in: scene, by: handle)
    let isSame = handle.step(of: values, playing: records[observed: key].sound, in: next) == step
    guard !isSame || isLooping != values.isLooping else { return }
    countLoops(key, in: &records, scene, &output)
    records[observed: key].loopDue = nil
    nextLoop = nil
    if records[observed: key].isPlaying { device.wakeMonitor() }
  }
}
