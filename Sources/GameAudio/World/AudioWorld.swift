internal import AudioSupport
public import Spatial3D
internal import Synchronization

/// The sounds of a game: thousands of emitters, of which the most audible have a voice.
///
/// A voice is a source that the mixer renders. A world has a fixed number of them, and gives them to the emitters that
/// contribute most to what the listener receives. An emitter without a voice keeps its time, and returns exactly where
/// it would be.
///
/// ```swift
/// let world = try AudioWorld()
/// let growl = Emitter(playing: Sound("growl.ogg"), in: world)
/// growl.position = [4, 0, -2]
/// growl.play()
/// await growl.waitUntilEnded()
/// ```
///
/// Every method and property may be used from any thread. A value out of the range of a property becomes the nearest
/// value in the range. A value that is not finite leaves the property unchanged. `AudioContext.onDiagnostic` reports
/// each of the two once for each property. A setter stores its value: the next tick of the mix hands it to the mixer,
/// each 512 frames. An `OfflineRenderer` ends a piece of the mix at each tick. With OpenAL Soft 1.19, a
/// piece may also end 128 frames after a reverb was made or changed. In a piece of fewer than 16 frames, a move of a
/// sound or of the listener by metres is audible as a step: render multiples of 512 frames.
///
/// Release of the world ends all of its sounds. A device with the policy `DevicePolicy.pauseOnOutputLoss` pauses
/// sources of the program alone: emitters and players go on. Choose their pause with the parameter `onOutputLoss` of
/// ``follow(_:onInterruption:resuming:onOutputLoss:)``.
///
/// A context has one world. A second world shares the listener and the sources of the first one, and
/// `AudioContext.onDiagnostic` reports it once: use a ``Bus`` for each group of sounds.
public final class AudioWorld: Sendable {
  /// The context of the world; the world sets its listener and plays on its sources.
  ///
  /// Set ``listener`` and ``zones`` of the world instead of `AudioContext.listener` and `AudioContext.reverb`.
  /// `AudioContext.onDiagnostic` reports once that the program sets these.
  public let context: AudioContext

  let state: Lock<WorldState>
  /// The sources of the voices.
  let sources: Lock<VoiceSources>
  let loader: SoundLoader
  /// The strips of the buses; `nil` in a world whose mix the library plays.
  let graph: MixGraph?
  /// The context of the mix, and the contexts of the stems, by their indices.
  let allContexts: Lock<[AudioContext]>
  /// Held while a stem is made.
  ///
  /// Lock order: before the lock of the state.
  let stemMaking = Lock(())
  /// The effects of the stems.
  let mirrors = Lock(EffectMirrors())
  /// The number of the world among the owners of the context's listener.
  let listenerOwner: Int
  /// Whether an older world may play in the context, and no tick has found out.
  let mayShareContext: Atomic<Bool>
  /// Builds the snapshots of recordings.
  let reporter = BackgroundLoop()
  let ticks = Lock(Ticks())
  /// Whether something records: calls then read the time of the mix before they take the lock of the state.
  ///
  /// It follows `RecordingLog.isRecording`, which needs that lock. A recording sets it before it begins: a call behind
  /// the beginning has read the time.
  let isRecording = Atomic(false)

  /// The notifications of the context that the world takes.
  struct Ticks: Sendable {
    var token: NotificationToken?
    /// The token of changes of the output.
    var outputToken: NotificationToken?
    /// The time at which the ticks began last; before the first ticks, the time at which the world was made.
    var began = UnkeptObject.time
  }

  /// A world on the default output.
  ///
  /// - Parameters:
  ///   - processing: Whether the world processes its mix, on an `AudioDevice.processed`. It then has the inserts, the
  ///     limiter and the meters of ``Mixer``, and the mix is later by `AudioDevice.addedLatency`, some 20 ms.
  ///   - voiceLimit: The number of voices, as in ``init(in:voiceLimit:)``.
  /// - Throws: `AudioError` like `AudioContext.init`.
  public convenience init(processing: Bool = false, voiceLimit: Int = 64) throws(AudioError) {
    let context = processing ? try AudioContext(device: .processed) : try AudioContext()
    self.init(in: context, voiceLimit: voiceLimit)
  }

