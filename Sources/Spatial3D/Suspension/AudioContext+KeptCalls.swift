internal import AudioSupport
internal import Synchronization

extension AudioContext {
  /// The calls of a suspended context that run on resume.
  struct KeptCalls: Sendable {
    typealias Kept = (reference: Weak<SoundSource>, playback: KeptPlayback)

    var isOn = false
    /// Whether a thread performs kept calls now.
    var isSettling = false
    var sources: [SourceKey: Kept] = [:]
    /// The sources with calls that run now; a call during that time starts from their result.
    var inHand: [SourceKey: Kept] = [:]
    /// Whether these sources have to be paused after their calls.
    var pausesInHand = false

    /// Keeps a call; `now` is the source's state, unless kept calls of the source are running.
    mutating func note(_ call: KeptPlayback.Call, of key: SourceKey, _ reference: Weak<SoundSource>, now: KeptPlayback)
    {
      var kept = sources[key] ?? (reference, inHand[key]?.playback.next ?? now)
      kept.playback.note(call)
      sources[key] = kept
    }

    /// Notes that the device paused all sources: no kept playback plays.
    mutating func pauseForDevice() {
      for key in sources.keys { sources[key]?.playback.pauseForDevice() }
      // Another thread may start these after this.
      for key in inHand.keys { inHand[key]?.playback.note(.pause) }
      pausesInHand = !inHand.isEmpty
    }

    /// The sources with calls that ran, if they have to be paused now.
    mutating func takePauses() -> [Kept]? {
      guard pausesInHand else { return nil }
      pausesInHand = false
      var pause = KeptPlayback(state: .playing, frame: 0)
      pause.note(.pause)
      return inHand.values.map { ($0.reference, pause) }
    }
  }

  /// Whether no kept calls are running or due.
  var isSettled: Bool {
    state.withLock { !$0.kept.isSettling && ($0.kept.sources.isEmpty || device.suspensions.keepsCalls) }
  }

  /// Applies the suspension of the device to the context, except for work that another thread is doing.
  func settleSuspension() {
    state.withLock { state in
      let suspensions = device.suspensions
      handle.setMuted(suspensions.isMuted, listenerGain: state.scene.listener.gain)
      // The positions of all sources for the time of the suspension.
      if suspensions.isFrozen { markAll(&state) }
      guard suspensions.keepsCalls else { return }
      state.kept.isOn = true
      keepsCalls.store(true, ordering: .releasing)
    }
    var hasTold = false
    while let sources = takeKeptCalls(hasTold: hasTold) {
      for (reference, playback) in sources {
        guard let source = reference.object else { continue }
        for call in playback.calls { source.performKept(call) }
        // A one-shot that never begins sends no notification that would release it: its play call was cancelled, or
        // failed. A source that began is not `initial` again, however short its sound is.
        if playback.state == .stopped || source.state == .initial { dropOneShot(ObjectIdentifier(source)) }
      }
      hasTold = true
    }
  }

  /// The next kept calls to perform, for one thread at a time.
  ///
  /// `hasTold` is whether the thread has performed an earlier batch. Returns `nil` if no calls are left; from then on
  /// calls run at once.
  private func takeKeptCalls(hasTold: Bool) -> [KeptCalls.Kept]? {
    state.withLock { state in
      if hasTold, let pauses = state.kept.takePauses() { return pauses }
      if hasTold { (state.kept.isSettling, state.kept.inHand) = (false, [:]) }
      guard state.kept.isOn, !state.kept.isSettling, !device.suspensions.keepsCalls else { return nil }
      guard state.kept.sources.isEmpty else {
        state.kept.isSettling = true
        state.kept.inHand = state.kept.sources
        defer { state.kept.sources = [:] }
        return state.kept.sources.sorted { $0.key.generation < $1.key.generation }.map(\.value)
      }
      state.kept.isOn = false
      keepsCalls.store(false, ordering: .releasing)
      return nil
    }
  }

  /// Keeps a call for later; returns whether it did.
  @inline(__always)
  func keeps(_ call: KeptPlayback.Call, of source: SoundSource) -> Bool {
    keepsCalls.load(ordering: .acquiring) && keep(call, of: source)
  }

  private func keep(_ call: KeptPlayback.Call, of source: SoundSource) -> Bool {
    let reference = Weak(source)
    // The state does not change during the suspension, except that the loss of a device pauses.
    let now = KeptPlayback(state: source.ownState, frame: source.ownPlaybackFrame)
    return state.withLock { state in
      guard state.kept.isOn else { return false }
      state.kept.note(call, of: source.key, reference, now: now)
      return true
    }
  }

  /// The future state of a source with kept calls; `nil` without any.
  @inline(__always)
  func kept(of source: SoundSource) -> KeptPlayback? {
    guard keepsCalls.load(ordering: .acquiring) else { return nil }
    return state.withLock { ($0.kept.sources[source.key] ?? $0.kept.inHand[source.key])?.playback }
  }
}

extension SoundSource {
  /// Performs a kept call.
  fileprivate func performKept(_ call: KeptPlayback.Call) {
    switch call {
    case .play: performPlay()
    case .playAt(let time): context.perform([self], at: time)
    case .pause: perform(.pause)
    case .stop: perform(.stop)
    case .rewind: perform(.rewind)
    case .seek(let frame): seek(to: frame)
    }
  }
}
