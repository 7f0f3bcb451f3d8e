internal import AudioSupport

/// The fades of a context's sources that the game has asked for.
struct RunningFades: Sendable {
  struct Running: Sendable {
    let key: SourceKey
    let source: Weak<SoundSource>
    let fade: SourceFade
  }

  fileprivate(set) var all: [Running] = []
}

// MARK: - Calls

extension ContextState {
  /// Fades a source out, and then performs a verb on it; at once where it does not play.
  mutating func fade(_ source: SoundSource, over duration: Int64, then verb: ContextHandle.Verb) {
    guard duration > 0, isSounding(source.key) else { return performExactly(verb, source) }
    let from = records[source.key].scene.fadeGain
    begin(SourceFade(from: from, to: 0, begin: handle.clock, duration: duration, then: verb), of: source)
  }

  /// Plays a source, and fades it in.
  ///
  /// A source that fades out ahead of a pause goes on.
  mutating func play(_ source: SoundSource, fadingInOver duration: Int64) {
    guard duration > 0 else { return performExactly(.play, source) }
    let goesOn = fade(of: source.key)?.call == .pause && isSounding(source.key)
    if !goesOn {
      endFade(of: source)
      setFadeGain(0, of: [source.key])
      perform(.play, source)
    }
    let start = records[source.key].start.time.map { Int64(clamping: $0.attoseconds / 1_000_000_000) } ?? 0
    let from = records[source.key].scene.fadeGain
    begin(SourceFade(from: from, to: 1, begin: max(handle.clock, start), duration: duration), of: source)
  }

  /// Performs a verb without the short fade of a library that cuts: exact to the sample there.
  private mutating func performExactly(_ verb: ContextHandle.Verb, _ source: SoundSource) {
    endings.isOff = true
    perform(verb, source)
    endings.isOff = false
  }

  /// Ends the fade of a source, ahead of another call for it: a source that fades out stops or pauses at once.
  mutating func endFade(of source: SoundSource) {
    guard let fade = fade(of: source.key) else { return }
    end(fade, of: source)
  }

  /// Ends a fade that a source still has, with its call.
  mutating func end(_ fade: SourceFade, of source: SoundSource) {
    guard self.fade(of: source.key) == fade else { return }
    dropFade(of: source.key)
    if let verb = fade.call { perform(verb, source) }
    setFadeGain(1, of: [source.key])
  }

  /// Ends all fades without their calls.
  mutating func dropAllFades() {
    let keys = fades.all.map(\.key)
    fades.all = []
    if !keys.isEmpty { setFadeGain(1, of: keys) }
  }

  /// Removes the fade of a source that is being released, or that begins another one.
  mutating func dropFade(of key: SourceKey) {
    if !fades.all.isEmpty { fades.all.removeAll { $0.key == key } }
  }

  private func fade(of key: SourceKey) -> SourceFade? { fades.all.first { $0.key == key }?.fade }

  private mutating func begin(_ fade: SourceFade, of source: SoundSource) {
    dropFade(of: source.key)
    fades.all.append(.init(key: source.key, source: Weak(source), fade: fade))
    if device.isOffline { return }
    _ = stepFades()
    device.wakeMonitor()
  }

  /// Whether a source plays, and does not wait for its start.
  private func isSounding(_ key: SourceKey) -> Bool {
    if let time = records[key].start.time, time > .nanoseconds(handle.clock) { return false }
    if let stream = records[key].observed?.stream { return stream.state.withLock { $0.state } == .playing }
    return records[key].start.state == nil && playbackState(of: key) == .playing
  }

  private mutating func setFadeGain(_ gain: Float, of keys: [SourceKey]) {
    for key in keys { records[key].scene.fadeGain = gain }
    apply([.gain, .gainLimits], of: keys)
  }
}

// MARK: - Time

extension ContextState {
  /// Sets the gains of all fades for the next step; returns the number of frames until the next one, `nil` for none.
  mutating func stepFades() -> Int? {
    guard !fades.all.isEmpty, !device.isSuspended else { return nil }
    let rate = max(handle.sampleRate, 1)
    let clock = handle.clock
    let now = handle.mixFrame(at: .nanoseconds(clock))
    var next: Int?
    var changed: [SourceKey] = []
    for running in fades.all {
      let (key, fade) = (running.key, running.fade)
      let end = handle.mixFrame(at: .nanoseconds(fade.end))
      let isOver = now >= end && fade.call == nil || hasEnded(key)
      let step = min(fade.stepLength(at: rate), max(end - now, 1))
      let gain = isOver ? 1 : fade.gain(from: clock, to: clock + Int64(step) * 1_000_000_000 / Int64(rate))
      if isOver { dropFade(of: key) }
      // The last change of the gain has a step of its own.
      let length = isOver ? ShortFade.length : step
      next = min(next ?? length, length)
      guard records[key].scene.fadeGain != gain else { continue }
      records[key].scene.fadeGain = gain
      changed.append(key)
    }
    if !changed.isEmpty { apply([.gain, .gainLimits], of: changed) }
    return next
  }

  /// Whether a source has ended by itself.
  private func hasEnded(_ key: SourceKey) -> Bool {
    if let stream = records[key].observed?.stream { return stream.state.withLock { $0.state } == .stopped }
    return playbackState(of: key) == .stopped
  }

  /// Nanoseconds until the next step of the fades on an output; `nil` for no fade.
  mutating func waitForFades() -> Int64? {
    // An output applies one gain to a mix.
    stepFades().map { Int64(max($0, framesPerMix() / 2)) * 1_000_000_000 / Int64(max(handle.sampleRate, 1)) }
  }

  /// The fades whose time is over, and that end with a call.
  var endedFades: [RunningFades.Running] {
    guard !fades.all.isEmpty, !device.isSuspended else { return [] }
    let now = handle.mixFrame(at: .nanoseconds(handle.clock))
    return fades.all.filter { $0.fade.call != nil && handle.mixFrame(at: .nanoseconds($0.fade.end)) <= now }
  }
}

extension AudioContext {
  /// Performs the calls at the ends of fades.
  ///
  /// Called without a lock: a source may be released here.
  func endFades() {
    for running in state.withLock({ $0.endedFades }) {
      guard let source = running.source.object else { continue }
      withState { $0.end(running.fade, of: source) }
    }
  }
}
