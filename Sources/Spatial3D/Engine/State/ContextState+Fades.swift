internal import AudioSupport

/// The fades of a context's sources that the game has asked for.
struct RunningFades: Sendable {
  struct Running: Sendable {
    let key: SourceKey
    let source: Weak<SoundSource>
    let fade: SourceFade
  }

  fileprivate(set) var all: [Running] = []
  fileprivate var clock = ClockProgress()
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
      if let fade = fade(of: source.key), fade.call != nil { end(fade, of: source) }
      dropFade(of: source.key)
      setFadeGain(0, of: [source.key])
      perform(.play, source)
    }
    let start = records[source.key].start.time?.inNanoseconds ?? 0
    let from = records[source.key].scene.fadeGain
    begin(SourceFade(from: from, to: 1, begin: max(handle.clock, start), duration: duration), of: source)
  }

  /// Performs a verb without the short fade of a library that cuts: exact to the sample there.
  private mutating func performExactly(_ verb: ContextHandle.Verb, _ source: SoundSource) {
    shortFades.endings.isOff = true
    perform(verb, source)
    shortFades.endings.isOff = false
  }

  /// Ends the fades of sources and performs another call for them: a source that fades out stops or pauses at once.
  ///
  /// A source that fades in has its full gain after the call. Before it, a mix in between would play it that loud.
  mutating func endingFades(of sources: [SoundSource], _ body: (inout ContextState) -> Void) {
    var fadingIn: [SourceKey] = []
    if !fades.all.isEmpty {
      for source in sources {
        guard let fade = fade(of: source.key) else { continue }
        if fade.call == nil { fadingIn.append(source.key) }
        if fade.call == nil { dropFade(of: source.key) } else { end(fade, of: source) }
      }
    }
    body(&self)
    if !fadingIn.isEmpty { setFadeGain(1, of: fadingIn) }
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

  /// Removes the fade of a source that is being released, or that begins another fade.
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
      // Before its begin a fade has one step, at its first gain.
      let begin = handle.mixFrame(at: .nanoseconds(fade.begin))
      let step = begin > now ? min(begin - now, rate) : min(fade.stepLength(at: rate), max(end - now, 1))
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
  mutating func waitForFades(at now: Int64) -> Int64? {
    guard let frames = stepFades() else { return nil }
    if fades.clock.standsStill(at: handle.clock, now: now) { return ClockProgress.standstill }
    // An output applies one gain to a mix.
    return Int64(max(frames, framesPerMix() / 2)) * 1_000_000_000 / Int64(max(handle.sampleRate, 1))
  }

  /// The fades that end with a call.
  fileprivate func fades(to verb: ContextHandle.Verb) -> [RunningFades.Running] {
    fades.all.filter { $0.fade.call == verb }
  }

  /// The fades whose time is over, and that end with a call.
  fileprivate var endedFades: [RunningFades.Running] {
    guard !fades.all.isEmpty, !device.isSuspended else { return [] }
    let now = handle.mixFrame(at: .nanoseconds(handle.clock))
    return fades.all.filter { $0.fade.call != nil && handle.mixFrame(at: .nanoseconds($0.fade.end)) <= now }
  }
}

extension AudioContext {
  /// Performs the calls at the ends of fades.
  ///
  /// Called without a lock: a source may be released here.
  func endFades() { end(state.withLock { $0.endedFades }) }

  /// Ends fades early that end with a call, under the same condition.
  func endFades(to verb: ContextHandle.Verb) { end(state.withLock { $0.fades(to: verb) }) }

  private func end(_ fades: [RunningFades.Running]) {
    for running in fades {
      guard let source = running.source.object else { continue }
      withState { $0.end(running.fade, of: source) }
    }
  }
}
