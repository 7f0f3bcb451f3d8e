internal import Synchronization

extension AudioContext {
  /// What sources were told that are to be told later.
  struct KeptCalls: Sendable {
    typealias Kept = (reference: SourceReference, playback: KeptPlayback)

    var isOn = false
    /// Whether a thread tells sources now.
    var isSettling = false
    var sources: [SourceKey: Kept] = [:]
    /// What sources are being told now: where those start from that are told something meanwhile.
    var inHand: [SourceKey: Kept] = [:]
    /// Whether those are to be paused when they were told.
    var pausesInHand = false

    /// Takes a call of a source that does something now, unless it is being told something.
    mutating func note(_ call: KeptPlayback.Call, of key: SourceKey, _ reference: SourceReference, now: KeptPlayback) {
      var kept = sources[key] ?? (reference, inHand[key]?.playback.next ?? now)
      kept.playback.note(call)
      sources[key] = kept
    }

    /// All was paused: nothing that is kept plays.
    mutating func pauseForDevice() {
      for key in sources.keys { sources[key]?.playback.pauseForDevice() }
      // Another thread may tell these to play after this.
      for key in inHand.keys { inHand[key]?.playback.note(.pause) }
      pausesInHand = !inHand.isEmpty
    }

    /// The sources that were told what was in hand, if they are to be paused now.
    mutating func takePauses() -> [Kept]? {
      guard pausesInHand else { return nil }
      pausesInHand = false
      var pause = KeptPlayback(state: .playing, frame: 0)
      pause.note(.pause)
      return inHand.values.map { ($0.reference, pause) }
    }
  }

  /// Whether nobody tells sources what was kept, or has to.
  var isSettled: Bool {
    state.withLock { !$0.kept.isSettling && ($0.kept.sources.isEmpty || device.suspensions.keepsCalls) }
  }

  /// Brings the scene to what its device is suspended for, as far as no other thread does.
  func settleSuspension() {
    state.withLock { state in
      let suspensions = device.suspensions
      handle.setMuted(suspensions.isMuted, listenerGain: state.scene.listener.gain)
      // Where all is until time goes on.
      if suspensions.isFrozen { markAll(&state) }
      guard suspensions.keepsCalls else { return }
      state.kept.isOn = true
      keepsCalls.store(true, ordering: .releasing)
    }
    var hasTold = false
    while let sources = takeKeptCalls(hasTold: hasTold) {
      for (reference, playback) in sources {
        guard let source = reference.source else { continue }
        for call in playback.calls { source.performKept(call) }
        // No notification drops a one-shot that never begins: one whose play was taken back, or failed. A source that has
        // begun is not `initial` again, however short its sound.
        if playback.state == .stopped || source.state == .initial { dropOneShot(ObjectIdentifier(source)) }
      }
      hasTold = true
    }
  }

  /// What is to be told now, by one thread at a time, which may have told what it took before; `nil` where nothing is left, from when on
  /// sources are told at once.
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
    let reference = SourceReference(source)
    // Nothing moves while time stands still, and only a loss pauses.
    let now = KeptPlayback(state: source.ownState, frame: source.ownPlaybackFrame)
    return state.withLock { state in
      guard state.kept.isOn else { return false }
      state.kept.note(call, of: source.key, reference, now: now)
      return true
    }
  }

  /// What a source will be, if it was told something that is kept.
  @inline(__always)
  func kept(of source: SoundSource) -> KeptPlayback? {
    guard keepsCalls.load(ordering: .acquiring) else { return nil }
    return state.withLock { ($0.kept.sources[source.key] ?? $0.kept.inHand[source.key])?.playback }
  }
}

extension SoundSource {
  /// Does now what was kept.
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
