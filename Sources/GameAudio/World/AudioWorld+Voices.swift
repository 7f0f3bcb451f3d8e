internal import AudioSupport
internal import PCM
internal import Spatial3D

// The calls for the sources, and the work that takes long. All of it runs without the world's lock: handlers of the
// game run in it, and may call the world.

extension AudioWorld {
  /// Carries out the commands of the state, in their order, loads sounds, and then lets the game know.
  ///
  /// One thread at a time does. Another thread leaves its work to it, and so does a call inside of a command or of a
  /// load. Handlers therefore run when the outermost call has no work left.
  func carryOut() {
    guard let turn = state.withLock({ $0.beginTurn() }) else { return }
    var results = TurnResults()
    repeat {
      load()
      carryOutCommands(in: turn)
    } while !state.withLock { $0.endTurn(&results) }
    // Released here, without the lock.
    results.garbage = []
    for task in results.prepared { task.resume() }
    for diagnostic in results.diagnostics { context.report(diagnostic) }
    context.deliverNotifications()
  }

  private func carryOutCommands(in turn: Int) {
    var commands: [VoiceCommand] = []
    guard state.withLock({ $0.takeFirstCommands(&commands) }) else { return }
    context.withDeferredUpdates {
      repeat {
        for index in commands.indices { carryOut(commands[index], in: turn) }
        // The references of the commands are released without the lock.
        commands.removeAll(keepingCapacity: true)
      } while state.withLock({ $0.takeCommands(&commands) })
    }
    let frame = context.physics.frame
    state.withLock { $0.beginFades(of: turn, at: frame) }
  }

  /// Hands the listener to the context while nothing plays.
  ///
  /// The zones at its position have their units before the next sound begins.
  func carryOutListener() {
    let hasZones = state.withLock { state in
      guard state.space.isListenerChanged else { return false }
      state.space.isListenerChanged = false
      state.outbox.commands.append(.listener(state.renderedListener))
      return state.space.zones.isInUse
    }
    if hasZones { act { $0.stepZones() } } else { carryOut() }
  }

  private func source(of voice: VoiceIndex) -> SoundSource { streams.withLock { $0[voice] } ?? pool[voice] }

  private func carryOut(_ command: VoiceCommand, in turn: Int) {
    switch command {
    case .start(let voice, let start): play(start, on: source(of: voice))
    case .open(let voice, let start, let key): open(start, voice, key)
    case .set(let voice, let values, let changes): source(of: voice).apply(values, changes)
    case .setSends(let voice, let sends): source(of: voice).apply(sends)
    case .setLooping(let voice, let isLooping): source(of: voice).isLooping = isLooping
    case .silence(let voice):
      source(of: voice).rampGain(to: 0)
      state.withLock { $0.silenced(voice, in: turn) }
    case .stop(let voice):
      // The voice is silent already, or is to be cut.
      source(of: voice).stop(fadingOut: .zero)
      releaseStream(of: voice)
    case .empty(let voice): pool[voice].buffer = nil
    case .play(let voice, nil): source(of: voice).play()
    case .play(let voice, let moment?): source(of: voice).play(at: moment)
    case .pause(let voice, let key): pause(voice, key)
    case .adopt(let voice, let id, let clock): adopt(voice, id, clock)
    case .adoptStream(let voice, let key):
      let source = source(of: voice)
      guard source.state == .playing else { return }
      let (place, frame) = place(of: source)
      state.withLock { $0.adoptStream(place: place, at: frame, key) }
    case .checkReplacement(let key):
      let source = source(of: key.voice)
      let (place, frame) = place(of: source)
      let played = source.state == .playing ? place : nil
      let framesPerMix = context.framesPerMix
      state.withLock { $0.settleReplacement(place: played, at: frame, framesPerMix: framesPerMix, key) }
    case .poll(let voice, let key):
      let source = source(of: voice)
      let count = source.underrunCount
      if count > 0 { state.withLock { $0.noteUnderruns(count, of: key) } }
      guard source.state == .stopped else { return }
      state.withLock { $0.voiceEnded(key) }
      releaseStream(of: voice)
    case .revive(let voice):
      let source = source(of: voice)
      if source.state == .paused { source.play() }
    case .listener(let listener): context.setListener(listener)
    case .feed(let voice, let unit, let gain): source(of: voice).setSendGain(Gain(gain), to: unit)
    case .endFeed(let voice, let unit): source(of: voice).endSend(to: unit)
    case .openZone(let unit): openZone(unit)
    case .closeZone(let unit): closeZone(unit)
    case .setUnitGain(let unit, let gain): unit.gain = Gain(gain)
    case .setUnitReverb(let unit, let reverb): unit.effect = .reverb(reverb)
    }
  }

