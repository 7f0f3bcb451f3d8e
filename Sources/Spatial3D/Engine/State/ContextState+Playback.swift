internal import AudioSupport

extension ContextState {
  /// Starts sources of this context at the next mix, all at its first frame.
  ///
  /// A paused source that waits for a scheduled start waits on, unless `endingWaits` is set.
  mutating func start(_ sources: [SoundSource], endingWaits: Bool = false) {
    endingFades(of: sources) { $0.startFaded(sources, endingWaits: endingWaits) }
  }

  private mutating func startFaded(_ sources: [SoundSource], endingWaits: Bool) {
    let clock = handle.clock
    let waiting = Set(sources.filter { waitsInLibrary($0) }.map(\.id))
    reporting(.play, of: sources) { playable, state in
      state.performing(hidesSteps: !waiting.isEmpty || state.handle.cutsSounds) { state in
        state.fadeOut(playable, before: .play)
        if endingWaits {
          for source in sources {
            state.records[source.key].library.endWait(of: source, &state.schedule, by: state.handle)
          }
        }
        let ready = playable.filter { state.prepareToPlay($0, at: clock, waits: waiting.contains($0.id)) }
        state.handle.perform(.play, ready.map(\.id))
      }
    }
  }

  /// Runs a closure that calls the library for sources, and adjusts the scheduled sources.
  ///
  /// With `hidesSteps`, no reader gets a state from between two calls.
  mutating func performing(hidesSteps: Bool = false, _ body: (inout ContextState) -> Void) {
    if schedule.isEmpty, !hidesSteps { body(&self) } else { changingSchedule(body) }
  }

  /// Applies the values that a source must have before it starts, and returns whether there is anything to start.
  ///
  /// A source that waits in the library starts at the frame where it would have started, and not at its beginning.
  mutating func prepareToPlay(_ source: SoundSource, at clock: Int64?, waits: Bool) -> Bool {
    handOverBatch(of: source)
    let startsInside = records[source.key].start.wait?.frame != nil
    guard !resumesWaiting(source) else { return false }
    guard let clock else { return true }
    if waits {
      handle.rewindInPlace(source.id)
      records[source.key].start.begin(at: -1)
      return true
    }
    let now = handle.state(source.id)
    // Nothing was mixed since the source started from its beginning: it is still there. OpenAL Soft 1.25 would keep one
    // more voice, some 10 KB, for each such restart. It does so for each seek, and for each stop and start, between two
    // mixes.
    if now == .playing, records[source.key].start.clock == clock { return false }
    if now != .paused { records[source.key].start.begin(at: startsInside ? -1 : clock) }
    shortFades.endings.prepareToResume(source.id, by: handle)
    return true
  }

  /// Performs a verb on sources, all in the same mix.
  mutating func perform(_ verb: ContextHandle.Verb, _ sources: [SoundSource]) {
    if verb == .play { return start(sources) }
    endingFades(of: sources) { state in
      state.reporting(verb, of: sources) { ready, state in
        state.performing(hidesSteps: state.handle.cutsSounds) { state in
          state.fadeOut(ready, before: verb)
          for source in sources { state.adjustStart(verb, source) }
          state.handle.perform(verb, ready.map(\.id))
        }
      }
    }
  }

  /// Performs a verb on one source; allocates no array.
  mutating func perform(_ verb: ContextHandle.Verb, _ source: SoundSource) {
    guard fades.isEmpty else { return endingFades(of: [source]) { $0.performFaded(verb, source) } }
    performFaded(verb, source)
  }

  private mutating func performFaded(_ verb: ContextHandle.Verb, _ source: SoundSource) {
    if let stream = source.stream { return perform(verb, on: stream, of: source) }
    let waits = verb == .play && waitsInLibrary(source)
    reporting(verb, of: source) { state in
      state.performing(hidesSteps: waits || state.handle.cutsSounds) { state in
        if state.wouldCut(source.key) { state.fadeOut([source], before: verb) }
        state.adjustStart(verb, source)
        guard verb != .play || state.prepareToPlay(source, at: state.handle.clock, waits: waits) else { return }
        state.handle.perform(verb, source.id)
      }
    }
  }
}
