internal import AudioSupport

extension SoundSource {
  /// Fades out, and then stops.
  ///
  /// The gain falls linearly to 0 over the duration of the context's ``AudioContext/clock``, in steps of at most 512
  /// frames; on an output, once in each mix. ``gain`` stays as it is. The source is ``SourceState/playing`` until the
  /// end, which a notification reports at its frame. A source that does not play stops at once.
  ///
  /// A seek changes nothing of the fade. Any other call ends it: the source stops, and the call follows. A second fade
  /// to a stop or a pause goes on from the present level instead. While the context is suspended with
  /// ``SuspensionMode/queue``, there is no fade.
  ///
  /// A duration of 0 or below stops within one sample on OpenAL Soft before 1.21.1, which clicks. Later versions fade
  /// each end over 64 frames, as ``stop()`` does here on all of them.
  public func stop(fadingOut duration: Duration) {
    if !context.defers(.stop, of: self) { fade(over: duration, then: .stop) }
  }

  /// Fades out, and then pauses.
  ///
  /// It fades as ``stop(fadingOut:)`` does. It pauses at the position that it has reached at the end of the fade. A
  /// ``play()`` before it goes on from the present position, and ``play(fadingIn:)`` from the present level as well.
  public func pause(fadingOut duration: Duration) {
    if !context.defers(.pause, of: self) { fade(over: duration, then: .pause) }
  }

  /// Plays as ``play()`` does, and fades in.
  ///
  /// It fades as ``stop(fadingOut:)`` does, from 0 to ``gain``. A source that was paused ahead of its scheduled
  /// start fades in from there on. A source that fades out ahead of a pause goes on, from its present level.
  public func play(fadingIn duration: Duration) {
    guard !context.defers(.play, of: self) else { return }
    context.withState { $0.play(self, fadingInOver: duration.inNanoseconds) }
    feedOffline()
  }

  private func fade(over duration: Duration, then verb: ContextHandle.Verb) {
    context.withState { $0.fade(self, over: duration.inNanoseconds, then: verb) }
    feedOffline()
  }
}

// MARK: - Short ramps

extension SoundSource {
  /// Sets the gain of a source that sounds; mixes of an offline context reach it over 64 frames at least.
  package func rampGain(to gain: Float) {
    if context.device.isRendered {
      context.state.withLock { $0.shortFades.ramps.ramp(key, from: $0.records[key].scene.values.gain) }
    }
    self.gain = Gain(gain)
  }

  /// Sets the gain of a source that is about to play, from the beginning of its sound or from a position inside of it.
  ///
  /// The library fades a sound in that begins inside. A mix of an offline context may be too short for that.
  package func beginWithGain(_ gain: Float, isInside: Bool) {
    if context.device.isRendered { context.state.withLock { $0.shortFades.ramps.begin(key, fadesIn: isInside) } }
    self.gain = Gain(gain)
  }
}
