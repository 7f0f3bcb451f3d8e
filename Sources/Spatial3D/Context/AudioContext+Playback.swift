extension AudioContext {
  /// Plays sources so that all start at the same frame of the mix.
  ///
  /// Each source starts as with ``SoundSource/play()``, which by itself starts a source at whichever mix comes next.
  /// Sources of another context are left alone.
  ///
  /// The OpenAL counterpart is `alSourcePlayv`.
  public func play(_ sources: [SoundSource]) {
    let own = own(sources, unlessKept: .play)
    noting { start(own, &$0) }
    for source in own { source.feedOffline() }
  }

  /// Holds sources of this context at their positions, all at the same frame of the mix.
  ///
  /// The OpenAL counterpart is `alSourcePausev`.
  public func pause(_ sources: [SoundSource]) {
    perform(.pause, own(sources, unlessKept: .pause))
  }

  /// Ends sources of this context, all at the same frame of the mix.
  ///
  /// The OpenAL counterpart is `alSourceStopv`.
  public func stop(_ sources: [SoundSource]) {
    perform(.stop, own(sources, unlessKept: .stop))
  }

  /// Ends sources of this context and puts them back to their beginnings, all at the same frame of the mix.
  ///
  /// The OpenAL counterpart is `alSourceRewindv`.
  public func rewind(_ sources: [SoundSource]) {
    perform(.rewind, own(sources, unlessKept: .rewind))
  }

  private func perform(_ verb: ContextHandle.Verb, _ sources: [SoundSource]) {
    noting { state in
      noting(verb, of: sources, &state) { ids, state in
        performing(&state) { state in
          if !state.schedule.isEmpty { for source in sources { adjustSchedule(verb, source, &state) } }
          if verb != .pause { for source in sources { state.scene.forgetStartFrame(of: source.key) } }
          handle.perform(verb, ids)
        }
      }
    }
    for source in sources { source.feedOffline() }
  }

  /// Starts sources of this context at the next mix, all at its first frame.
  ///
  /// A paused source that waits for a scheduled start waits on, unless `endingWaits` is set.
  func start(_ sources: [SoundSource], endingWaits: Bool = false, _ state: inout State) {
    let clock = handle.clock
    let waiting = Set(sources.filter { waitsInLibrary($0, state) }.map(\.id))
    noting(.play, of: sources, &state) { ids, state in
      let ids = Set(ids)
      performing(&state, hidesSteps: !waiting.isEmpty) { state in
        if endingWaits { for source in sources { endWait(of: source, &state) } }
        let ready = sources.filter {
          ids.contains($0.id) && prepareToPlay($0, at: clock, waits: waiting.contains($0.id), &state)
        }
        handle.perform(.play, ready.map(\.id))
      }
    }
  }

  /// Runs a closure that calls the library for sources, and adjusts the scheduled sources.
  ///
  /// With `hidesSteps`, no reader gets a state from between two calls.
  func performing(_ state: inout State, hidesSteps: Bool = false, _ body: (inout State) -> Void) {
    if state.schedule.isEmpty, !hidesSteps { body(&state) } else { changingSchedule(&state, body) }
  }

  /// The sources of this context to which the call applies now.
  func own(_ sources: [SoundSource], unlessKept call: DeferredPlayback.Call) -> [SoundSource] {
    sources.filter { $0.context === self && !keeps(call, of: $0) }
  }

  /// Applies the calling thread's batched values of a source and of the listener.
  func handOverBatch(of source: SoundSource, _ state: inout State) {
    guard let batch = unsafe Batch.ofThread(for: self) else { return }
    // The batch is this thread's own, and open.
    let properties = unsafe batch.pointee.take(source.key, into: &state.scene)
    if !properties.isEmpty { handle.apply(properties, of: source.key, in: &state.scene) }
    if let sound = state.scene.takeUnplacedSound(of: source.key) { unsafe batch.pointee.note(unplaced: sound) }
    unsafe willHandOverListener(of: batch.pointee, &state)
    let parts = unsafe batch.pointee.takeListener(into: &state.scene)
    if !parts.isEmpty { handle.apply(parts, ofListenerIn: state.scene) }
  }

  /// Applies the values that a source must have before it starts, and returns whether there is anything to start.
  ///
  /// A source that waits in the library starts at the frame where it would have started, and not at its beginning.
  func prepareToPlay(_ source: SoundSource, at clock: Int64?, waits: Bool, _ state: inout State) -> Bool {
    handOverBatch(of: source, &state)
    guard !resumesWaiting(source, &state) else { return false }
    guard let clock else { return true }
    if waits {
      putBack(source)
      state.scene.noteStart(at: -1, of: source.key)
      return true
    }
    let now = handle.state(source.id)
    // Nothing was mixed since the source started from its beginning: it is still there. OpenAL Soft 1.25 would keep one
    // more voice, some 10 KB, for each such restart. It does so for each seek, and for each stop and start, between two
    // mixes.
    if now == .playing, state.scene.startClock(of: source.key) == clock { return false }
    if now != .paused { state.scene.noteStart(at: clock, of: source.key) }
    return true
  }
}