  /// Releases the source of a stream, without the lock.
  private func releaseStream(of voice: VoiceIndex) {
    let gone = streams.withLock { streams in
      let gone = streams[voice]
      streams[voice] = nil
      return gone
    }
    withExtendedLifetime(gone) {}
  }

  /// Plays a sound on a source that does not play.
  private func play(_ start: VoiceStart, on source: SoundSource) {
    // The values come first: a stereo sound at the position of the last sound would be reported as not placed.
    source.beginWithGain(start.values.gain, isInside: start.place > 0)
    source.apply(start.values, .all)
    if let buffer = start.sound.buffer {
      if start.copies > 1 {
        source.buffer = nil
        do { try source.queue(Array(repeating: buffer, count: start.copies)) } catch {
          state.withLock { $0.outbox.diagnostics.append(.soundUnavailable("\(error)")) }
        }
      } else if source.buffer !== buffer {
        source.buffer = buffer
      }
    }
    if !start.sends.isEmpty || !source.effectSends.isEmpty { source.apply(start.sends) }
    // The setter lets a stream read ahead from its beginning.
    if source.isLooping != start.isLooping { source.isLooping = start.isLooping }
    if start.isHeld {
      if start.place > 0 { source.playbackTime = start.time }
      return
    }
    guard let moment = start.moment else {
      if start.place > 0 { source.playbackTime = start.time }
      return source.play()
    }
    // Without `Capabilities.startDelay`, a start on an output is exact to the frame only from the beginning of the
    // sound.
    if start.place > 0 { source.play(from: start.time, at: moment) } else { source.play(at: moment) }
  }

  /// Pauses the source of a player, whose clock takes over the position of the source if the two may differ.
  private func pause(_ voice: VoiceIndex, _ key: VoiceKey) {
    let source = source(of: voice)
    source.pause()
    guard !context.device.mixesByFrames else { return }
    let frame = source.playbackFrame
    state.withLock { $0.adoptRest(frame, of: key) }
  }

  private func adopt(_ voice: VoiceIndex, _ id: Emitter.ID, _ clock: LogicalClock) {
    let source = source(of: voice)
    guard source.buffer != nil, source.state == .playing else { return }
    let (place, frame) = place(of: source)
    state.withLock { $0.adopt(place: place, at: frame, of: id, withClock: clock) }
  }

  /// The position of a source in its sound, and the frame of the mix at which it is there.
  private func place(of source: SoundSource) -> (place: Double, frame: Int) {
    var (time, frame) = (source.playbackTime, context.physics.frame)
    // The two belong to one mix if no mix has ended between them. A clock that is counted never stands still.
    for _ in 0..<4 {
      let (before, next) = (frame, source.playbackTime)
      (time, frame) = (next, context.physics.frame)
      if frame == before { break }
    }
    return (time / .seconds(1) * Double(source.format?.sampleRate ?? 0), frame)
  }

  private func open(_ start: VoiceStart, _ voice: VoiceIndex, _ key: VoiceKey) {
    guard let stream = start.sound.stream else { return }
    // The reader may block: the work keeps the context, and not the world.
    let work: @Sendable () -> Void = { [weak self, context] in
      // The emitter may have given up the voice while the stream waited for its turn.
      guard self?.state.withLock({ $0.isOpening(key) }) == true else { return }
      do {
        let source = try stream.open(start.values.isPlaced, start.sound.loopRange, context) { [weak self] in
          // The next tick reports it, without the lock of the reader.
          guard let path = stream.path else { return }
          self?.state.withLock { $0.outbox.diagnostics.append(.soundDamaged(path)) }
        }
        source.gainLimits = .silence...Gain(16)
        self?.begin(source, start, voice, key)
      } catch {
        self?.act { $0.streamFailed(key, error) }
      }
    }
    if stream.isInMemory { return work() }
    loader.perform(LoadQueue.Work(lane: stream.lane, name: stream.name, call: work))
  }

