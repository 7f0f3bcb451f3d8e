internal import PCM
internal import Spatial3D

// The state as a value for tools. It is built from a copy of the state, without the lock.

extension WorldSnapshot {
  /// The snapshot of a state at its frame of the mix.
  init(_ original: WorldState) {
    var state = original
    state.updatePaths()
    let moment = original.playback.log.snapshotMoment ?? original.presentMoment
    let suspension = moment.suspension
    self.init(
      time: (state.playback.scene.time(ofFrames: state.playback.now) / .seconds(1)).atMicro,
      sampleRate: state.playback.scene.time.physics.sampleRate,
      seed: state.playback.scene.sounds.variations.seed,
      voiceLimit: state.playback.voices.limit,
      suspensions: moment.suspensions,
      listeners: state.playback.scene.space.listenerSnapshots,
      zones: state.playback.scene.space.zoneSnapshots,
      portals: state.playback.scene.space.portalSnapshots,
      wallOcclusion: state.playback.scene.space.wallSnapshot,
      emitters: [],
      players: [],
      buses: state.busSnapshots,
      clocks: moment.clocks
    )
    let rivals = state.rivals
    let verdicts = state.playback.scene.mixer.buses.indices.map { state.verdictOfBus($0) }
    let slots = state.playback.scene.emitters.indices.filter { state.playback.scene.emitters[$0].isUsed }
      .sorted { state.playback.scene.emitters[$0].generation < state.playback.scene.emitters[$1].generation }
    emitters.reserveCapacity(slots.count)
    for slot in slots {
      let bus = state.playback.scene.emitters.bus(of: slot)
      let verdict = state.verdict(of: slot, verdictOfBus: verdicts[bus.position], rivals: rivals)
      var silence: SilenceReason?
      if case .silent(let reason) = verdict { silence = reason.atMicro }
      if let suspension, state.playback.scene.emitters[slot].status != .idle { silence = suspension }
      if let playlist = state.playback.scene.playlist(of: slot) {
        players.append(Player(slot, playlist, in: state, silence))
      } else {
        emitters.append(Emitter(slot, in: state, silence))
      }
    }
  }
}

extension WorldSnapshot.State {
  init(_ status: EmitterRecord.Status) {
    self =
      switch status {
      case .idle: .idle
      case .loading: .loading
      case .playing: .playing
      case .paused, .pausedBeforeStart: .paused
      case .stopping: .stopping
      case .pausing: .pausing
      }
  }
}

extension WorldSnapshot.Emitter {
  fileprivate init(_ slot: EmitterSlot, in state: WorldState, _ silence: SilenceReason?) {
    let record = state.playback.scene.emitters[slot]
    let entry = state.playback.scene.sounds[record.sound]
    self.init(
      id: Int(record.generation),
      sound: entry.content?.name ?? "",
      key: state.playback.scene.sounds.plays(of: entry.identity).key?.name,
      state: .init(record.status),
      position: record.isPlaced ? state.playback.scene.emitters.position(of: slot).atMicro : nil,
      bus: state.playback.scene.mixer.buses[state.playback.scene.emitters.bus(of: slot)].name,
      voice: state.playback.isHeard(slot) ? record.voice?.position : nil,
      silence: silence,
      place: state.seconds(of: slot),
      level: record.status == .idle ? .silence : state.directLevel(of: slot),
      gain: Gain(record.gain.atMicro)
    )
    if state.isWaiting(slot) { isWaiting = true }
    if record.pitch != 1 { pitch = record.pitch.atMicro }
    if record.priority != .normal { priority = Int(record.priority.rawValue) }
    repeats = record.clock.course.repeats.number
    if record.behavior != .elapsedTime { virtualBehavior = record.behavior }
    if record.velocity != .zero { velocity = record.velocity.atMicro }
    let (index, count) = (record.listener.position, state.playback.scene.space.listeners.count)
    if record.isPlaced, index > 0, index < count { listener = index }
    let emitter = state.playback.scene.emitters.placed(slot)
    (zone, path) = (
      state.playback.scene.space.zoneName(of: emitter), state.playback.scene.space.pathSnapshot(of: emitter)
    )
    guard record.hasRareSettings else { return }
    let rare = state.playback.scene.emitters[rare: slot]
    rays = rare.rays.snapshot
    if rare.direction != .zero { direction = rare.direction.atMicro }
    if rare.cone != Cone() { cone = rare.cone }
    if rare.radius != 0 { radius = rare.radius.atMicro }
    if rare.occlusion != 0 { occlusion = rare.occlusion.atMicro }
    if rare.obstruction != 0 { obstruction = rare.obstruction.atMicro }
    if !rare.sends.isEmpty { sends = rare.sends.map { Gain($0.gain.atMicro) } }
    leader = rare.leader.map { Int($0.number) }
  }
}

