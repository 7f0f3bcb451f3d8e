internal import PCM
internal import Spatial3D

// The state as a value for tools. It is built from a copy of the state, without the lock.

extension WorldCopy: SnapshotSource {
  func read(into lines: inout [EmitterLine], _ names: inout SnapshotNames) -> SnapshotRest {
    guard !scene.space.portals.isEmpty else { return readPaths(into: &lines, &names) }
    var copy = self
    copy.updatePaths()
    return copy.readPaths(into: &lines, &names)
  }

  /// Reads the state, with the paths that it has.
  private func readPaths(into lines: inout [EmitterLine], _ names: inout SnapshotNames) -> SnapshotRest {
    let verdicts = Verdicts(self)
    var numbers = LineNumbers(self, verdicts, &names)
    if lines.count != scene.emitters.count {
      lines = Array(repeating: EmitterLine(), count: scene.emitters.count)
    }
    var players: [EmitterSlot] = []
    for slot in scene.emitters.indices {
      let isUsed = scene.emitters[slot].isUsed
      guard isUsed, !scene.emitters[slot].isPlayer else {
        lines[slot.position] = EmitterLine()
        if isUsed { players.append(slot) }
        continue
      }
      lines[slot.position] = line(of: slot, verdicts, &numbers, &names)
    }
    return SnapshotRest(
      snapshot: WorldSnapshot(
        time: (scene.time(ofFrames: scene.now) / .seconds(1)).atMicro,
        sampleRate: scene.time.physics.sampleRate,
        seed: scene.sounds.variations.seed,
        voiceLimit: voices.limit,
        suspensions: suspensions,
        listeners: scene.space.listenerSnapshots,
        zones: scene.space.zoneSnapshots,
        portals: scene.space.portalSnapshots,
        wallOcclusion: scene.space.wallSnapshot,
        emitters: [],
        players: players.sorted { scene.emitters[$0].generation < scene.emitters[$1].generation }
          .compactMap { player(of: $0, verdicts) },
        buses: scene.mixer.buses.indices.map { WorldSnapshot.Bus($0, in: self) },
        clocks: clocks,
        loudnessTarget: scene.mixer.strip.loudnessTarget,
        limiter: scene.mixer.strip.limiter
      ),
      lowestScore: verdicts.rivals.last,
      lowestScoreOfStreams: verdicts.rivals.lastOfStreams
    )
  }

  private func player(of slot: EmitterSlot, _ verdicts: Verdicts) -> WorldSnapshot.Player? {
    guard let playlist = scene.playlist(of: slot) else { return nil }
    var reason: SilenceReason?
    if case .silent(let cause) = verdicts[slot] { reason = cause.atMicro }
    if let silence, scene.emitters[slot].status != .idle { reason = silence }
    return WorldSnapshot.Player(slot, playlist, in: self, reason)
  }
}

extension WorldSnapshot {
  /// The snapshot of a copy, at its frame of the mix.
  init(_ copy: WorldCopy) {
    var (lines, names) = ([EmitterLine](), SnapshotNames())
    let rest = copy.read(into: &lines, &names)
    self.init(rest, lines, names)
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
    if let list = record.inserts, !list.isEmpty { inserts = list }
  }
}

extension WorldCopy {
  /// The predicted level of a player by its direct path, at its present position in the sound.
  fileprivate func directLevel(of slot: EmitterSlot) -> Decibels {
    var factors = scene.audibility(of: slot, envelope: scene.soundLevel(of: slot))
    factors.sends = 0
    // 160 dB below full scale is silence, as for ``MeterReading``.
    return max(Decibels(factor: factors.audible), -160).atMicro
  }
}

extension Repeats {
  /// The number of repetitions, -1 for no end; `nil` for none.
  var number: Int? {
    switch self {
    case .times(let count): count > 0 ? count : nil
    case .forever: -1
    }
  }
}
