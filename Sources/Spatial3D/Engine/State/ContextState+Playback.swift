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

// MARK: - At a time

extension ContextState {
  /// Plays sources of this context at a time, some of them from copies of their sounds.
  mutating func play(_ sources: [SoundSource], at time: Duration, copies: [SourceKey: PaddedCopy]) {
    endingFades(of: sources) { state in
      state.changingSchedule { state in
        guard time > .nanoseconds(state.handle.clock) else { return state.start(sources, endingWaits: true) }
        // A source without a sound stops at once, and does not wait for one.
        state.start(sources.filter { $0.frameCount == 0 && $0.stream == nil })
        let waiting = sources.filter { $0.frameCount > 0 || $0.stream != nil }
        state.reporting(.play, of: waiting) { ready, state in
          state.start(ready, at: time, copies: copies)
        }
        state.storeStart(of: waiting, at: time)
      }
    }
  }

  /// Stores the scheduled start of sources.
  private mutating func storeStart(of sources: [SoundSource], at time: Duration) {
    for source in sources {
      records[source.key].start.time = time
      if records.isObserved(source.key) { observation.countFromStart(source.key, in: &records) }
    }
  }
}

// MARK: - Fades

extension ContextState {
  /// Fades a source out, and then performs a verb on it; at once where it does not play.
  mutating func fade(_ source: SoundSource, over duration: Int64, then verb: ContextHandle.Verb) {
    guard duration > 0, records[source.key].isSounding(in: scene, by: handle) else {
      return performExactly(verb, source)
    }
    let from = records[source.key].scene.fadeGain
    let fade = SourceFade(from: from, to: 0, begin: handle.clock, duration: duration, then: verb)
    fades.begin(fade, of: source, in: &records, scene, of: device, by: handle)
  }

  /// Plays a source, and fades it in.
  ///
  /// A source that fades out ahead of a pause goes on.
  mutating func play(_ source: SoundSource, fadingInOver duration: Int64) {
    guard duration > 0 else { return performExactly(.play, source) }
    let key = source.key
    let goesOn = fades[key]?.call == .pause && records[key].isSounding(in: scene, by: handle)
    if !goesOn {
      if let fade = fades[key], fade.call != nil { end(fade, of: source) }
      fades.remove(key)
      records.setFadeGain(0, of: [key], in: scene, by: handle)
      perform(.play, source)
    }
    let start = records[key].start.time?.inNanoseconds ?? 0
    let from = records[key].scene.fadeGain
    let fade = SourceFade(from: from, to: 1, begin: max(handle.clock, start), duration: duration)
    fades.begin(fade, of: source, in: &records, scene, of: device, by: handle)
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
    if !fades.isEmpty {
      for source in sources {
        guard let fade = fades[source.key] else { continue }
        if fade.call == nil {
          fadingIn.append(source.key)
          fades.remove(source.key)
        } else {
          end(fade, of: source)
        }
      }
    }
    body(&self)
    if !fadingIn.isEmpty { records.setFadeGain(1, of: fadingIn, in: scene, by: handle) }
  }

  /// Ends a fade that a source still has, with its call.
  mutating func end(_ fade: SourceFade, of source: SoundSource) {
    guard fades[source.key] == fade else { return }
    fades.remove(source.key)
    if let verb = fade.call { perform(verb, source) }
    records.setFadeGain(1, of: [source.key], in: scene, by: handle)
  }
}

// MARK: - Endings

// Fades out the sounds that a library before 1.21.1 would cut.

extension ContextState {
  /// Whether the library would cut a source that ends now.
  func wouldCut(_ key: SourceKey) -> Bool { handle.cutsSounds && wouldCut(key, at: handle.clock) }

  private func wouldCut(_ key: SourceKey, at clock: Int64) -> Bool {
    // A suspended mix has faded out already.
    guard handle.cutsSounds, !shortFades.endings.isOff, !device.isSuspended, !deferred.isRunning, !handle.isLost,
      !device.handle.isPlaceholder
    else {
      return false
    }
    // A source without a mixed frame has no sound to cut.
    return records[key].library.hasMixedSound(before: clock, by: handle)
  }

  /// Lets the sounds of sources fade out ahead of a verb, where the library would cut them.
  ///
  /// Each source then has the state that the verb leads to, in another source of the library: it is paused or stopped,
  /// or has not begun. A context without another source cuts the sound. Returns whether any source goes on with
  /// another.
  @discardableResult
  mutating func fadeOut(_ sources: [SoundSource], before verb: ContextHandle.Verb) -> Bool {
    guard handle.cutsSounds else { return false }
    let cut = positions(ofCut: sources)
    guard !cut.isEmpty else { return false }
    return changingSchedule { state in
      var isAnyReplaced = false
      for (source, position) in cut {
        // A thread that stands still from here on leaves more time than the sound was mixed.
        let (handle, key) = (state.handle, source.key)
        if verb == .play || verb == .pause, state.records.isObserved(key), source.stream == nil {
          state.observation.countLoops(key, until: position, in: &state.records, state.scene, &state.output)
        }
        guard let next = handle.createSource(withBuffersOf: state.records[key].id) else { continue }
        state.shortFades.end(key, state.records[key].library, playing: source.heldHandles, by: handle)
        state.observation.rename(key, to: next, in: &state.records)
        source.rename(to: next)
        handle.bring(next, to: verb, at: position.frame)
        state.records.applyEverything(of: key, in: state.scene, by: handle)
        isAnyReplaced = true
      }
      state.shortFades.endings.start(on: state.device, by: state.handle)
      return isAnyReplaced
    }
  }

  /// The sources that the library would cut, and their positions between the same two mixes.
  ///
  /// A mix in between would part sources that are paused together.
  private func positions(ofCut sources: [SoundSource]) -> [(source: SoundSource, position: ContextHandle.Position)] {
    var cut: [(source: SoundSource, position: ContextHandle.Position)] = []
    // A clock that the package counts never stands still.
    for _ in 0..<64 {
      let clock = handle.clock
      cut = sources.filter { wouldCut($0.key, at: clock) }.map { ($0, handle.position(records[$0.key].id)) }
      if handle.clock == clock { break }
    }
    return cut
  }

  /// Lets the library's source of a released source fade out, if the library would cut it; else destroys it.
  mutating func endSource(of key: SourceKey, playing buffers: @autoclosure () -> [BufferHandle]) {
    guard wouldCut(key) else { return handle.destroySource(records[key].id) }
    shortFades.end(key, records[key].library, playing: buffers(), by: handle)
    shortFades.endings.start(on: device, by: handle)
  }
}
