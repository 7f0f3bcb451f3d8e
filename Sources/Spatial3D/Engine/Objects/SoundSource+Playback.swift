extension SoundSource {
  /// The current state of the source.
  ///
  /// The OpenAL counterpart is `AL_SOURCE_STATE`.
  public var state: SourceState { context.deferredPlayback(of: self)?.state ?? ownState }

  /// The current state of the source, without the calls that a suspended context still holds back.
  var ownState: SourceState {
    guard let stream else { return soundState }
    return read(stream) { stream, _ in stream.state }
  }

  /// Plays from the beginning, or from the paused position.
  ///
  /// A source that already plays starts again. The change is audible from the next mix on. Earlier changes to the
  /// source and the listener, also inside ``AudioContext/withDeferredUpdates(_:)``, are audible from the first frame.
  ///
  /// The OpenAL counterpart is `alSourcePlay`.
  public func play() {
    if !context.defers(.play, of: self) { perform(.play) }
  }

  /// Plays from a moment of the context's ``AudioContext/clock`` on, exact to the frame.
  ///
  /// ``AudioContext/play(_:at:)`` starts several sources at once; its documentation lists the details and the
  /// libraries.
  ///
  /// The OpenAL counterpart is `alSourcePlayAtTimeSOFT`.
  public func play(at time: Duration) { context.play([self], at: time) }

  /// Pauses a playing source at its position; a source that does not play stays unchanged.
  ///
  /// The OpenAL counterpart is `alSourcePause`.
  public func pause() {
    if !context.defers(.pause, of: self) { perform(.pause) }
  }

  /// Ends a playing or paused source; a source that was never played stays unchanged.
  ///
  /// The OpenAL counterpart is `alSourceStop`.
  public func stop() {
    if !context.defers(.stop, of: self) { perform(.stop) }
  }

  /// Ends the source and resets it to ``SourceState/initial``, at its beginning.
  ///
  /// The OpenAL counterpart is `alSourceRewind`.
  public func rewind() {
    if !context.defers(.rewind, of: self) { perform(.rewind) }
  }

  /// Performs a verb on the source, and feeds it if it is offline.
  func perform(_ verb: ContextHandle.Verb) {
    context.withState { $0.perform(verb, self) }
    feedOffline()
  }
}