  /// A world in a context, such as the context of an `OfflineRenderer`.
  ///
  /// - Parameters:
  ///   - context: The context, whose listener the world takes over.
  ///   - voiceLimit: The number of voices, from 1 to 4,096, clamped. The world takes eight more sources of the context
  ///     for voices that fade out. With fewer sources left it has fewer voices. `AudioContext.onDiagnostic` reports a
  ///     number of voices other than `voiceLimit`.
  public init(in context: AudioContext, voiceLimit: Int = 64) {
    self.context = context
    allContexts = Lock([context])
    // Chosen: by default 64 voices, as many as FMOD mixes. The tests of Spatial3D mix up to 4,096 sources at a time.
    let range = 1...4_096
    let wanted = range.nearest(to: voiceLimit)
    var pool: [SoundSource] = []
    for _ in 0..<wanted + VoiceChoice.mostDisplacements {
      guard let source = try? SoundSource(in: context) else { break }
      // The gains of an emitter and of its buses may exceed 1.
      source.gainLimits = .silence...Gain(16)
      pool.append(source)
    }
    sources = Lock(VoiceSources(pool))
    let granted = min(wanted, max(pool.count - VoiceChoice.mostDisplacements, pool.count / 2))
    var initial = WorldState(
      voiceLimit: granted,
      poolSize: pool.count,
      mixesByFrames: context.device.mixesByFrames,
      context: context,
      physics: context.physics
    )
    graph = Self.makeGraph(in: context)
    if let strip = graph?.main {
      initial.playback.scene.mixer.addStrip()
      if context.device.playsOnOutput {
        initial.playback.scene.mixer.setLimiter(Insert.Limiter())
        let version = initial.playback.scene.mixer.beginStrip(of: .main, at: initial.playback.scene.time.mix)
        _ = strip.prepare(initial.playback.scene.mixer.stripSettings(of: .main), version: version, over: 0)
        _ = initial.playback.scene.mixer.moveGainToFader(isPlaying: false)
        strip.performChanges()
      }
    }
    initial.playback.scene.space.listeners = ListenerSet(context.listener)
    let owner = context.addListenerOwner(reporting: .listenerOverwritten)
    listenerOwner = owner
    mayShareContext = Atomic(context.hasOlderListenerOwner(than: owner))
    initial.playback.scene.sounds.setSeed(context.device.mixesOnRequest ? Self.offlineSeed : .random(in: 0 ... .max))
    state = Lock(initial)
    loader = SoundLoader(isSynchronous: context.device.mixesOnRequest)
    if granted < wanted {
      context.report(.fewerVoices(granted, than: voiceLimit))
    } else {
      check("voiceLimit", voiceLimit, in: range)
    }
    followOutput()
  }

  /// Observes the output: the power of mono sounds and the pan of players depend on its loudspeakers.
  private func followOutput() {
    let token = context.observe { [weak self] event in
      guard event.kind != .deviceLost else { return }
      self?.updateOutput()
      // The rate of the output may have changed: sounds are made anew, also where no tick comes.
      self?.act { _ in }
    }
    ticks.withLock { $0.outputToken = token }
    // A change after this point has an event.
    updateOutput()
  }

  /// Hands the kind of the output to the state, until both agree.
  ///
  /// Another thread may read a later output, and store it first: the last one to store reads again.
  private func updateOutput() {
    var isPair = context.output.isPair
    var isStored = false
    while !isStored {
      withState { $0.playback.scene.players.setTwoLoudspeakers(isPair) }
      let present = context.output.isPair
      (isStored, isPair) = (present == isPair, present)
    }
  }

  deinit {
    // A forked child lacks the threads that may hold the locks of the context and of the world.
    guard !context.isInherited else { return }
    context.removeListenerOwner(listenerOwner)
    endStrips()
    let age = UnkeptObject.time - ticks.withLock { $0.began }
    // A later tick would end one-shots and the emitters that fade out, and no later tick comes.
    let unplayed = state.withLock { state in
      let unplayed = state.unplayedAtEnd(age: age)
      state.playback.endAll()
      state.playback.outbox.events.beginRound()
      // No report comes behind the end.
      _ = state.playback.outbox.events.post(in: context)
      return unplayed
    }
    if let unplayed, !context.isSuspended { context.report(.releasedUnplayed(worldOf: unplayed)) }
    context.deliverNotifications()
  }

