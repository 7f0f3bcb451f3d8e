internal import AudioSupport
internal import Synchronization

extension AudioContext {
  /// Plays sources so that all start at the same frame of the mix.
  ///
  /// Each source starts as with ``SoundSource/play()``, which by itself starts a source at whichever mix comes next.
  /// Sources of another context are left out, which ``onDiagnostic`` reports once.
  ///
  /// The OpenAL counterpart is `alSourcePlayv`.
  public func play(_ sources: [SoundSource]) {
    perform(.play, own(sources, unlessDeferred: .play))
  }

  /// Holds sources of this context at their positions, all at the same frame of the mix.
  ///
  /// The OpenAL counterpart is `alSourcePausev`.
  public func pause(_ sources: [SoundSource]) {
    perform(.pause, own(sources, unlessDeferred: .pause))
  }

  /// Ends sources of this context, all at the same frame of the mix.
  ///
  /// The OpenAL counterpart is `alSourceStopv`.
  public func stop(_ sources: [SoundSource]) {
    perform(.stop, own(sources, unlessDeferred: .stop))
  }

  /// Ends sources of this context and puts them back to their beginnings, all at the same frame of the mix.
  ///
  /// The OpenAL counterpart is `alSourceRewindv`.
  public func rewind(_ sources: [SoundSource]) {
    perform(.rewind, own(sources, unlessDeferred: .rewind))
  }

  /// Plays sources at a time of the ``clock``, all of them at the same frame.
  ///
  /// Each source starts as with ``SoundSource/play()``, and counts as playing while it waits. A source that plays falls
  /// silent until then; a paused source resumes at its position. Playing a waiting source starts it at once, at the
  /// frame where it would have started. With another time it starts from its beginning; a stream that was paused before
  /// its wait may resume instead. Pausing holds it, and it waits on when it is played again. Stopping and rewinding end
  /// its wait. A source starts at once if the time has passed, or if it has no sound. Sources of another context are
  /// left out, which ``onDiagnostic`` reports once.
  ///
  /// The time is rounded to a frame of the mix. Without ``Capabilities/startDelay``, an ``OfflineRenderer``, a
  /// silent and a processed device cut their mixes there: a gain that changed just before glides over fewer frames. On
  /// a real output the source plays silence ahead of its sound, beginning a tenth of a second before: call this at
  /// least that long before the time, and do not change the pitch in the last mix. This call copies a sound with a loop
  /// range, and a looping sound shorter than a second; the copy lasts until the sound has ended. Three kinds of starts
  /// get the nearest mix instead: the starts of a later call, of a looping queue under a second, and of a source not at
  /// its beginning.
  ///
  /// ```swift
  /// let beat = context.clock + .milliseconds(500)
  /// context.play([kick, bass], at: beat)
  /// ```
  ///
  /// The OpenAL counterpart is `alSourcePlayAtTimevSOFT`.
  public func play(_ sources: [SoundSource], at time: Duration) {
    perform(own(sources, unlessDeferred: .playAt(time)), at: time)
  }

  private func perform(_ verb: ContextHandle.Verb, _ sources: [SoundSource]) {
    withState { $0.perform(verb, sources) }
    for source in sources { source.feedOffline() }
  }

  /// Plays sources of this context at a time.
  func perform(_ own: [SoundSource], at time: Duration) {
    let copies = copies(for: own, at: time)
    withState { $0.play(own, at: time, copies: copies) }
    for source in own { source.feedOffline() }
  }

  /// Copies of sounds that have loops of their own, with silence ahead, for a library without a start delay.
  ///
  /// Runs without the lock, because copying a long sound takes a while.
  private func copies(for sources: [SoundSource], at time: Duration) -> [SourceKey: PaddedCopy] {
    guard handle.usesPadding else { return [:] }
    var copies: [SourceKey: PaddedCopy] = [:]
    for source in sources where source.stream == nil && !source.hasQueue {
      guard let sound = source.buffers.first, sound.frameCount > 0 else { continue }
      let length = state.withLock { state in
        state.records[source.key].library
          .copiedSilence(playing: sound, until: time, in: state.scene, &state.output, by: handle)
      }
      if let length, let copy = try? SoundBuffer(after: length, of: sound, in: self) {
        copies[source.key] = PaddedCopy(sound: sound, copy: copy)
      }
    }
    return copies
  }

