internal import AudioSupport
internal import Spatial3D

// The calls for the sources, and the work that takes long. All of it runs without the world's lock: handlers of the game
// run in it, and may call the world.

extension AudioWorld {
  /// Carries out the commands of the state, in their order, and loads sounds.
  ///
  /// One thread at a time does. Another one leaves its commands to that thread, and so does a handler that runs in a
  /// command.
  func carryOut() {
    load()
    var commands: [VoiceCommand] = []
    if let turn = state.withLock({ $0.beginCarryingOut(&commands) }) {
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
    // Released here, without the lock.
    _ = state.withLock { $0.takeGarbage() }
    for task in state.withLock({ $0.takePrepared() }) { task.resume() }
    for diagnostic in state.withLock({ $0.takeDiagnostics() }) { context.report(diagnostic) }
    context.deliverNotifications()
  }

  /// Hands the listener to the context while nothing plays.
  ///
  /// The zones at its place have their units before the next sound begins.
  func carryOutListener() {
    let hasZones = state.withLock { state in
      guard state.isListenerChanged else { return false }
      state.isListenerChanged = false
      state.commands.append(.listener(state.renderedListener))
      return state.space.isInUse
    }
    if hasZones { act { $0.stepZones() } } else { carryOut() }
  }

  private func source(of voice: Int) -> SoundSource { streams.withLock { $0[voice] } ?? pool[voice] }

  private func carryOut(_ command: VoiceCommand, in turn: Int) {
    switch command {
    case .start(let voice, let start): play(start, on: source(of: voice))
    case .open(let voice, let start, let key): open(start, voice, key)
    case .set(let voice, let values, let changes): source(of: voice).apply(values, changes)
    case .setSends(let voice, let sends): source(of: voice).apply(sends)
    case .setLooping(let voice, let isLooping): source(of: voice).isLooping = isLooping
    case .silence(let voice):
      source(of: voice).gain = 0
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
    case .poll(let voice, let key):
      guard source(of: voice).state == .stopped else { return }
      state.withLock { $0.voiceEnded(key) }
      releaseStream(of: voice)
    case .revive(let voice):
      let source = source(of: voice)
      if source.state == .paused { source.play() }
    case .listener(let listener): context.listener = listener
    case .feed(let voice, let unit, let gain): source(of: voice).setSendGain(gain, to: unit)
    case .endFeed(let voice, let unit): source(of: voice).endSend(to: unit)
    case .openZone(let unit): openZone(unit)
    case .closeZone(let unit): closeZone(unit)
    case .setUnitGain(let unit, let gain): unit.gain = gain
    case .setUnitReverb(let unit, let reverb): unit.effect = .reverb(reverb)
    }
  }

  /// Releases the source of a stream, without the lock.
  private func releaseStream(of voice: Int) {
    let gone = streams.withLock { streams in
      let gone = streams[voice]
      streams[voice] = nil
      return gone
    }
    withExtendedLifetime(gone) {}
  }

  /// Plays a sound on a source that does not play.
  private func play(_ start: VoiceStart, on source: SoundSource) {
    if let buffer = start.sound.buffer {
      if start.copies > 1 {
        source.buffer = nil
        do { try source.queue(Array(repeating: buffer, count: start.copies)) } catch {
          context.report(.soundUnavailable("\(error)"))
        }
      } else if source.buffer !== buffer {
        source.buffer = buffer
      }
    }
    source.apply(start.values, .all)
    if !start.sends.isEmpty || !source.effectSends.isEmpty { source.apply(start.sends) }
    // The setter lets a stream read ahead from its beginning.
    if source.isLooping != start.isLooping { source.isLooping = start.isLooping }
    if start.isHeld {
      if start.place > 0 { source.playbackTime = start.time }
      return
    }
    if let moment = start.moment {
      source.play(from: start.time, at: moment)
    } else {
      if start.place > 0 { source.playbackTime = start.time }
      source.play()
    }
  }

  /// Pauses the source of a player, whose clock adopts its place where the two may differ.
  private func pause(_ voice: Int, _ key: VoiceKey) {
    let source = source(of: voice)
    source.pause()
    guard !context.device.mixesByFrames else { return }
    let frame = source.playbackFrame
    state.withLock { $0.adoptRest(frame, of: key) }
  }

  private func adopt(_ voice: Int, _ id: Emitter.ID, _ clock: LogicalClock) {
    let source = source(of: voice)
    guard let sound = source.buffer, source.state == .playing else { return }
    var (time, frame) = (source.playbackTime, context.physics.frame)
    // The two belong to one mix if no mix has ended between them. A clock that is counted never stands still.
    for _ in 0..<4 {
      let (before, next) = (frame, source.playbackTime)
      (time, frame) = (next, context.physics.frame)
      if frame == before { break }
    }
    let place = time / .seconds(1) * Double(sound.format.sampleRate)
    state.withLock { $0.adopt(place: place, at: frame, of: id, withClock: clock) }
  }

  private func open(_ start: VoiceStart, _ voice: Int, _ key: VoiceKey) {
    guard let stream = start.sound.stream else { return }
    // The reader may block: the work keeps the context, and not the world.
    let work: @Sendable () -> Void = { [weak self, context] in
      // The emitter may have given up the voice while the stream waited for its turn.
      guard self?.state.withLock({ $0.isOpening(key) }) == true else { return }
      do {
        let source = try stream.open(start.values.isPlaced, start.sound.loopRange, context) { [weak self] in
          // The next tick reports it, without the lock of the reader.
          guard let path = stream.path else { return }
          self?.state.withLock { $0.diagnostics.append(.soundDamaged(path)) }
        }
        source.gainLimits = 0...16
        self?.begin(source, start, voice, key)
      } catch {
        self?.act { $0.streamFailed(key, error) }
      }
    }
    if stream.isInMemory { return work() }
    loader.perform(LoadQueue.Work(lane: stream.lane, name: stream.name, call: work))
  }

  /// Plays a stream that is open, unless its emitter has given up the voice.
  private func begin(_ source: SoundSource, _ start: VoiceStart, _ voice: Int, _ key: VoiceKey) {
    let physics = context.physics
    state.withLock { state in
      state.adopt(physics)
      guard let opened = state.streamOpened(start, key) else { return }
      // The source has its place before a thread can carry out a command for it.
      streams.withLock { $0[voice] = source }
      state.commands.append(.start(voice, opened))
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
        guard state.withLock({ $0.complaints.insert("delay of \(name)").inserted }) else { continue }
        context.report(.soundNotReady(name))
      }
    }
  }
}