  /// The listener of the scene: the first of ``listeners``.
  ///
  /// The next tick hands it to the context, together with the emitters. An unusable part, such as a position that is
  /// not finite, keeps its value, and is reported once. The ranges are the ranges of `Listener`, clamped. While nothing
  /// plays it is handed over at once. The setter leaves the other listeners of a split screen as they are.
  public var listener: Listener {
    get { state.withLock { $0.playback.scene.space.listeners.first } }
    set {
      let isIdle = withState { state in
        state.apply(newValue)
        return !state.isBusy
      }
      if !newValue.isInRange { report(newValue) }
      if isIdle { carryOutListener() }
    }
  }

  /// The number from which the random choices and variations of sounds follow.
  ///
  /// Default: offline a fixed number, elsewhere a different number in each world. A change starts the random numbers
  /// over and forgets the choices that were made: the same number and the same plays, in their order, give the same
  /// game. A game that records itself stores the number.
  public var seed: UInt64 {
    get { state.withLock { $0.playback.scene.sounds.variations.seed } }
    set { perform(.seed(newValue)) }
  }

  private static let offlineSeed: UInt64 = 1

  /// Whether sounds in memory are converted to the rate of the mix when they are loaded.
  ///
  /// Default: `true`. The mixer converts a sound of another rate while it plays, which makes its voices up to twice as
  /// expensive. The thread that loads converts a frame of a channel in 40 ns, and a frame of a loop in up to 160 ns. A
  /// loop may need a filter of its own, which takes up to 20 ms. The samples take the memory of their new rate.
  /// Frequencies up to 0.9 of half the lower rate stay within 0.1 dB, and images and aliases are below -90 dB.
  ///
  /// A loop begins at the frame of the mix that is nearest to its first frame, and its length is rounded to whole
  /// frames of the mix. A loop whose length would change by more than 5 parts in 100,000 is not converted: some loops
  /// below 10,000 frames of the mix, 0.21 s at 48,000 Hz. The same holds for 5 parts in 10,000 of a sound that names no
  /// loop: some sounds below 1,000 frames of the mix. Rates outside of 1,000 to 384,000 Hz are not converted either.
  ///
  /// After a change of the output's rate, a thread converts the sounds anew, beside the thread that loads. Emitters
  /// that play go on with the old samples until their end or their next lap, and the mixer converts these meanwhile. On
  /// an output a lap with new samples may begin a mix late; ``Emitter/playbackTime`` follows it a second later.
  ///
  /// A change of the setting applies to sounds that are loaded later, and to the next change of the output's rate.
  public var convertsSampleRates: Bool {
    get { state.withLock { $0.playback.scene.sounds.convertsRates } }
    set { perform(.rateConversion(newValue)) }
  }

  /// The largest number of streams that play at a time.
  ///
  /// A stream costs a thread and 400 ms of samples. Beyond the limit, streaming emitters are virtual, and compete by
  /// their scores for the streams. The streams of a ``SoundPlayer`` count, and come first. Range: 0 and up, clamped.
  /// Default: 16.
  public var streamLimit: Int {
    get { state.withLock { $0.playback.voices.streamLimit } }
    set {
      setNearest("streamLimit", newValue, in: 0...) { perform(.streamLimit($0)) }
    }
  }

  /// The buses of the world.
  public var mixer: Mixer { Mixer(world: self) }

