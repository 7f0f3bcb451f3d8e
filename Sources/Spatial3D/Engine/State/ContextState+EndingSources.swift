internal import AudioSupport

// Fades out the sounds that a library before 1.21.1 would cut.
//
// The library changes gains over the length of a mix, but it ends a sound at once. The library's source of a sound that
// is to end therefore plays one more mix, at gain 0, as an ``EndingSource``. The game's source goes on at once with
// another source of the library, which has the same buffers, values and position.

/// The sources of the library that fade out.
struct EndingSources: Sendable {
  fileprivate struct Ending: Sendable {
    let source: EndingSource
    var fade: ShortFade
    /// The clock at the beginning.
    let begin: Int64
  }

  fileprivate var all: [Ending] = []
  /// Whether a source has started inside its sound since the last mix, in which the library fades it in.
  fileprivate var fadesIn = false

  /// Whether sounds are cut: the game has asked for an end that is exact to the sample.
  var isOff = false

  var count: Int { all.count }

  /// The number of frames to mix on their own, so that no fade is longer; `nil` without a fade.
  var frames: Int? {
    fadesIn || !all.isEmpty ? all.lazy.map(\.fade.framesLeft).max() ?? ShortFade.length : nil
  }
}

extension ContextState {
  /// Whether the library would cut a source that ends now.
  func wouldCut(_ key: SourceKey) -> Bool { handle.cutsSounds && wouldCut(key, at: handle.clock) }

  private func wouldCut(_ key: SourceKey, at clock: Int64) -> Bool {
    // A suspended mix has faded out already.
    guard handle.cutsSounds, !endings.isOff, !device.isSuspended, !deferred.isRunning, !handle.isLost,
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
        if verb == .play || verb == .pause { state.countLoops(of: source, until: position) }
        let old = state.records[source.key].id
        guard let next = state.handle.createSource(withBuffersOf: old) else { continue }
        state.end(old, of: source.key, playing: source.heldHandles)
        state.rename(source.key, to: next)
        source.rename(to: next)
        state.bring(next, to: verb, at: position.frame)
        state.applyEverything(of: source.key)
        isAnyReplaced = true
      }
      state.silenceEndings()
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
    end(records[key].id, of: key, playing: buffers())
    silenceEndings()
  }

  private mutating func end(_ id: UInt32, of key: SourceKey, playing buffers: [BufferHandle]) {
    var buffers = buffers
    if let padding = records[key].start.padding { buffers.append(padding.buffer.handle) }
    let gain = gainRamps.gain(of: key) ?? records[key].scene.values.gain
    let fade = ShortFade(from: gain * records[key].scene.gainFactor)
    endings.all.append(.init(source: EndingSource(id, playing: buffers, in: handle), fade: fade, begin: handle.clock))
  }

  /// Gives a new source of the library the state that a verb leads to, without a sound; the caller applies its values.
  private func bring(_ id: UInt32, to verb: ContextHandle.Verb, at frame: Double) {
    guard verb == .pause || verb == .stop else { return }
    handle.silenceWithoutEnd(id)
    handle.perform(.play, id)
    handle.perform(verb, id)
    if verb == .pause { handle.seek(id, to: frame) }
  }

  /// Rewinds a paused source to start at its position, which fades in: the library would resume it within one sample.
  mutating func prepareToResume(_ source: SoundSource) {
    guard handle.cutsSounds, !endings.isOff, handle.state(source.id) == .paused else { return }
    handle.rewindInPlace(source.id)
    endings.fadesIn = true
  }

  /// Ends the sends of sources that fade out, before the deletion of an effect slot.
  func endSendsOfEndings() {
    guard !endings.all.isEmpty else { return }
    handle.endSends(of: endings.all.lazy.map(\.source.id), limit: scene.sendLimit)
  }
}

// MARK: - Time

extension ContextState {
  /// Starts the fades on an output; offline they start with the next mix, whose length counts.
  private func silenceEndings() {
    if !device.isOffline {
      handle.setGains(endings.all.lazy.map { ($0.source.id, 0) })
      device.wakeMonitor()
    }
  }

  /// Continues the fades with the next mix of an offline context.
  mutating func fadeEndings(over frames: Int) {
    guard endings.frames != nil, !device.isSuspended else { return }
    endings.fadesIn = false
    let gains = endings.all.indices.map { (endings.all[$0].source.id, endings.all[$0].fade.advance(by: frames)) }
    handle.setGains(gains.lazy.map { (id: $0.0, gain: $0.1) })
  }

  /// Releases the sources that an offline context has faded out.
  mutating func releaseFadedEndings() {
    if !endings.all.isEmpty { endings.all.removeAll { $0.fade.framesLeft == 0 } }
  }

  /// Releases the sources that an output has faded out; returns the nanoseconds until the next look, `nil` for none.
  mutating func waitForEndings() -> Int64? {
    guard !endings.all.isEmpty else { return nil }
    if handle.isLost || device.handle.isPlaceholder {
      releaseAllEndings()
      return nil
    }
    let rate = max(handle.sampleRate, 1)
    // A mix that was in progress at the beginning of a fade does not count.
    let length = Int64(2 * framesPerMix()) * 1_000_000_000 / Int64(rate)
    let now = handle.clock
    endings.all.removeAll { now - $0.begin >= length }
    return endings.all.isEmpty || device.isSuspended ? nil : length
  }

  /// Cuts the sound that has faded out for longest, for a new source; returns whether there was one.
  mutating func releaseOldestEnding() -> Bool {
    guard !endings.all.isEmpty else { return false }
    endings.all.removeFirst()
    return true
  }

  /// Releases all sources that fade out, because the device is replaced.
  mutating func releaseAllEndings() { endings.all = [] }
}

extension SoundSource {
  /// The library's buffers of the sound.
  var heldHandles: [BufferHandle] {
    heldBuffers.withLock { $0.map(\.handle) } + (stream?.buffers.withLock { $0.map(\.handle) } ?? [])
  }
}