  /// The sources of this context to which the call applies now, each once.
  private func own(_ sources: [SoundSource], unlessDeferred call: DeferredPlayback.Call) -> [SoundSource] {
    if let foreign = sources.first(where: { $0.context !== self }),
      !hasReportedLeftOutSource.exchange(true, ordering: .relaxed)
    {
      report(.sourceLeftOut(sources.count { $0.context !== self }, first: foreign.inWords))
    }
    var seen: Set<SourceKey> = []
    return sources.filter { $0.context === self && seen.insert($0.key).inserted && !defers(call, of: $0) }
  }
}

// MARK: - One-shots

extension AudioContext {
  /// Plays a sound once, without a source to keep.
  ///
  /// ```swift
  /// try context.playOnce(impact)  // at the listener
  /// try context.playOnce(
  ///   impact,
  ///   at: [1, 0, -4],
  ///   pitch: .random(in: 0.95...1.05)
  /// ) { $0.occlusion = -12 }
  /// ```
  ///
  /// The context keeps the source until it ends, by itself or by a call. The source keeps the context alive for as
  /// long: a dropped context falls silent after its last sound. A dropped renderer drops its one-shots.
  ///
  /// - Parameters:
  ///   - buffer: The sound.
  ///   - position: Its position, as ``SoundSource/position``; `nil`, the default, for a sound at the listener that goes
  ///     with it, as ``SoundSource/isListenerRelative`` does.
  ///   - gain: Its gain, as ``SoundSource/gain``.
  ///   - pitch: Its pitch, as ``SoundSource/pitch``.
  ///   - configure: A closure that sets other properties of the source before it plays, so that its first frame has
  ///     them.
  /// - Returns: The source, for observation.
  /// - Throws: ``AudioError`` as ``SoundSource/init(playing:in:)`` does.
  @discardableResult
  public func playOnce(
    _ buffer: SoundBuffer,
    at position: SIMD3<Float>? = nil,
    gain: Gain = .unity,
    pitch: Float = 1,
    configure: (SoundSource) -> Void = { _ in }
  ) throws(AudioError) -> SoundSource {
    let source = try SoundSource(playing: buffer, in: self)
    if let position { source.position = position } else { source.isListenerRelative = true }
    source.gain = gain
    source.pitch = pitch
    configure(source)
    let identity = ObjectIdentifier(source)
    let token = source.observe(.state) { [weak self] notification in
      guard notification.state == .stopped || notification.state == .initial else { return }
      self?.dropOneShot(identity)
    }
    state.withLock { $0.oneShots[identity] = (source, token) }
    source.play()
    return source
  }

  /// Releases a one-shot that has ended; does nothing for any other source.
  func dropOneShot(_ source: ObjectIdentifier) {
    // It is released without the lock, because its `deinit` takes the lock.
    let dropped = state.withLock { $0.oneShots.removeValue(forKey: source) }
    withExtendedLifetime(dropped) {}
  }

  func dropOneShots() {
    let dropped = state.withLock { state in
      defer { state.oneShots = [:] }
      return state.oneShots
    }
    withExtendedLifetime(dropped) {}
  }
}

// MARK: - Fades

extension AudioContext {
  /// Performs the calls at the ends of fades.
  ///
  /// Called without a lock: a source may be released here.
  func endFades() { end(state.withLock { $0.fades.ended(of: $0.device, by: $0.handle) }) }

  /// Ends fades early that end with a call, under the same condition.
  func endFades(to verb: ContextHandle.Verb) { end(state.withLock { $0.fades.ending(with: verb) }) }

  private func end(_ fades: [RunningFades.Running]) {
    for running in fades {
      guard let source = running.source.object else { continue }
      withState { $0.end(running.fade, of: source) }
    }
  }
}
