internal import AudioSupport

extension AudioContext {
  /// Plays a sound once at a position, without a source to keep.
  ///
  /// The context keeps the source until it ends, by itself or by a call. The source keeps the context alive for as
  /// long: a dropped context falls silent after its last sound. A dropped renderer drops its one-shots.
  ///
  /// - Parameters:
  ///   - buffer: The sound.
  ///   - position: Its position, as ``SoundSource/position``.
  ///   - gain: Its gain, as ``SoundSource/gain``.
  /// - Returns: The source, for further settings or for observation.
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

  /// Releases a one-shot that has ended; does nothing for any other source.
  func dropOneShot(_ source: ObjectIdentifier) {
    let dropped = state.withLock { $0.oneShots.remove(source) }
    withExtendedLifetime(dropped) {}
  }

  func dropOneShots() {
    let dropped = state.withLock { $0.oneShots.removeAll() }
    withExtendedLifetime(dropped) {}
  }
}
