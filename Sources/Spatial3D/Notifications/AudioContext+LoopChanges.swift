// What is set while a source loops, and makes it faster or slower: until then it is counted by what was. Under the context's lock.

extension AudioContext {
  /// Notes that a property of a source is about to be set, by a closure which returns whether it changes.
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

  /// Changes what the sources have in common.
  func changingScene<Result>(_ state: inout State, _ change: (inout Scene) -> Result) -> Result {
    if state.watch.isPlaying {
      var next = state.scene
      _ = change(&next)
      willChange(to: next, &state)
    }
    return change(&state.scene)
  }

  /// Notes that a batch is about to be handed over.
  func willHandOver(_ batch: Batch.Storage, _ state: inout State) {
    guard state.watch.isPlaying else { return }
    willChange(to: batch.scene(after: state.scene), &state) { key, values in batch.bring(key, into: &values) }
  }

  /// Notes that the listener of a batch is about to be handed over.
  func willHandOverListener(of batch: Batch.Storage, _ state: inout State) {
    if state.watch.isPlaying { willChange(to: batch.scene(after: state.scene), &state) }
  }

  private func willChange(
    to scene: Scene,
    _ state: inout State,
    _ change: (SourceKey, inout SourceValues) -> Void = { _, _ in }
  ) {
    // Offline, each piece is counted by what was set when it was mixed.
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
    if !device.isOffline, state.watch[place].isPlaying { device.bell.ring() }
  }
}

extension SourceProperties {
  /// Those that may change how fast a source comes around.
  fileprivate static let pace: SourceProperties = [
    .pitch, .looping, .position, .velocity, .listenerRelative, .dopplerFactor, .spatialization,
  ]
}