extension WorldState {
  /// Claims the work of carrying out the commands, which it moves into an empty array; returns the number of the claim.
  ///
  /// Returns `nil` if there is none, or another thread has claimed it.
  fileprivate mutating func beginCarryingOut(_ batch: inout [VoiceCommand]) -> Int? {
    guard !isCarryingOut, !commands.isEmpty else { return nil }
    isCarryingOut = true
    lastTurn += 1
    swap(&batch, &spareCommands)
    swap(&batch, &commands)
    return lastTurn
  }

  /// Moves the commands that came meanwhile into an array that is empty; `false` if none has, which ends the claim.
  fileprivate mutating func takeCommands(_ batch: inout [VoiceCommand]) -> Bool {
    guard commands.isEmpty else {
      swap(&batch, &commands)
      return true
    }
    swap(&batch, &spareCommands)
    isCarryingOut = false
    return false
  }

  /// The objects that nothing needs any more.
  fileprivate mutating func takeGarbage() -> [any Sendable] {
    guard !sounds.garbage.isEmpty else { return [] }
    defer { sounds.garbage = [] }
    return sounds.garbage
  }

  fileprivate mutating func takePrepared() -> [CheckedContinuation<Void, Never>] {
    guard !prepared.isEmpty else { return [] }
    defer { prepared = [] }
    return prepared
  }

  fileprivate mutating func takeDiagnostics() -> [Diagnostic] {
    defer { diagnostics = [] }
    return diagnostics
  }

  fileprivate mutating func takeJobs() -> [SoundTable.Job] {
    defer { jobs = [] }
    return jobs
  }
}
