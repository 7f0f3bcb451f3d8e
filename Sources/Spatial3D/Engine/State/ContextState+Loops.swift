internal import AudioSupport

// Counts how often looping sources start over.

extension ContextState {
  /// The number of frames of a source's sound that the mixer takes for one of the mix.
  func step(of key: SourceKey) -> Double {
    handle.step(of: records[key].scene.values, playing: records[observed: key].sound, in: scene)
  }

  func loop(of key: SourceKey) -> LoopCounter.Loop {
    LoopCounter.Loop(range: records[observed: key].sound.loopRange, isOn: records[key].scene.values.isLooping)
  }

  /// Counts loops from the current position of the source on.
  mutating func beginCounting(_ key: SourceKey) {
    guard records[observed: key].countsLoops else { return }
    let now = records[key].library.soundPosition(at: handle.position(records[key].id))
    records[observed: key].loops.position = now.frame
    records[observed: key].loopClock = now.clock
    records[observed: key].loopDue = nil
    observation.nextLoop = nil
    if records[observed: key].isPlaying { device.wakeMonitor() }
  }

  /// Posts the number of loops of an observed source from the last count to a position of the library's source.
  mutating func countLoops(of source: SoundSource, until position: ContextHandle.Position) {
    if records.isObserved(source.key), source.stream == nil { countLoops(source.key, until: position) }
  }

  /// Posts the number of loops of a source since the last count, to its present position by default.
  mutating func countLoops(_ key: SourceKey, until position: ContextHandle.Position? = nil) {
    guard records[observed: key].countsLoops, let clock = records[observed: key].loopClock else { return }
    let now = records[key].library.soundPosition(at: position ?? handle.position(records[key].id))
    // A source does not play before its start.
    if now.clock < clock { return }
    // A source whose thread is late is still in its silence.
    if records[key].start.isInSilence, now.frame == 0 {
      records[observed: key].loopClock = now.clock
      records[observed: key].loopDue = nil
      observation.nextLoop = nil
      return
    }
    let before = records[observed: key].loops.position
    let loop = loop(of: key)
    let laps: Int
    switch records[observed: key].tracker.state {
    case .playing where !device.isOffline:
      // A scheduled source has not moved before its start. A thread that polls late would count that time as loops.
      let start = records[key].start.time?.inNanoseconds ?? clock
      let seconds = Double(max(now.clock - max(clock, start), 0)) / 1e9
      // A source that ended by itself does not loop.
      guard now.frame > 0 || handle.state(records[key].id) != .stopped else { return }
      let advance = seconds * Double(handle.sampleRate) * step(of: key)
      laps = records[observed: key].loops.advance(by: advance, to: now.frame, in: loop)
    // A mix that is in progress at the pause runs to its end; OpenAL Soft 1.25 then fades out over 64 frames.
    case .paused where now.frame != before:
      let step = step(of: key)
      let mix = device.isOffline ? 0 : Double(framesPerMix()) * step
      let ways = [64 * step, mix, mix + 64 * step]
      laps = records[observed: key].loops.advance(byOneOf: ways, to: now.frame, in: loop)
    // Offline, each mix counts its own loops.
    default: return
    }
    records[observed: key].loopClock = now.clock
    records[observed: key].loopDue = nil
    observation.nextLoop = nil
    postLoops(laps, key)
  }

  /// Posts the number of loops of a source during a play or pause call, between the last count and now.
  ///
  /// The mixer continues meanwhile.
  mutating func countLoops(over verb: ContextHandle.Verb, _ key: SourceKey) {
    guard verb == .play || verb == .pause, !device.isOffline, records[observed: key].countsLoops else { return }
    let now = records[key].library.soundPosition(at: handle.position(records[key].id))
    let step = step(of: key)
    var mixed = 0.0
    if let before = records[observed: key].loopClock {
      mixed = Double(now.clock - before) / 1e9 * Double(handle.sampleRate) * step
    }
    // A source that does not resume from a pause starts from the beginning.
    if verb == .play, records[observed: key].tracker.state != .paused { records[observed: key].loops.position = 0 }
    let loop = loop(of: key)
    let laps = records[observed: key].loops.advance(byPartOf: mixed, or: 64 * step, to: now.frame, in: loop)
    records[observed: key].loopClock = now.clock
    postLoops(laps, key)
  }

  private mutating func postLoops(_ laps: Int, _ key: SourceKey) {
    guard laps > 0 else { return }
    let notice = ObservedSource.Notice(
      kind: .looped(laps),
      state: records[observed: key].tracker.state,
      frame: framePosition,
      cause: .mix
    )
    records[observed: key].post(notice, over: deliveries)
  }
}

// MARK: - Changes of speed

// A change makes a looping source faster or slower: the loops before it are counted with the old values.

extension ContextState {
  /// Prepares the change of a source's property by a closure that returns whether the value changes.
  @inline(__always)
  mutating func prepareChange(
    _ properties: SourceProperties,
    of key: SourceKey,
    _ body: (inout SourceValues) -> Bool
  ) {
    guard !observation.isEmpty, !properties.isDisjoint(with: .pace), records.isObserved(key) else { return }
    guard records[observed: key].countsLoops else { return }
    var values = records[key].scene.values
    if body(&values) { prepareChange(key, to: values, in: scene) }
  }

  /// Changes the properties that all sources share.
  mutating func changingScene<Result>(_ change: (inout Scene) -> Result) -> Result {
    if observation.isPlaying {
      var next = scene
      _ = change(&next)
      prepareChange(to: next)
    }
    return change(&scene)
  }

  /// Prepares the handover of a batch.
  mutating func prepareHandover(_ batch: Batch.Storage) {
    guard observation.isPlaying else { return }
    prepareChange(to: batch.scene(after: scene)) { key, values in batch.bring(key, into: &values) }
  }

  /// Prepares the handover of a batch's listener.
  mutating func prepareListenerHandover(of batch: Batch.Storage) {
    if observation.isPlaying { prepareChange(to: batch.scene(after: scene)) }
  }

  private mutating func prepareChange(
    to scene: Scene,
    _ change: (SourceKey, inout SourceValues) -> Void = { _, _ in }
  ) {
    // Offline, each rendered piece is counted with the values at the time of its mix.
    guard !device.isOffline else { return }
    for key in observation.playing where records[observed: key].countsLoops {
      var values = records[key].scene.values
      change(key, &values)
      prepareChange(key, to: values, in: scene)
    }
  }

  private mutating func prepareChange(_ key: SourceKey, to values: SourceValues, in scene: Scene) {
    let isLooping = loop(of: key).isOn
    guard isLooping || values.isLooping else { return }
    let isSame = handle.step(of: values, playing: records[observed: key].sound, in: scene) == step(of: key)
    guard !isSame || isLooping != values.isLooping else { return }
    countLoops(key)
    records[observed: key].loopDue = nil
    observation.nextLoop = nil
    if records[observed: key].isPlaying { device.wakeMonitor() }
  }
}

extension SourceProperties {
  /// The properties that may change the speed of a loop.
  fileprivate static let pace: SourceProperties = [
    .pitch, .looping, .position, .velocity, .listenerRelative, .dopplerFactor, .spatialization,
  ]
}
