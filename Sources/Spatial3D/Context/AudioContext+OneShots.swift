extension AudioContext {
  /// Plays a sound once, from a place, without a source to look after.
  ///
  /// The context keeps the source until it ends, by itself or by a call, and lives for as long: a context that was dropped
  /// falls silent after its last sound. A renderer that is dropped drops them.
  ///
  /// - Parameters:
  ///   - buffer: The sound.
  ///   - position: Where it is, as ``SoundSource/position``.
  ///   - gain: How loud it is, as ``SoundSource/gain``.
  /// - Returns: The source, for what else is to be set or observed.
  /// - Throws: ``AudioError`` as ``SoundSource/init(playing:in:)`` does.
  @discardableResult
  public func playOnce(
    _ buffer: SoundBuffer,
    at position: SIMD3<Float> = .zero,
    gain: Float = 1
  ) throws(AudioError) -> SoundSource {
    let source = try SoundSource(playing: buffer, in: self)
    source.position = position
    source.gain = gain
    let identity = ObjectIdentifier(source)
    let token = source.observe(.state) { [weak self] notification in
      guard notification.state == .stopped || notification.state == .initial else { return }
      self?.dropOneShot(identity)
    }
    state.withLock { $0.oneShots.keep(source, token: token) }
    source.play()
    return source
  }

  /// Gives up a one-shot that has ended; does nothing for any other source.
  func dropOneShot(_ source: ObjectIdentifier) {
    let dropped = state.withLock { $0.oneShots.remove(source) }
    withExtendedLifetime(dropped) {}
  }

  func dropOneShots() {
    let dropped = state.withLock { $0.oneShots.removeAll() }
    withExtendedLifetime(dropped) {}
  }
}
