internal import AudioSupport
internal import PCM
internal import Spatial3D

/// The work of a world, carried out without its lock: calls for the sources, and loads.
///
/// Handlers of the game run in it, and may call the world. One thread at a time carries out the work of a world: the
/// thread that has claimed it. A call on another thread leaves its work to that thread, and so does a call inside of a
/// command or of a load. Handlers of events therefore run when the outermost call has no work left.
struct Carrier {
  let world: AudioWorld

  /// Carries out what was claimed and what comes meanwhile, in its order, and then delivers events and reports.
  ///
  /// - Returns: Whether the ticks may have to begin or to end.
  @discardableResult
  func carryOut(_ claimed: consuming Outbox.Work) -> Bool {
    var work = consume claimed
    guard let turn = work.turn else { return work.changesTicks }
    world.updateStems()
    while !work.isEnded {
      if !work.jobs.isEmpty {
        world.load(work.jobs)
        work.jobs = []
        // The commands of the loads follow the commands of the call.
        _ = world.state.withLock { $0.playback.outbox.takeCommands(&work.commands) }
      }
      guard !work.commands.isEmpty else {
        world.state.withLock { $0.takeMore(&work) }
        continue
      }
      carryOutCommands(&work.commands, in: turn)
      let frame = world.context.physics.frame
      world.state.withLock { state in
        state.playback.voices.beginFades(of: turn, at: max(frame, state.playback.now))
        state.takeMore(&work)
      }
    }
    let changesTicks = work.changesTicks
    deliver(&work)
    return changesTicks
  }

  /// Carries out commands, and the commands that come meanwhile, as one update of the mix.
  private func carryOutCommands(_ commands: inout [VoiceCommand], in turn: Int) {
    update(world.contexts[...]) {
      repeat {
        for index in commands.indices {
          // Most commands of a tick are moves. A switch over all cases copies a command, with its references.
          if let (voice, position) = commands[index].move {
            source(of: voice).position = position
          } else {
            carryOut(commands[index], in: turn)
          }
        }
        // The references of the commands are released without the lock.
        commands.removeAll(keepingCapacity: true)
      } while world.state.withLock({ $0.playback.outbox.takeCommands(&commands) })
    }
  }

  /// Runs a closure whose changes of several contexts are deferred to its end.
  private func update(_ contexts: ArraySlice<AudioContext>, _ body: () -> Void) {
    guard let first = contexts.first else { return body() }
    first.withDeferredUpdates { update(contexts.dropFirst(), body) }
  }

  /// Releases objects, resumes tasks, and calls the handlers of the game.
  ///
  /// The objects are released without the lock, and before the handlers run: a handler may need the slot of an effect.
  private func deliver(_ work: inout Outbox.Work) {
    work.releaseObjects()
    for task in work.prepared { task.resume() }
    for diagnostic in work.diagnostics { world.context.report(diagnostic) }
    world.context.deliverNotifications()
  }

  private func source(of voice: VoiceIndex) -> SoundSource { world.sources.withLock { $0[voice] } }

