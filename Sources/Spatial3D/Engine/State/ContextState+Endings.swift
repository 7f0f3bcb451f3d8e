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