  /// Plays a stream that is open, unless its emitter has given up the voice.
  private func begin(_ source: SoundSource, _ start: VoiceStart, _ voice: VoiceIndex, _ key: VoiceKey) {
    let physics = context.physics
    state.withLock { state in
      state.adopt(physics)
      guard let opened = state.streamOpened(start, key) else { return }
      // The source is in `streams` before a thread can carry out a command for it.
      streams.withLock { $0[voice] = source }
      state.outbox.commands.append(.start(voice, opened))
    }
    carryOut()
  }

  /// Loads the sounds that emitters have asked for.
  func load() {
    for job in state.withLock({ $0.takeJobs() }) {
      // A file or a reader may block: the work keeps the context, and not the world.
      let work = LoadQueue.Work(lane: job.content.lane, name: job.content.name) { [weak self, context] in
        let load = job.key
        let result = LoadedSound.Outcome {
          try LoadedSound(job.content, loopRange: load.loopRange, isPlaced: load.isPlaced, in: context)
        }
        self?.act { state in
          state.report(result, of: job.content, state.sounds.keys(of: load))
          state.adopt(try? result.get(), for: load)
        }
      }
      loader.perform(work)
    }
  }

  /// Reports files that are not open after five seconds, and streams that wait for as long.
  func reportDelays(at time: Int64 = monotonicTime()) {
    for delay in loader.delays(at: time) {
      switch delay {
      case .reader(let name): context.report(.streamWaits(name))
      case .file(let name):
        guard state.withLock({ $0.outbox.reported.insert(.delay(ofSound: name)).inserted }) else { continue }
        context.report(.soundNotReady(name))
      }
    }
  }
}

/// The results of a turn of carrying out commands, for the time without the lock.
private struct TurnResults {
  /// The objects that nothing needs any more.
  var garbage: [any Sendable] = []
  var prepared: [CheckedContinuation<Void, Never>] = []
  var diagnostics: [Diagnostic] = []
}

extension WorldState {
  /// Whether the calls have left anything for a turn.
  var hasWork: Bool {
    !outbox.commands.isEmpty || !outbox.jobs.isEmpty || outbox.announcements.isDue || !outbox.diagnostics.isEmpty
      || !sounds.garbage.isEmpty
      || !outbox.prepared.isEmpty
  }

  /// Claims the work that is left; returns the number of the claim.
  ///
  /// Returns `nil` if no work is left, or another call has claimed it.
  fileprivate mutating func beginTurn() -> Int? {
    guard !outbox.isCarryingOut, hasWork else { return nil }
    outbox.isCarryingOut = true
    outbox.lastTurn += 1
    return outbox.lastTurn
  }

  /// Ends the claim, posts the events, and moves the results out; `false` if commands or sounds to load came meanwhile.
  fileprivate mutating func endTurn(_ results: inout TurnResults) -> Bool {
    guard outbox.commands.isEmpty, outbox.jobs.isEmpty else { return false }
    outbox.isCarryingOut = false
    postAnnouncements()
    swap(&results.garbage, &sounds.garbage)
    swap(&results.prepared, &outbox.prepared)
    swap(&results.diagnostics, &outbox.diagnostics)
    return true
  }

  /// Moves the commands into an empty array; `false` for none.
  fileprivate mutating func takeFirstCommands(_ batch: inout [VoiceCommand]) -> Bool {
    guard !outbox.commands.isEmpty else { return false }
    swap(&batch, &outbox.spareCommands)
    swap(&batch, &outbox.commands)
    return true
  }

  /// Moves the commands that came meanwhile into an array that is empty; `false` if none has.
  fileprivate mutating func takeCommands(_ batch: inout [VoiceCommand]) -> Bool {
    guard outbox.commands.isEmpty else {
      swap(&batch, &outbox.commands)
      return true
    }
    swap(&batch, &outbox.spareCommands)
    return false
  }

  fileprivate mutating func takeJobs() -> [SoundTable.Job] {
    defer { outbox.jobs = [] }
    return outbox.jobs
  }
}