  private func carryOut(_ command: VoiceCommand, in turn: Int) {
    switch command {
    case .start(let voice, let start):
      let (source, former) = world.sources.withLock { $0.begin(voice, in: start.stem) }
      // A bank may release the samples that the source of another stem holds.
      former?.buffer = nil
      play(start, on: source)
    case .open(let voice, let start, let key): open(start, voice, key)
    case .set(let voice, let values, let changes): source(of: voice).apply(values, changes)
    // `carryOutCommands` moves the source itself.
    case .move: break
    case .setSends(let voice, let sends): apply(sends, to: source(of: voice))
    case .setLooping(let voice, let isLooping): source(of: voice).isLooping = isLooping
    case .silence(let voice):
      source(of: voice).rampGain(to: 0)
      world.state.withLock { $0.playback.voices.silenced(voice, in: turn) }
    case .stop(let voice):
      // The voice is silent already, or is to be cut.
      source(of: voice).stop(fadingOut: .zero)
      releaseStream(of: voice)
    case .empty(let voice): world.sources.withLock { $0.pooled(voice) }.buffer = nil
    case .play(let voice, nil): source(of: voice).play()
    case .play(let voice, let moment?): source(of: voice).play(at: moment)
    case .pause(let voice, let key): pause(voice, key)
    case .adopt(let voice, let id, let clock): adopt(voice, id, clock)
    case .adoptDelay(let voice, let key):
      let source = source(of: voice)
      guard source.state == .playing else { return }
      let (place, frame) = place(of: source)
      world.state.withLock { $0.playback.adoptDelay(place: place, at: frame, key) }
    case .checkReplacement(let key):
      let source = source(of: key.voice)
      let (place, frame) = place(of: source)
      let played = source.state == .playing ? place : nil
      let framesPerMix = world.context.framesPerMix
      world.state.withLock {
        $0.playback.settleReplacement(position: played, at: frame, framesPerMix: framesPerMix, key)
      }
    case .poll(let voice, let key):
      let source = source(of: voice)
      let count = source.underrunCount
      if count > 0 { world.state.withLock { $0.playback.noteUnderruns(count, of: key) } }
      guard source.state == .stopped else { return }
      world.state.withLock { $0.playback.voiceEnded(key) }
      releaseStream(of: voice)
    case .revive(let voice):
      let source = source(of: voice)
      if source.state == .paused { source.play() }
    case .listener(let listener): for context in world.contexts { context.setListener(listener) }
    case .feed(let voice, let unit, let gain):
      let source = source(of: voice)
      if let unit = world.unit(unit, in: source.context) { source.setSendGain(Gain(gain), to: unit) }
    case .endFeed(let voice, let unit):
      let source = source(of: voice)
      if let unit = world.unit(unit, in: source.context) { source.endSend(to: unit) }
    case .openZone(let unit): world.openZone(unit)
    case .closeZone(let unit): world.closeZoneUnit(unit)
    case .setUnitGain(let unit, let gain): unit.gain = Gain(gain)
    case .setUnitReverb(let unit, let reverb): unit.effect = .reverb(reverb)
    case .changeStrip(let stem): world.graph?.strip(of: stem)?.performChanges()
    case .moveFader(let stem, let gain): world.graph?.strip(of: stem)?.moveFader(to: gain)
    case .routeStems(let plan): world.graph?.adopt(plan)
    }
  }

  /// Sets the shares of a source that go to effects; a stem has effects of its own.
  private func apply(_ sends: [VoiceSend], to source: SoundSource) {
    guard source.context !== world.context else { return source.apply(sends) }
    source.apply(
      sends.compactMap { send in world.unit(send.unit, in: source.context).map { VoiceSend(unit: $0, gain: send.gain) }
      }
    )
  }

  /// Releases the source of a stream, without the lock.
  private func releaseStream(of voice: VoiceIndex) {
    let gone = world.sources.withLock { $0.endStream(of: voice) }
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
          world.state.withLock { $0.playback.outbox.report(.soundUnavailable("\(error)")) }
        }
      } else if source.buffer !== buffer {
        source.buffer = buffer
      }
    }
    if !start.sends.isEmpty || !source.effectSends.isEmpty { apply(start.sends, to: source) }
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
    guard !world.context.device.mixesByFrames else { return }
    let frame = source.playbackFrame
    world.state.withLock { $0.playback.correctPausedClock(frame, of: key) }
  }

  private func adopt(_ voice: VoiceIndex, _ id: EmitterKey, _ clock: LogicalClock) {
    let source = source(of: voice)
    guard source.buffer != nil, source.state == .playing else { return }
    let (place, frame) = place(of: source)
    world.state.withLock { $0.playback.scene.correctClock(place: place, at: frame, of: id, withClock: clock) }
  }

  /// The position of a source in its sound, and the frame of the mix at which it is there.
  private func place(of source: SoundSource) -> (place: Double, frame: Int) {
    var (time, frame) = (source.playbackTime, world.context.physics.frame)
    // The two belong to one mix if no mix has ended between them. A clock that is counted never stands still.
    for _ in 0..<4 {
      let (before, next) = (frame, source.playbackTime)
      (time, frame) = (next, world.context.physics.frame)
      if frame == before { break }
    }
    return (time / .seconds(1) * Double(source.format?.sampleRate ?? 0), frame)
  }

  private func open(_ start: VoiceStart, _ voice: VoiceIndex, _ key: VoiceKey) {
    guard let stream = start.sound.stream else { return }
    // The reader may block: the work keeps the context, and not the world.
    let work: @Sendable () -> Void = { [weak world, context = world.context(of: start.stem)] in
      // The emitter may have given up the voice while the stream waited for its turn.
      guard world?.state.withLock({ $0.playback.voices.isOpening(key) }) == true else { return }
      do {
        let (isPlaced, loopRange) = (start.values.isPlaced, start.sound.loopRange)
        let opening = StreamSource.Opening(isPlaced: isPlaced, loopRange: loopRange, context: context) { [weak world] in
          // The next tick reports it, without the lock of the reader.
          guard let path = stream.path else { return }
          world?.state.withLock { $0.playback.outbox.report(.soundDamaged(path)) }
        }
        let source = try stream.open(opening)
        source.gainLimits = .silence...Gain(16)
        world.map { Carrier(world: $0) }?.begin(source, start, voice, key)
      } catch {
        world?.act { $0.playback.streamFailed(key, error) }
      }
    }
    if stream.isInMemory { return work() }
    let file = stream.file
    world.loader.perform(
      LoadQueue.Work(
        lane: stream.lane,
        name: file ?? stream.name,
        fileUse: file == nil ? nil : .streamed,
        call: work
      )
    )
  }

  /// Plays a stream that is open, unless its emitter has given up the voice.
  private func begin(_ source: SoundSource, _ start: VoiceStart, _ voice: VoiceIndex, _ key: VoiceKey) {
    let physics = world.context.physics
    world.state.withLock { state in
      state.adopt(physics)
      guard let opened = state.playback.streamOpened(start, key) else { return }
      // The voice has the source before a thread can carry out a command for it.
      world.sources.withLock { $0.beginStream(source, of: voice) }
      state.playback.outbox.append(.start(voice, opened))
    }
    world.carryOut()
  }
}

