internal import AudioSupport

// Changes that make a looping source faster or slower: the loops before are counted with the old values.
//
// Under the context's lock.

extension AudioContext {
  /// Prepares the change of a source's property by a closure that returns whether the value changes.
  @inline(__always)
  func willChange(
    _ properties: SourceProperties,
    of key: SourceKey,
    _ state: inout State,
    _ body: (inout SourceValues) -> Bool
  ) {
    guard let slot = state.observation.slot(of: key), !properties.isDisjoint(with: .pace) else { return }
    guard state.observation[slot].countsLoops else { return }
    var values = state.scene.read(key) { $0 }
    if body(&values) { willChange(slot, to: values, in: state.scene, &state) }
  }

  /// Changes the properties that all sources share.
  func changingScene<Result>(_ state: inout State, _ change: (inout Scene) -> Result) -> Result {
    if state.observation.isPlaying {
      var next = state.scene
      _ = change(&next)
      willChange(to: next, &state)
    }
    return change(&state.scene)
  }

  /// Prepares the handover of a batch.
  func willHandOver(_ batch: Batch.Storage, _ state: inout State) {
    guard state.observation.isPlaying else { return }
    willChange(to: batch.scene(after: state.scene), &state) { key, values in batch.bring(key, into: &values) }
  }

  /// Prepares the handover of a batch's listener.
  func willHandOverListener(of batch: Batch.Storage, _ state: inout State) {
    if state.observation.isPlaying { willChange(to: batch.scene(after: state.scene), &state) }
  }

  private func willChange(
    to scene: Scene,
    _ state: inout State,
    _ change: (SourceKey, inout SourceValues) -> Void = { _, _ in }
  ) {
    // Offline, each rendered piece is counted with the values at the time of its mix.
    guard !device.isOffline else { return }
    for slot in state.observation.playing where state.observation[slot].countsLoops {
      let key = state.observation[slot].key
      var values = state.scene.read(key) { $0 }
      change(key, &values)
      willChange(slot, to: values, in: scene, &state)
    }
  }

  private func willChange(_ slot: Int, to values: SourceValues, in scene: Scene, _ state: inout State) {
    let isLooping = loop(of: slot, state).isOn
    guard isLooping || values.isLooping else { return }
    let isSame = step(of: state.observation[slot], values, in: scene) == step(of: slot, state)
    guard !isSame || isLooping != values.isLooping else { return }
    countLoops(slot, &state)
    state.observation[slot].loopDue = nil
    state.observation.nextLoop = nil
    if state.observation[slot].isPlaying { device.wakeMonitor() }
  }
}

extension SourceProperties {
  /// The properties that may change the speed of a loop.
  fileprivate static let pace: SourceProperties = [
    .pitch, .looping, .position, .velocity, .listenerRelative, .dopplerFactor, .spatialization,
  ]
}
