internal import AudioSupport

/// The gains of an offline context that have not reached their targets.
///
/// They move over at least 64 frames, whatever the lengths of the mixes are.
struct GainRamps: Sendable {
  private var ramps: [SourceKey: GainRamp] = [:]
  /// The keys of the ramps in any order: a step changes the ramps while it iterates, without an array of its own.
  private var keys: [SourceKey] = []
  /// The sources that have begun since the last mix: the library begins with the gain that a source has then.
  private var begun: Set<SourceKey> = []

  /// The gain that a source has at the end of the last mix; `nil` if it is the gain that the game has set.
  func gain(of key: SourceKey) -> Float? { ramps[key]?.gain }

  private subscript(key: SourceKey) -> GainRamp? {
    get { ramps[key] }
    set {
      let isKnown = ramps[key] != nil
      ramps[key] = newValue
      if newValue != nil, !isKnown { keys.append(key) }
      guard newValue == nil, isKnown, let index = keys.firstIndex(of: key) else { return }
      keys.swapAt(index, keys.count - 1)
      keys.removeLast()
    }
  }

  mutating func remove(_ key: SourceKey) {
    self[key] = nil
    begun.remove(key)
  }

  /// Starts a ramp of a source's gain, from its present value to the value that the caller sets next.
  mutating func ramp(_ key: SourceKey, from gain: Float) {
    if begun.contains(key) { return }
    var ramp = self[key] ?? GainRamp(from: gain)
    ramp.restart()
    self[key] = ramp
  }

  /// Lets a source begin with the gain that the caller sets next, or move to it from silence.
  mutating func begin(_ key: SourceKey, fadesIn: Bool) {
    self[key] = fadesIn ? GainRamp(from: 0) : nil
    begun.insert(key)
  }

  /// Sets the gains at the end of the next mix.
  mutating func step(over frames: Int, in records: SourceTable, _ scene: Scene, by handle: ContextHandle) {
    begun.removeAll(keepingCapacity: true)
    guard !keys.isEmpty else { return }
    var transaction = SceneTransaction(handle, in: scene)
    // In reverse: the end of a ramp moves the last key to the index of the removed key.
    for index in keys.indices.reversed() {
      let key = keys[index]
      guard var ramp = self[key] else { continue }
      // The library has the target already.
      let isWhole = ramp.isUntouched && frames >= ramp.framesLeft
      ramp.advance(by: frames, to: records[key].scene.values.gain)
      self[key] = ramp.framesLeft > 0 ? ramp : nil
      guard !isWhole else { continue }
      var source = records[key].scene
      source.values.gain = ramp.gain
      transaction.apply(.gain, of: &source)
    }
    transaction.end(ofListenerIn: scene)
  }
}
