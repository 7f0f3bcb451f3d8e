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
    guard let place = state.watch.place(of: key), !properties.isDisjoint(with: .pace) else { return }
    guard state.watch[place].countsLoops else { return }
    var values = state.scene.read(key) { $0 }
    if body(&values) { willChange(place, to: values, in: state.scene, &state) }
  }

  /// Changes the properties that all sources share.
  func changingScene<Result>(_ state: inout State, _ change: (inout Scene) -> Result) -> Result {
    if state.watch.isPlaying {
      var next = state.scene
      _ = change(&next)
      willChange(to: next, &state)
    }
    return change(&state.scene)
  }

  /// Prepares the handover of a batch.
  func willHandOver(_ batch: Batch.Storage, _ state: inout State) {
    guard state.watch.isPlaying else { return }
    willChange(to: batch.scene(after: state.scene), &state) { key, values in batch.bring(key, into: &values) }
  }

  /// Prepares the handover of a batch's listener.
  func willHandOverListener(of batch: Batch.Storage, _ state: inout State) {
    if state.watch.isPlaying { willChange(to: batch.scene(after: state.scene), &state) }
  }

  private func willChange(
    to scene: Scene,
    _ state: inout State,
    _ change: (SourceKey, inout SourceValues) -> Void = { _, _ in }
  ) {
    // Offline, each rendered piece is counted with the values at the time of its mix.
    guard !device.isOffline else { return }
    for place in state.watch.playing where state.watch[place].countsLoops {
      let key = state.watch[place].key
      var values = state.scene.read(key) { $0 }
      change(key, &values)
      willChange(place, to: values, in: scene, &state)
    }
  }

  private func willChange(_ place: Int, to values: SourceValues, in scene: Scene, _ state: inout State) {
    let isLooping = loop(of: place, state).isOn
    guard isLooping || values.isLooping else { return }
    let isSame = step(of: state.watch[place], values, in: scene) == step(of: place, state)
    guard !isSame || isLooping != values.isLooping else { return }
    countLoops(place, &state)
    state.watch[place].loopDue = nil
    state.watch.nextLoop = nil
    if state.watch[place].isPlaying { device.wakeMonitor() }
  }
}

extension SourceProperties {
  /// The properties that may change the speed of a loop.
  fileprivate static let pace: SourceProperties = [
    .pitch, .looping, .position, .velocity, .listenerRelative, .dopplerFactor, .spatialization,
  ]
}
