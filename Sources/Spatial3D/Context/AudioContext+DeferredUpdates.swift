extension AudioContext {
  /// Runs a closure, and lets the next mix hear all that it set at once.
  ///
  /// Inside, setting a property of the listener or of a source of this context only notes the value; the end hands over
  /// everything that changed in one call, also when the closure throws. Wrap a game's frame in it: it is faster than
  /// setting one by one, and no mix hears half a frame. Calls may nest, and those of other threads join in: the end of the
  /// last one hands over. Playing, pausing and stopping are not deferred; a source that is played is up to date.
  ///
  /// The OpenAL counterparts are `alDeferUpdatesSOFT` and `alProcessUpdatesSOFT`.
  public func withDeferredUpdates<Result: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    state.withLock { $0.scene.beginDeferring() }
    defer {
      state.withLock { state in
        state.scene.endDeferring()
        if !state.scene.isDeferring { state.outbox.flush(&state.scene, to: handle) }
      }
    }
    return try body()
  }
}
