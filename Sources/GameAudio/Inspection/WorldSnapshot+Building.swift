internal import PCM
internal import Spatial3D

// The state as a value for tools. It is built from a copy of the state, without the lock.

extension WorldCopy: SnapshotSource {
  func makeSnapshot() -> WorldSnapshot { WorldSnapshot(self) }
}

extension WorldSnapshot {
  /// The snapshot of a copy, at its frame of the mix.
  init(_ original: WorldCopy) {
    var copy = original
    copy.updatePaths()
    let scene = copy.scene
    self.init(
      time: (scene.time(ofFrames: scene.now) / .seconds(1)).atMicro,
      sampleRate: scene.time.physics.sampleRate,
      seed: scene.sounds.variations.seed,
      voiceLimit: copy.voices.limit,
      suspensions: copy.suspensions,
      listeners: scene.space.listenerSnapshots,
      zones: scene.space.zoneSnapshots,
      portals: scene.space.portalSnapshots,
      wallOcclusion: scene.space.wallSnapshot,
      emitters: [],
      players: [],
      buses: scene.mixer.buses.indices.map { Bus($0, in: copy) },
      clocks: copy.clocks
    )
    let verdicts = Verdicts(copy)
    let slots = scene.emitters.indices.filter { scene.emitters[$0].isUsed }
      .sorted { scene.emitters[$0].generation < scene.emitters[$1].generation }
    emitters.reserveCapacity(slots.count)
    for slot in slots {
      var silence: SilenceReason?
      if case .silent(let reason) = verdicts[slot] { silence = reason.atMicro }
      if let suspension = copy.silence, scene.emitters[slot].status != .idle { silence = suspension }
      if let playlist = scene.playlist(of: slot) {
        players.append(Player(slot, playlist, in: copy, silence))
      } else {
        emitters.append(Emitter(slot, in: copy, silence))
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
  fileprivate init(_ slot: EmitterSlot, in copy: WorldCopy, _ silence: SilenceReason?) {
    let record = copy.scene.emitters[slot]
    let entry = copy.scene.sounds[record.sound]
    self.init(
      id: Int(record.generation),
      sound: entry.content?.name ?? "",
      key: copy.scene.sounds.plays(of: entry.identity).key?.name,
      state: .init(record.status),
      position: record.isPlaced ? copy.scene.emitters.position(of: slot).atMicro : nil,
      bus: copy.scene.mixer.buses[copy.scene.emitters.bus(of: slot)].name,
      voice: copy.isHeard(slot) ? record.voice?.position : nil,
      silence: silence,
      place: copy.seconds(of: slot),
      level: record.status == .idle ? .silence : copy.directLevel(of: slot),
      gain: Gain(record.gain.atMicro)
    )
    if copy.isDelayed(slot) { isWaiting = true }
    if record.pitch != 1 { pitch = record.pitch.atMicro }
    if record.priority != .normal { priority = Int(record.priority.rawValue) }
    repeats = record.clock.course.repeats.number
    if record.behavior != .elapsedTime { virtualBehavior = record.behavior }
    if record.velocity != .zero { velocity = record.velocity.atMicro }
    let (index, count) = (record.listener.position, copy.scene.space.listeners.count)
    if record.isPlaced, index > 0, index < count { listener = index }
    let emitter = copy.scene.emitters.placed(slot)
    (zone, path) = (
      copy.scene.space.zoneName(of: emitter), copy.scene.space.pathSnapshot(of: emitter)
    )
    guard record.hasRareSettings else { return }
    let rare = copy.scene.emitters[rare: slot]
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
  fileprivate init(_ slot: EmitterSlot, _ playlist: Playlist, in copy: WorldCopy, _ silence: SilenceReason?) {
    let record = copy.scene.emitters[slot]
    let frame = playlist.frame(at: copy.scene.playerPosition(of: slot))
    self.init(
      id: Int(record.generation),
      sound: playlist.current.sound.name,
      state: .init(record.status),
      bus: copy.scene.mixer.buses[copy.scene.emitters.bus(of: slot)].name,
      voice: copy.isHeard(slot) ? record.voice?.position : nil,
      silence: silence,
      place: (Double(frame) / Double(max(playlist.current.sound.format.sampleRate, 1))).atMicro,
      level: record.status == .idle ? .silence : copy.directLevel(of: slot),
      volume: Gain(record.gain.atMicro)
    )
    if copy.isDelayed(slot) { isWaiting = true }
    if playlist.pan != 0 { pan = playlist.pan.atMicro }
    if record.pitch != 1 { pitch = record.pitch.atMicro }
    repeats = playlist.current.repeats.number
    if playlist.entries.count > 1 { queued = playlist.entries.count - 1 }
  }
}

extension WorldSnapshot.Bus {
  fileprivate init(_ index: BusIndex, in copy: WorldCopy) {
    let record = copy.scene.mixer.buses[index]
    self.init(
      name: record.name,
      parent: record.parent.map { copy.scene.mixer.buses[$0].name },
      kind: record.isDirect ? .direct : .spatial,
      gain: Gain(record.gain.atMicro),
      level: copy.voices.level(ofBus: index, in: copy.scene).atMicro
    )
    if record.pitch != 1 { pitch = record.pitch.atMicro }
    if record.filter != ToneFilter() { filter = record.filter }
    if record.isMuted { isMuted = true }
    if record.isSoloed { isSoloed = true }
    if record.pauses > 0 || record.totals.isPaused { isPaused = true }
    if record.duck != 0 { duck = Decibels(record.duck.atMicro) }
    if !record.sends.isEmpty { sends = record.sends.map { Gain($0.gain.atMicro) } }
    limit = record.limit?.count
  }
}

extension WorldCopy {
  /// The predicted level of an emitter by its direct path, at its present position in the sound.
  fileprivate func directLevel(of slot: EmitterSlot) -> Decibels {
    var factors = scene.audibility(of: slot, envelope: scene.soundLevel(of: slot))
    factors.sends = 0
    // 160 dB below full scale is silence, as for ``MeterReading``.
    return max(Decibels(factor: factors.audible), -160).atMicro
  }

  /// The position of an emitter in its sound, in seconds.
  fileprivate func seconds(of slot: EmitterSlot) -> Double {
    guard scene.emitters[slot].status != .idle,
      let sound = scene.sounds[scene.emitters[slot].sound].loaded
    else {
      return 0
    }
    return (scene.emitters[slot].clock.place(at: scene.now) / Double(max(sound.sampleRate, 1))).atMicro
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
