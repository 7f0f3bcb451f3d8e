internal import AudioSupport
internal import Spatial3D

// The calls of the game, from the lock on. A call that acts takes over the time of the mix, and its commands are
// carried out; any other call stores a value for the next tick.

extension AudioWorld {
  /// Performs a call of an emitter.
  @inline(__always)
  func perform(_ call: EmitterCall, of id: EmitterKey) {
    if call.acts { act { $0.apply(call, to: id) } } else { withState { $0.apply(call, to: id) } }
  }

  /// Performs a call of a player, but for a sound that is scheduled.
  @inline(__always)
  func perform(_ call: PlayerCall, ofPlayer id: EmitterKey) {
    if call.acts { act { $0.apply(call, toPlayer: id) } } else { withState { $0.apply(call, toPlayer: id) } }
  }

  /// Performs a call of a bus; ``duck(_:under:_:)`` returns the result of a ducker besides.
  @inline(__always)
  func perform(_ call: BusCall, ofBus index: BusIndex) {
    switch call {
    case .inserts(_, let fade): return changeStrips(of: [index], fade) { $0.apply(call, to: index) }
    case .process:
      withState { _ = $0.apply(call, to: index) }
      return makeStem(for: index)
    default: break
    }
    if call.acts { return act { $0.apply(call, to: index) } }
    let isFaderLate = withState { state in
      state.apply(call, to: index)
      return state.playback.scene.mixer.isFaderLate
    }
    if isFaderLate { moveFader() }
  }

  /// Lowers a bus under another bus; returns `false` if the call had no effect because of a cycle of duckers.
  func duck(_ index: BusIndex, under other: BusIndex, _ ducking: Ducking?) -> Bool {
    withState { $0.apply(.duck(under: other, ducking), to: index) }
  }

  /// Performs any call.
  func perform(_ call: WorldCall) {
    switch call {
    case .emitter(let subject, let call): perform(call, of: subject)
    case .player(let subject, .schedule(let sound, let position, let repeats)):
      schedule(sound, position, repeats, for: subject)
    case .player(let subject, .pan(let pan)): if setPan(pan, ofPlayer: subject) { carryOut() }
    case .player(let subject, let call): perform(call, ofPlayer: subject)
    case .bus(let index, let call): perform(call, ofBus: index)
    case .release(let subject): release(subject)
    case .listener, .listeners:
      let isIdle = withState { state in
        state.apply(call)
        return !state.isBusy
      }
      if isIdle { carryOutListener() }
    case .zones:
      act { $0.apply(call) }
      // The units exist now: their levels follow the listener's position from the first mix on.
      act { $0.playback.stepZones() }
    case .move, .makeBus, .wallOcclusion, .seed, .streamLimit, .rateConversion, .openUpdate, .closeUpdate,
      .keepSamples:
      withState { $0.apply(call) }
    case .limiter, .loudnessTarget: changeStrips(of: [.main], .declick) { $0.apply(call) }
    case .apply(let snapshot, let fade):
      let buses = withState { state in
        let buses = state.playback.scene.mixer.buses
        return snapshot.lines.compactMap { $0.value.inserts == nil ? nil : buses[$0.key.name] }
          .sorted { $0.position < $1.position }
      }
      if buses.isEmpty { act { $0.apply(call) } } else { changeStrips(of: buses, fade) { $0.apply(call) } }
    case .rays, .portals, .playTogether, .pausePlayers, .beginInterruption, .endInterruption, .otherAudio:
      act { $0.apply(call) }
    }
  }

  /// Sets the pan of a player; returns whether there is a report, such as that it has no effect on the sound.
  func setPan(_ pan: Float, ofPlayer id: EmitterKey) -> Bool {
    withState { state in
      state.apply(.pan(pan), toPlayer: id)
      return state.playback.outbox.hasReports
    }
  }

  /// Makes an emitter, and loads its sound.
  func makeEmitter(_ sound: Sound, isPlaced: Bool, isOnce: Bool, on bus: BusIndex) -> EmitterKey {
    let (id, jobs) = withState { state in
      let id = state.makeEmitter(sound, isPlaced: isPlaced, isOnce: isOnce, bus: bus)
      return (id, state.playback.outbox.takeJobs())
    }
    load(jobs)
    let faults = sound.faults
    if !faults.isEmpty { report(faults, of: sound) }
    return id
  }

  /// Makes a player of a sound that was opened.
  func makePlayer(_ sound: Sound, _ opened: OpenedSound, on bus: BusIndex) -> EmitterKey {
    let (id, hasReport) = withState { state in
      (state.makePlayer(sound, opened, bus: bus), state.playback.outbox.hasReports)
    }
    if hasReport { carryOut() }
    return id
  }

  /// Opens a sound for the playlist of a player, offline before the return.
  func schedule(_ sound: Sound, _ position: PlaylistPosition, _ repeats: Repeats, for id: EmitterKey) {
    withState { $0.apply(.schedule(sound, position, repeats), toPlayer: id) }
    let content = sound.variations[0]
    // A file or a reader may block: the work does not keep the world.
    let work = LoadQueue.Work(
      lane: content.lane,
      name: content.name,
      line: LoadQueue.Line(player: Int(id.number)),
      // A player reads its files while they play.
      fileUse: content.path == nil ? nil : .streamed
    ) { [weak self] in
      do throws(GameAudioError) {
        let opened = try OpenedSound(sound)
        self?.act { $0.finishOpening(.success(opened), position, repeats: repeats, for: id) }
      } catch {
        self?.act { $0.finishOpening(.failure(error), position, repeats: repeats, for: id) }
      }
    }
    loader.perform(work)
    // A tick reports that the opening takes long.
    updateTicks()
  }
}

extension EmitterCall {
  /// Whether the call acts at the present frame of the mix; any other call stores a value for the next tick.
  @inline(__always)
  fileprivate var acts: Bool {
    switch self {
    case .play, .stop, .pause, .fade, .seek, .repeats, .behavior, .bus, .send: true
    case .make, .follow, .position, .velocity, .derivesVelocity, .gain, .pitch, .priority: false
    case .direction, .cone, .radius, .occlusion, .obstruction: false
    }
  }
}

extension PlayerCall {
  /// Whether the call acts at the present frame of the mix; any other call stores a value for the next tick.
  @inline(__always)
  fileprivate var acts: Bool {
    switch self {
    case .play, .pause, .stop, .prepare, .crossfade, .fadeOut, .fadeIn, .fade, .seek, .repeats, .loopRange, .bus: true
    case .make, .schedule, .volume, .pan, .pitch, .priority: false
    }
  }
}

extension BusCall {
  /// Whether the call acts at the present frame of the mix; any other call stores a value for the next tick.
  @inline(__always)
  fileprivate var acts: Bool {
    switch self {
    case .fade, .filter, .pause, .resume, .send, .mutesWithOtherAudio: true
    case .gain, .pitch, .mute, .solo, .limit, .duck, .inserts, .process: false
    }
  }
}
