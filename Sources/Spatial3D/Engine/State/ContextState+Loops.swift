internal import AudioSupport

// Counts how often looping sources start over.

extension ContextState {
  /// The number of frames of a source's sound that the mixer takes for one of the mix.
  func step(of slot: Int) -> Double {
    let source = observation[slot]
    return step(of: source, scene.read(source.key) { $0 }, in: scene)
  }

  /// The step for given values and a given scene, which may be future ones.
  func step(of source: ObservedSource, _ values: SourceValues, in scene: Scene) -> Double {
    scene.step(
      of: values,
      soundRate: source.sound.sampleRate,
      mixRate: handle.sampleRate,
      isPlaced: source.sound.isPlaced(values.spatialization),
      limit: handle.stepLimit
    )
  }

  func loop(of slot: Int) -> LoopCounter.Loop {
    let source = observation[slot]
    return LoopCounter.Loop(range: source.sound.loopRange, isOn: scene.read(source.key, \.isLooping))
  }

  /// The position of a source in its sound.
  private func soundPosition(of slot: Int) -> ContextHandle.Position {
    var found = handle.position(observation[slot].id)
    found.frame = max(found.frame - Double(schedule.silence(of: observation[slot].key)), 0)
    return found
  }

  /// Counts loops from the current position of the source on.
  mutating func beginCounting(_ slot: Int) {
    guard observation[slot].countsLoops else { return }
    let now = soundPosition(of: slot)
    observation[slot].loops.position = now.frame
    observation[slot].loopClock = now.clock ?? monotonicTime()
    observation[slot].loopDue = nil
    observation.nextLoop = nil
    if observation[slot].isPlaying { device.wakeMonitor() }
  }

  /// Posts the number of loops of a source since the last count.
  mutating func countLoops(_ slot: Int) {
    guard observation[slot].countsLoops, let clock = observation[slot].loopClock else { return }
    let now = soundPosition(of: slot)
    // A source does not play before its start.
    if let moment = now.clock, moment < clock { return }
    let before = observation[slot].loops.position
    let loop = loop(of: slot)
    let laps: Int
    switch observation[slot].tracker.state {
    case .playing where !device.isOffline:
      let seconds = Double((now.clock ?? monotonicTime()) - clock) / 1e9
      // A source that ended by itself does not loop.
      guard now.frame > 0 || handle.state(observation[slot].id) != .stopped else { return }
      let advance = seconds * Double(handle.sampleRate) * step(of: slot)
      laps = observation[slot].loops.advance(by: advance, to: now.frame, in: loop)
    // A mix that is under way at the pause runs to its end; OpenAL Soft 1.25 then fades out over 64 frames.
    case .paused where now.frame != before:
      let step = step(of: slot)
      let mix = device.isOffline ? 0 : Double(framesPerMix()) * step
      let ways = [64 * step, mix, mix + 64 * step]
      laps = observation[slot].loops.advance(byOneOf: ways, to: now.frame, in: loop)
    // Offline, each mix counts its own loops.
    default: return
    }
    observation[slot].loopClock = now.clock ?? monotonicTime()
    observation[slot].loopDue = nil
    observation.nextLoop = nil
    postLoops(laps, slot)
  }

  /// Posts the number of loops of a source during a play or pause call, between the last count and now.
  ///
  /// The mixer continues meanwhile.
  mutating func countLoops(over verb: ContextHandle.Verb, _ slot: Int) {
    guard verb == .play || verb == .pause, !device.isOffline, observation[slot].countsLoops else { return }
    let now = soundPosition(of: slot)
    let step = step(of: slot)
    var mixed = 0.0
    if let clock = now.clock, let before = observation[slot].loopClock {
      mixed = Double(clock - before) / 1e9 * Double(handle.sampleRate) * step
    }
    // A source that does not resume from a pause starts from the beginning.
    if verb == .play, observation[slot].tracker.state != .paused { observation[slot].loops.position = 0 }
    let loop = loop(of: slot)
    let laps = observation[slot].loops.advance(byPartOf: mixed, or: 64 * step, to: now.frame, in: loop)
    observation[slot].loopClock = now.clock ?? monotonicTime()
    postLoops(laps, slot)
  }

  private mutating func postLoops(_ laps: Int, _ slot: Int) {
    guard laps > 0 else { return }
    let notice = ObservedSource.Notice(
      kind: .looped(laps),
      state: observation[slot].tracker.state,
      frame: mixedFrames,
      cause: .mix
    )
    observation[slot].post(notice, over: deliveries)
  }
}

// MARK: - Changes of speed

// A change makes a looping source faster or slower: the loops before it are counted with the old values.

extension ContextState {
  /// Prepares the change of a source's property by a closure that returns whether the value changes.
  @inline(__always)
  mutating func willChange(
    _ properties: SourceProperties,
    of key: SourceKey,
    _ body: (inout SourceValues) -> Bool
  ) {
    guard let slot = observation.slot(of: key), !properties.isDisjoint(with: .pace) else { return }
    guard observation[slot].countsLoops else { return }
    var values = scene.read(key) { $0 }
    if body(&values) { willChange(slot, to: values, in: scene) }
  }

  /// Changes the properties that all sources share.
  mutating func changingScene<Result>(_ change: (inout Scene) -> Result) -> Result {
    if observation.isPlaying {
      var next = scene
      _ = change(&next)
      willChange(to: next)
    }
    return change(&scene)
  }

  /// Prepares the handover of a batch.
  mutating func willHandOver(_ batch: Batch.Storage) {
    guard observation.isPlaying else { return }
    willChange(to: batch.scene(after: scene)) { key, values in batch.bring(key, into: &values) }
  }

  /// Prepares the handover of a batch's listener.
  mutating func willHandOverListener(of batch: Batch.Storage) {
    if observation.isPlaying { willChange(to: batch.scene(after: scene)) }
  }

  private mutating func willChange(
    to scene: Scene,
    _ change: (SourceKey, inout SourceValues) -> Void = { _, _ in }
  ) {
    // Offline, each rendered piece is counted with the values at the time of its mix.
    guard !device.isOffline else { return }
    for slot in observation.playing where observation[slot].countsLoops {
      let key = observation[slot].key
      var values = scene.read(key) { $0 }
      change(key, &values)
      willChange(slot, to: values, in: scene)
    }
  }

  private mutating func willChange(_ slot: Int, to values: SourceValues, in scene: Scene) {
    let isLooping = loop(of: slot).isOn
    guard isLooping || values.isLooping else { return }
    let isSame = step(of: observation[slot], values, in: scene) == step(of: slot)
    guard !isSame || isLooping != values.isLooping else { return }
    countLoops(slot)
    observation[slot].loopDue = nil
    observation.nextLoop = nil
    if observation[slot].isPlaying { device.wakeMonitor() }
  }
}

extension SourceProperties {
  /// The properties that may change the speed of a loop.
  fileprivate static let pace: SourceProperties = [
    .pitch, .looping, .position, .velocity, .listenerRelative, .dopplerFactor, .spatialization,
  ]
}
