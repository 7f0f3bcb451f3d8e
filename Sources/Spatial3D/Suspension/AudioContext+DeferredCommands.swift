internal import AudioSupport
internal import Synchronization

extension AudioContext {
  /// The calls of a suspended context that run on resume.
  struct DeferredCommands: Sendable {
    typealias Kept = (reference: Weak<SoundSource>, playback: DeferredPlayback)

    var isOn = false
    /// Whether a thread performs deferred calls now.
    var isSettling = false
    var sources: [SourceKey: Kept] = [:]
    /// The sources with calls that run now; a call during that time starts from their result.
    var draining: [SourceKey: Kept] = [:]
    /// Whether these sources have to be paused after their calls.
    var pausesDraining = false

    /// Defers a call; `now` is the source's state, unless deferred calls of the source are running.
    mutating func note(
      _ call: DeferredPlayback.Call,
      of key: SourceKey,
      _ reference: Weak<SoundSource>,
      now: DeferredPlayback
    ) {
      var kept = sources[key] ?? (reference, draining[key]?.playback.next ?? now)
      kept.playback.note(call)
      sources[key] = kept
    }

    /// Notes that the device paused all sources: no deferred playback plays.
    mutating func pauseForDevice() {
      for key in sources.keys { sources[key]?.playback.pauseForDevice() }
      // Another thread may start these after this.
      for key in draining.keys { draining[key]?.playback.note(.pause) }
      pausesDraining = !draining.isEmpty
    }

    /// The sources with calls that ran, if they have to be paused now.
    mutating func takePauses() -> [Kept]? {
      guard pausesDraining else { return nil }
      pausesDraining = false
      var pause = DeferredPlayback(state: .playing, frame: 0)
      pause.note(.pause)
      return draining.values.map { ($0.reference, pause) }
    }
  }

  /// Whether no deferred calls are running or due.
  var isSettled: Bool {
    state.withLock { !$0.deferred.isSettling && ($0.deferred.sources.isEmpty || device.suspensions.defersCommands) }
  }

  /// Applies the suspension of the device to the context, except for work that another thread is doing.
  func settleSuspension() {
    state.withLock { state in
      let suspensions = device.suspensions
      handle.setMuted(suspensions.isMuted, listenerGain: state.scene.listener.gain)
      // The positions of all sources for the time of the suspension.
      if suspensions.isFrozen { recordAllPositions(&state) }
      guard suspensions.defersCommands else { return }
      state.deferred.isOn = true
      defersCommands.store(true, ordering: .releasing)
    }
    var hasTold = false
    while let sources = takeDeferredCommands(hasTold: hasTold) {
      for (reference, playback) in sources {
        guard let source = reference.object else { continue }
        for call in playback.calls { source.performDeferred(call) }
        // A one-shot that never begins sends no notification that would release it: its play call was cancelled, or
        // failed. A source that began is not `initial` again, however short its sound is.
        if playback.state == .stopped || source.state == .initial { dropOneShot(ObjectIdentifier(source)) }
      }
      hasTold = true
    }
  }

  /// The next deferred calls to perform, for one thread at a time.
  ///
  /// `hasTold` is whether the thread has performed an earlier batch. Returns `nil` if no calls are left; from then on
  /// calls run at once.
  private func takeDeferredCommands(hasTold: Bool) -> [DeferredCommands.Kept]? {
    state.withLock { state in
      if hasTold, let pauses = state.deferred.takePauses() { return pauses }
      if hasTold { (state.deferred.isSettling, state.deferred.draining) = (false, [:]) }
      guard state.deferred.isOn, !state.deferred.isSettling, !device.suspensions.defersCommands else { return nil }
      guard state.deferred.sources.isEmpty else {
        state.deferred.isSettling = true
        state.deferred.draining = state.deferred.sources
        defer { state.deferred.sources = [:] }
        return state.deferred.sources.sorted { $0.key.generation < $1.key.generation }.map(\.value)
      }
      state.deferred.isOn = false
      defersCommands.store(false, ordering: .releasing)
      return nil
    }
  }

  /// Defers a call; returns whether it did.
  @inline(__always)
  func keeps(_ call: DeferredPlayback.Call, of source: SoundSource) -> Bool {
    defersCommands.load(ordering: .acquiring) && keep(call, of: source)
  }

  private func keep(_ call: DeferredPlayback.Call, of source: SoundSource) -> Bool {
    let reference = Weak(source)
    // The state does not change during the suspension, except that the loss of a device pauses.
    let now = DeferredPlayback(state: source.ownState, frame: source.ownPlaybackFrame)
    return state.withLock { state in
      guard state.deferred.isOn else { return false }
      state.deferred.note(call, of: source.key, reference, now: now)
      return true
    }
  }

  /// The future state of a source with deferred calls; `nil` without any.
  @inline(__always)
  func kept(of source: SoundSource) -> DeferredPlayback? {
    guard defersCommands.load(ordering: .acquiring) else { return nil }
    return state.withLock { ($0.deferred.sources[source.key] ?? $0.deferred.draining[source.key])?.playback }
  }
}

extension SoundSource {
  /// Performs a deferred call.
  fileprivate func performDeferred(_ call: DeferredPlayback.Call) {
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
