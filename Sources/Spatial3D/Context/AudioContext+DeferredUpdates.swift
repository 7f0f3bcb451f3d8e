extension AudioContext {
  /// Runs a closure, and lets the next mix hear all that it set at once.
  ///
  /// Inside, setting a property of the listener or of a source of this context only notes the value; the end hands over
  /// everything that changed in one call, also when the closure throws. Wrap a game's frame in it: it is faster than
  /// setting one by one, and no mix hears half a frame. (OpenAL Soft 1.25 has a race of its own: a few changes in a hundred
  /// thousand, made while it mixes without pause, are torn between two sources. ``SoundSource/isLooping`` is not the library's to
  /// defer, and may be heard a moment before the rest. Between a restart of the device, by a context with other settings or a change of
  /// output, and the end of the next mix nothing is deferred, because the library would use memory that it has freed.)
  ///
  /// Calls may nest: the end of the outermost hands over. What is set inside is
  /// this thread's own until then: other threads read what was before, and what they set is heard at once, or at the end of
  /// their own call. (Of the listener, a part that ends as this thread found it is not handed over.) Playing, pausing and stopping are not deferred; a source that is played is up to date, and
  /// so is the listener.
  ///
  /// The OpenAL counterparts are `alDeferUpdatesSOFT` and `alProcessUpdatesSOFT`.
  public func withDeferredUpdates<Result: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if unsafe Batch.ofThread(for: self) != nil { return try body() }
    let batch = state.withLock { $0.spareBatches.popLast() } ?? Batch()
    batch.open(for: self)
    defer {
      batch.close()
      let unplaced = state.withLock { state in
        batch.withStorage { willHandOver($0, &state) }
        state.spareBatches.append(batch)
        return batch.withStorage { handle.apply(&$0, to: &state.scene) }
      }
      for sound in unplaced { report(unplaced: sound) }
    }
    return try body()
  }
}
