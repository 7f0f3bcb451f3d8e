internal import AudioSupport

extension AudioContext {
  /// Runs a closure, and applies all changes that it makes in the same mix.
  ///
  /// Inside the closure, a setter of the listener or of a source of this context only stores the value. The end of the
  /// closure applies all changed values in one call, also when the closure throws. Wrap a game's frame in it: one call
  /// is faster than many, and no mix contains half a frame.
  ///
  /// Calls may nest: the end of the outermost call applies the values. The stored values belong to this thread until
  /// then. Other threads read the earlier values; their own changes are audible at once, or at the end of their own
  /// call. A part of the listener that ends at its initial value is not applied. Playing, pausing and stopping are not
  /// deferred: the source and the listener are up to date when the source is played.
  ///
  /// OpenAL Soft 1.25 has a race of its own: if it mixes without pause, it tears a few changes in a hundred thousand
  /// between two sources. The library does not defer ``SoundSource/isLooping``, which may be audible a moment before
  /// the rest. A change of output or a context with other settings restarts the device. From the restart until the end
  /// of the next mix nothing is deferred, because the library would use memory that it has freed.
  ///
  /// The OpenAL counterparts are `alDeferUpdatesSOFT` and `alProcessUpdatesSOFT`.
  public func withDeferredUpdates<Result: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if unsafe Batch.ofThread(for: self) != nil { return try body() }
    let batch = state.withLock { $0.batches.take() } ?? Batch()
    batch.open(for: self)
    defer {
      batch.close()
      let unplaced = state.withLock { state in
        batch.withStorage { state.prepareHandover($0) }
        state.batches.store(batch)
        return batch.withStorage { state.apply(&$0) }
      }
      for sound in unplaced { report(unplaced: sound) }
    }
    return try body()
  }
}
