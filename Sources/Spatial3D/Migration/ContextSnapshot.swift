internal import AudioSupport

/// The playback of a context's sources, to be restored on another device of the library.
struct ContextSnapshot: Sendable {
  let context: AudioContext
  var sources: [Source]

  struct Source: Sendable {
    let key: SourceKey
    let id: UInt32
    var state = SourceState.initial
    /// The position in 1 / 2^32 of a frame.
    ///
    /// If the source neither plays nor is paused, this is its start frame; negative for its beginning.
    var fixedFrame: Int64 = -1
    /// The start time of a source that waits in the library, on the library's clock.
    var startTime: Int64?
    /// The last recorded position of a source, for a lost device; `nil` if it neither plays nor is paused there.
    var extrapolation: Extrapolation?
  }

  /// Reads states and positions from the library.
  mutating func read() {
    // The positions are read first: they then fit each source that still plays.
    let positions = sources.map { context.handle.fixedFrame($0.id) }
    var states: [UInt8] = []
    context.handle.readStates(of: sources.map(\.id), into: &states)
    // The check comes this late because the device may be lost during the wait for other threads in the library.
    let isLost = context.isLost
    let clock = context.handle.clock ?? 0
    for (index, number) in states.enumerated() {
      let found = SourceState(shimNumber: number)
      if isLost, let lost = sources[index].extrapolation?.position(at: clock), found == .stopped || found == .paused {
        // The loss does not stop a paused source.
        sources[index].state = lost.isPlaying && found == .stopped ? .playing : .paused
        sources[index].fixedFrame = Int64(saturating: lost.frame * 4_294_967_296)
      } else {
        sources[index].state = found
        if found == .playing || found == .paused { sources[index].fixedFrame = positions[index] }
      }
    }
  }
}

extension AudioContext {
  /// The sources to read from the library.
  func beginMigration(_ state: State) -> ContextSnapshot {
    let clock = handle.clock ?? 0
    let sources = state.scene.sources.map { key, id, startFrame in
      var source = ContextSnapshot.Source(key: key, id: id)
      let frame = state.schedule.startFrame(of: key) ?? Int(startFrame)
      if frame >= 0 { source.fixedFrame = Int64(frame) << 32 }
      if let start = state.observation.starts[key], handle.canDelay {
        let time = Int64(clamping: start.attoseconds / 1_000_000_000)
        if time > clock { source.startTime = time }
      }
      if recordsPositions {
        source.extrapolation = extrapolation(of: key, state)
        // A stream has played at most its queued frames.
        if let stream = state.observation.slot(of: key).flatMap({ state.observation[$0].stream }) {
          source.extrapolation?.lastFrame = Double(max(stream.state.withLock { $0.queue.frameCount } - 1, 0))
        }
      }
      return source
    }
    return ContextSnapshot(context: self, sources: sources)
  }

  /// Applies all settings and calls of the game to a new device of the library.
  func endMigration(_ snapshot: ContextSnapshot, _ state: inout State) {
    if state.scene.libraryDopplerFactor != 1 { handle.setDopplerFactor(state.scene.libraryDopplerFactor) }
    handle.reloadEffects(for: sampleRate)
    handle.apply([.position, .velocity, .orientation, .gain], ofListenerIn: state.scene)
    // The sources reach their states inaudibly, also while the device mixes: a sound server may need a second to stop
    // and resume a mixer.
    for source in snapshot.sources where source.state == .stopped || source.state == .paused {
      handle.silence(source.id)
      if let time = source.startTime {
        // The start frame is then the position of the source.
        if source.fixedFrame > 0 { handle.seek(source.id, toFixed: source.fixedFrame) }
        handle.play([source.id], at: time)
      } else {
        handle.perform(.play, source.id)
      }
      handle.perform(source.state == .paused ? .pause : .stop, source.id)
      if source.state == .paused, source.startTime == nil { handle.seek(source.id, toFixed: source.fixedFrame) }
    }
    for source in snapshot.sources {
      hand(source.key, &state.scene)
      // The library must not repeat the silence ahead of a queue.
      if case .queue? = state.schedule.paddings[source.key]?.location { handle.setLooping(false, source.id) }
      if source.state != .paused, source.fixedFrame >= 0 { handle.seek(source.id, toFixed: source.fixedFrame) }
    }
    let playing = snapshot.sources.filter { $0.state == .playing }
    handle.perform(.play, playing.filter { $0.startTime == nil }.map(\.id))
    for source in playing { if let time = source.startTime { handle.play([source.id], at: time) } }
    for source in snapshot.sources { recordPosition(source.key, source.id, &state) }
    state.mixLength = nil
    state.observation.nextLoop = nil
    state.observation.nextSweep = nil
    // A stream whose position was changed while the device was lost has no buffers yet.
    for stream in state.observation.streams { stream.refill() }
  }

  private func hand(_ key: SourceKey, _ scene: inout Scene) {
    var fresh = SourceValues()
    // The applied gains may differ from the set ones.
    var changed = scene.read(key) { values in fresh.adopt(.everything, of: values) }.union([.gain, .gainLimits])
    if scene.distanceModel != .inverseClamped { changed.insert(.attenuation) }
    // The routing depends on the room as well.
    if sendLimit > 0 { changed.formUnion(.routing) }
    handle.apply(changed, of: key, in: &scene)
  }
}

extension SourceProperties {
  /// All properties.
  fileprivate static let everything = SourceProperties(rawValue: (1 << 24) - 1)
}
