/// What a context's sources were doing, to be told to another device of the library.
struct CarriedContext: Sendable {
  let context: AudioContext
  var sources: [Source]

  struct Source: Sendable {
    let key: SourceKey
    let id: UInt32
    var state = SourceState.initial
    /// In 1 / 2^32 of a frame; where it starts, of one that neither plays nor is paused, and negative for its beginning.
    var fixedFrame: Int64 = -1
    /// When it begins, of one that the library lets wait, on its clock.
    var startTime: Int64?
    /// What is left of it on a device that does not say any more; `nil` of one that neither plays nor is paused there.
    var marked: MarkedCourse?
  }

  /// Reads what the library says.
  mutating func read() {
    // Places first: of one that plays after its place was read, that is where it is.
    let places = sources.map { context.handle.fixedFrame($0.id) }
    var states: [UInt8] = []
    context.handle.readStates(of: sources.map(\.id), into: &states)
    // Only now: it may have gone while those were waited for who were in the library.
    let isLost = context.isLost
    let clock = context.handle.clock ?? 0
    for (index, number) in states.enumerated() {
      let found = SourceState(shimNumber: number)
      if isLost, let lost = sources[index].marked?.place(at: clock), found == .stopped || found == .paused {
        // What is paused was not stopped by the loss.
        sources[index].state = lost.isPlaying && found == .stopped ? .playing : .paused
        sources[index].fixedFrame = Int64(saturating: lost.frame * 4_294_967_296)
      } else {
        sources[index].state = found
        if found == .playing || found == .paused { sources[index].fixedFrame = places[index] }
      }
    }
  }
}

extension AudioContext {
  /// What is to be read of the library.
  func beginCarrying(_ state: State) -> CarriedContext {
    let clock = handle.clock ?? 0
    let sources = state.scene.sources.map { key, id, startFrame in
      var source = CarriedContext.Source(key: key, id: id)
      let frame = state.schedule.startFrame(of: key) ?? Int(startFrame)
      if frame >= 0 { source.fixedFrame = Int64(frame) << 32 }
      if let start = state.watch.starts[key], handle.canDelay {
        let time = Int64(clamping: start.attoseconds / 1_000_000_000)
        if time > clock { source.startTime = time }
      }
      if needsMarks {
        source.marked = markedCourse(of: key, state)
        // What was played of a stream is at most what was there.
        if let stream = state.watch.place(of: key).flatMap({ state.watch[$0].stream }) {
          source.marked?.lastFrame = Double(max(stream.state.withLock { $0.line.frameCount } - 1, 0))
        }
      }
      return source
    }
    return CarriedContext(context: self, sources: sources)
  }

  /// Hands all that the game has set and done to a library that knows nothing of it.
  func endCarrying(_ carried: CarriedContext, _ state: inout State) {
    if state.scene.libraryDopplerFactor != 1 { handle.setDopplerFactor(state.scene.libraryDopplerFactor) }
    handle.reloadEffects(for: sampleRate)
    handle.apply([.position, .velocity, .orientation, .gain], ofListenerIn: state.scene)
    // Brought to their states unheard, also where it mixes meanwhile: stopping a mixer and letting it go on at once is what a
    // sound server may take a second for.
    for source in carried.sources where source.state == .stopped || source.state == .paused {
      handle.silence(source.id)
      if let time = source.startTime {
        // Where it starts is what it is at then.
        if source.fixedFrame > 0 { handle.seek(source.id, toFixed: source.fixedFrame) }
        handle.play([source.id], at: time)
      } else {
        handle.perform(.play, source.id)
      }
      handle.perform(source.state == .paused ? .pause : .stop, source.id)
      if source.state == .paused, source.startTime == nil { handle.seek(source.id, toFixed: source.fixedFrame) }
    }
    for source in carried.sources {
      hand(source.key, &state.scene)
      // Silence ahead of a queue is not repeated.
      if case .queue? = state.schedule.leadIns[source.key]?.place { handle.setLooping(false, source.id) }
      if source.state != .paused, source.fixedFrame >= 0 { handle.seek(source.id, toFixed: source.fixedFrame) }
    }
    let playing = carried.sources.filter { $0.state == .playing }
    handle.perform(.play, playing.filter { $0.startTime == nil }.map(\.id))
    for source in playing { if let time = source.startTime { handle.play([source.id], at: time) } }
    for source in carried.sources { mark(source.key, source.id, &state) }
    state.mixLength = nil
    state.watch.nextLoop = nil
    state.watch.nextSweep = nil
    // One that was told something of another place while the device was gone has nothing yet.
    for stream in state.watch.streams { stream.bell.ring() }
  }

  private func hand(_ key: SourceKey, _ scene: inout Scene) {
    var fresh = SourceValues()
    // The gains may be others than those that are set.
    var changed = scene.read(key) { values in fresh.adopt(.everything, of: values) }.union([.gain, .gainLimits])
    if scene.distanceModel != .inverseClamped { changed.insert(.attenuation) }
    // Where the paths go depends on the room as well.
    if sendLimit > 0 { changed.formUnion(.routing) }
    handle.apply(changed, of: key, in: &scene)
  }
}

extension SourceProperties {
  /// All that is handed over.
  fileprivate static let everything = SourceProperties(rawValue: (1 << 24) - 1)
}