  /// Runs a closure whose changes the mixer applies together.
  ///
  /// No tick applies a part of them, unless the closure takes longer than four ticks. No lock is held while the closure
  /// runs. Calls may nest, and threads may have one each.
  public func update<Result: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    perform(.openUpdate)
    defer { perform(.closeUpdate) }
    return try body()
  }

  /// Moves emitters to positions, with one lock.
  ///
  /// The shorter list counts. A position that is not finite and an emitter of another world are left out. The range of
  /// a position is the range of ``Emitter/position``, clamped. `AudioContext.onDiagnostic` reports lists of unequal
  /// lengths, a position that is not finite, and a position out of the range, once each.
  public func move(_ emitters: [Emitter], to positions: Span<SIMD3<Float>>) {
    let all = emitters
    let emitters = emitters.span
    let moment = momentOfCall
    let faults = state.withLock { state in
      if state.playback.log.isRecording {
        if let moment { state.playback.log.setMoment(moment) }
        return move(emitters, to: positions, in: &state)
      }
      return state.playback.scene.emitters.move(min(emitters.count, positions.count)) { index in
        // The index is below the counts of both spans.
        let emitter = unsafe emitters[unchecked: index]
        return (emitter.world === self ? emitter.slot : nil, unsafe positions[unchecked: index])
      }
    }
    if all.count != positions.count { reportMove(of: all.count, to: positions.count) }
    if let index = faults.unusable { all[index].reportUnusable("position", .vector(positions[index])) }
    if let index = faults.outside, let place = positions[index].usable {
      all[index].report(ValueFault("position", positions[index], used: place))
    }
  }

  /// Plays a sound once, at a position or unplaced.
  ///
  /// The world keeps the emitter until its end: the result may be ignored.
  ///
  /// - Parameters:
  ///   - sound: The sound.
  ///   - position: The position, as ``Emitter/position``; `nil` plays the sound without a position, in stereo if it is.
  ///   - gain: The gain, as ``Emitter/gain``; a gain that is not usable is reported, and 1 is used.
  ///   - bus: A bus of the world; `nil` for the main bus.
  /// - Returns: The emitter, to change or to stop it.
  @discardableResult
  public func playOnce(
    _ sound: Sound,
    at position: SIMD3<Float>? = nil,
    gain: Gain = .unity,
    on bus: Bus? = nil
  ) -> Emitter {
    let emitter = Emitter(once: sound, isPlaced: position != nil, in: self, on: own(bus, for: .playOnce))
    if let position { emitter.position = position }
    emitter.gain = gain
    emitter.play()
    return emitter
  }
}

// MARK: - The state

extension AudioWorld {
  /// Reads or changes the state, without the time of the mix.
  @inline(__always)
  func withState<Result: Sendable>(_ body: (inout WorldState) -> Result) -> Result {
    let moment = momentOfCall
    return state.withLock { state in
      if let moment { state.playback.log.setMoment(moment) }
      return body(&state)
    }
  }

  /// The present moment of the mix for the recordings; `nil` while nothing records.
  @inline(__always)
  var momentOfCall: MixMoment? { isRecording.load(ordering: .relaxed) ? presentMoment : nil }

  @inline(never)
  private var presentMoment: MixMoment { context.physics.moment }

  /// Changes the state at the present frame of the mix, and carries out the calls that follow from it.
  @inline(__always)
  func act(_ body: (inout WorldState) -> Void) {
    let physics = context.physics
    let work = state.withLock { state in
      state.adopt(physics)
      body(&state)
      return state.takeWork()
    }
    if Carrier(world: self).carryOut(consume work) { updateTicks() }
  }

  /// Moves emitters, and records the emitters whose position has changed; an emitter may be in the list twice.
  private func move(
    _ emitters: Span<Emitter>,
    to positions: Span<SIMD3<Float>>,
    in state: inout WorldState
  ) -> MoveFaults {
    let count = min(emitters.count, positions.count)
    var list = MoveList(capacity: count, likely: state.playback.log.lastMoved)
    let faults = state.playback.scene.emitters.move(count) { index in
      let emitter = emitters[index]
      return (emitter.world === self ? emitter.slot : nil, positions[index])
    } changed: { index, position in
      list.append(emitters[index].key, at: position)
    }
    state.playback.log.record(list.finish())
    return faults
  }
}

extension OutputConfiguration {
  /// Whether the output is a pair of loudspeakers, or headphones without HRTF.
  fileprivate var isPair: Bool { (layout ?? .stereo) == .stereo && !hrtf.isOn }
}
