extension AudioContext {
  /// Plays sources so that all start at the same frame of the mix.
  ///
  /// Each as ``SoundSource/play()``, which by itself starts a source at whichever mix comes next. Sources of another context
  /// are left alone.
  ///
  /// The OpenAL counterpart is `alSourcePlayv`.
  public func play(_ sources: [SoundSource]) {
    state.withLock { state in
      let clock = handle.clock
      handle.perform(.play, own(sources).filter { prepareToPlay($0, at: clock, &state) }.map(\.id))
    }
  }

  /// Holds sources of this context at their positions, all at the same frame of the mix.
  ///
  /// The OpenAL counterpart is `alSourcePausev`.
  public func pause(_ sources: [SoundSource]) {
    state.withLock { _ in handle.perform(.pause, own(sources).map(\.id)) }
  }

  /// Ends sources of this context, all at the same frame of the mix.
  ///
  /// The OpenAL counterpart is `alSourceStopv`.
  public func stop(_ sources: [SoundSource]) {
    state.withLock { _ in handle.perform(.stop, own(sources).map(\.id)) }
  }

  /// Ends sources of this context and puts them back to their beginnings, all at the same frame of the mix.
  ///
  /// The OpenAL counterpart is `alSourceRewindv`.
  public func rewind(_ sources: [SoundSource]) {
    state.withLock { _ in handle.perform(.rewind, own(sources).map(\.id)) }
  }

  /// Hands over what a source must have before it starts, and returns whether there is anything to start.
  func prepareToPlay(_ source: SoundSource, at clock: Int64?, _ state: inout State) -> Bool {
    if let batch = unsafe Batch.ofThread(for: self) {
      // The batch is this thread's own, and open.
      let properties = unsafe batch.pointee.take(source.key, into: &state.scene)
      if !properties.isEmpty { handle.apply(properties, of: source.key, in: &state.scene) }
      let parts = unsafe batch.pointee.takeListener(into: &state.scene)
      if !parts.isEmpty { handle.apply(parts, ofListenerIn: state.scene) }
    }
    guard let clock else { return true }
    let now = handle.state(source.id)
    // Nothing was mixed since the source started from its beginning: it stands there. OpenAL Soft 1.25 would keep one more
    // voice, some 10 KB, for each of these restarts, as it does for each seek, and each stop and start, between two mixes.
    if now == .playing, state.scene.startClock(of: source.key) == clock { return false }
    if now != .paused { state.scene.noteStart(at: clock, of: source.key) }
    return true
  }

  private func own(_ sources: [SoundSource]) -> [SoundSource] {
    sources.filter { $0.context === self }
  }
}