extension WorldSnapshot.Player {
  fileprivate init(_ slot: EmitterSlot, _ playlist: Playlist, in state: WorldState, _ silence: SilenceReason?) {
    let record = state.playback.scene.emitters[slot]
    let frame = playlist.frame(at: state.playback.scene.playerPosition(of: slot))
    self.init(
      id: Int(record.generation),
      sound: playlist.current.sound.name,
      state: .init(record.status),
      bus: state.playback.scene.mixer.buses[state.playback.scene.emitters.bus(of: slot)].name,
      voice: state.playback.isHeard(slot) ? record.voice?.position : nil,
      silence: silence,
      place: (Double(frame) / Double(max(playlist.current.sound.format.sampleRate, 1))).atMicro,
      level: record.status == .idle ? .silence : state.directLevel(of: slot),
      volume: Gain(record.gain.atMicro)
    )
    if state.isWaiting(slot) { isWaiting = true }
    if playlist.pan != 0 { pan = playlist.pan.atMicro }
    if record.pitch != 1 { pitch = record.pitch.atMicro }
    repeats = playlist.current.repeats.number
    if playlist.entries.count > 1 { queued = playlist.entries.count - 1 }
  }
}

extension WorldState {
  fileprivate var busSnapshots: [WorldSnapshot.Bus] {
    playback.scene.mixer.buses.indices.map { index in
      let record = playback.scene.mixer.buses[index]
      var bus = WorldSnapshot.Bus(
        name: record.name,
        parent: record.parent.map { playback.scene.mixer.buses[$0].name },
        kind: record.isDirect ? .direct : .spatial,
        gain: Gain(record.gain.atMicro),
        level: playback.voices.level(ofBus: index, in: playback.scene).atMicro
      )
      if record.pitch != 1 { bus.pitch = record.pitch.atMicro }
      if record.filter != ToneFilter() { bus.filter = record.filter }
      if record.isMuted { bus.isMuted = true }
      if record.isSoloed { bus.isSoloed = true }
      if record.pauses > 0 || record.totals.isPaused { bus.isPaused = true }
      if record.duck != 0 { bus.duck = Decibels(record.duck.atMicro) }
      if !record.sends.isEmpty { bus.sends = record.sends.map { Gain($0.gain.atMicro) } }
      bus.limit = record.limit?.count
      return bus
    }
  }

  /// The predicted level of an emitter by its direct path, at its present position in the sound.
  fileprivate func directLevel(of slot: EmitterSlot) -> Decibels {
    var factors = playback.scene.audibility(of: slot, envelope: playback.scene.soundLevel(of: slot))
    factors.sends = 0
    return max(Decibels(factor: factors.audible), -160).atMicro
  }

  /// The position of an emitter in its sound, in seconds.
  fileprivate func seconds(of slot: EmitterSlot) -> Double {
    guard playback.scene.emitters[slot].status != .idle,
      let sound = playback.scene.sounds[playback.scene.emitters[slot].sound].loaded
    else {
      return 0
    }
    return (playback.scene.emitters[slot].clock.place(at: playback.now) / Double(max(sound.sampleRate, 1))).atMicro
  }
}

extension Repeats {
  /// The number of repetitions, -1 for no end; `nil` for none.
  fileprivate var number: Int? {
    switch self {
    case .times(let count): count > 0 ? count : nil
    case .forever: -1
    }
  }
}