extension AudioWorld {
  /// Carries out what the calls have left.
  func carryOut() { Carrier(world: self).carryOut(state.withLock { $0.takeWork() }) }

  /// Loads the sounds that emitters have asked for, and makes the samples anew that were made for another rate.
  func load(_ jobs: [SoundTable.Job]) {
    for job in jobs {
      // A file or a reader may block: the work keeps the context, and not the world.
      if let old = job.renewed {
        renew(old, job)
        continue
      }
      let (lane, name, fileUse) = (job.content.lane, job.content.name, job.content.fileUse)
      let work = LoadQueue.Work(lane: lane, name: name, fileUse: fileUse) {
        [weak self, context = self.context(of: job.key.stem)] in
        let load = job.key
        let result = LoadedSound.Outcome {
          if let original = job.original, let copy = try? LoadedSound(original, copiedFor: load, in: context) {
            return copy
          }
          return try LoadedSound(job.content, load, convertsRate: job.convertsRate, in: context)
        }
        self?.act { state in
          let (keys, rate) = (state.playback.scene.sounds.keys(of: load), state.playback.scene.time.sampleRate)
          state.playback.outbox.report(result, of: job.content, keys, in: &state.playback.scene.sounds, at: rate)
          state.playback.finishLoading(try? result.get(), for: load)
        }
      }
      loader.perform(work)
    }
  }

  /// Hands the listener to the context while nothing plays.
  ///
  /// The zones at its position have their units before the next sound begins.
  func carryOutListener() {
    let hasZones = state.withLock { state in
      guard let listener = state.playback.scene.space.listeners.takeChange() else { return false }
      state.playback.outbox.append(.listener(listener))
      return state.playback.scene.space.zones.isInUse
    }
    if hasZones { act { $0.playback.stepZones() } } else { carryOut() }
  }

  /// Reports files that are not open after five seconds, and streams that wait for as long.
  func reportDelays(at time: Int64 = monotonicTime()) {
    for delay in loader.delays(at: time) {
      switch delay {
      case .reader(let name): context.report(.streamWaits(name))
      case .file(let name, let use):
        guard state.withLock({ $0.playback.outbox.isNew(.delay(ofSound: name)) }) else { continue }
        context.report(.soundNotReady(name, use))
      }
    }
  }
}

extension WorldState {
  /// Claims the work that the calls have left, unless another thread has claimed it.
  mutating func takeWork() -> Outbox.Work {
    playback.outbox.release(from: &playback.scene.sounds)
    var work = playback.outbox.claim()
    if work.turn != nil, work.jobs.isEmpty, work.commands.isEmpty { endClaim(&work) }
    if work.turn == nil || work.isEnded { playback.outbox.compareTicks(areNeeded: wantsTicks, &work) }
    return work
  }

  /// Moves the work that came meanwhile into work that is done; ends the claim if none has come.
  fileprivate mutating func takeMore(_ work: inout Outbox.Work) {
    if playback.outbox.takeMore(&work) { return }
    endClaim(&work)
    playback.outbox.compareTicks(areNeeded: wantsTicks, &work)
  }

  /// Ends the claim, and posts the events.
  private mutating func endClaim(_ work: inout Outbox.Work) {
    playback.outbox.release(from: &playback.scene.sounds)
    playback.outbox.endClaim(&work)
    for id in playback.outbox.events.post(in: playback.outbox.context) {
      playback.outbox.report(.eventsLost(of: playback.scene.ownerInWords(of: id)))
    }
    playback.outbox.takeResults(&work)
  }
}
