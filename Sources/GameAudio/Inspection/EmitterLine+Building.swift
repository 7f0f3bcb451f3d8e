internal import Spatial3D

/// The numbers of the names of a copy of the state, which many of its lines share.
struct LineNumbers {
  fileprivate let reasons: Reasons
  /// The numbers of the names of buses and zones, and of the reasons for which a bus silences its emitters; 0 for none.
  fileprivate let buses: [UInt32]
  fileprivate let zones: [UInt32]
  fileprivate let reasonsOfBuses: [UInt32]
  /// The numbers of the name and of the key of each sound that a line has needed.
  private var sounds: [(name: UInt32, key: UInt32)?]

  /// The numbers of reasons that have no values.
  fileprivate struct Reasons {
    let idle, loading, paused, waiting, beyondReach, next: UInt32
    /// The reason for which the whole context is silent; 0 for none.
    let context: UInt32

    init(_ context: SilenceReason?, _ names: inout SnapshotNames) {
      idle = names.reasons.number(of: .notPlaying)
      loading = names.reasons.number(of: .loading)
      paused = names.reasons.number(of: .pausedByEmitter)
      waiting = names.reasons.number(of: .waiting)
      beyondReach = names.reasons.number(of: .beyondReach)
      next = names.reasons.number(of: .outranked(by: 0))
      self.context = names.reasons.number(of: context)
    }
  }

  init(_ copy: WorldCopy, _ verdicts: Verdicts, _ names: inout SnapshotNames) {
    reasons = Reasons(copy.silence, &names)
    var buses: [UInt32] = []
    var reasonsOfBuses: [UInt32] = []
    for bus in copy.scene.mixer.buses.indices {
      buses.append(names.texts.number(of: copy.scene.mixer.buses[bus].name))
      reasonsOfBuses.append(names.reasons.number(of: verdicts.silenceOfBuses[bus.position]))
    }
    (self.buses, self.reasonsOfBuses) = (buses, reasonsOfBuses)
    let zones = copy.scene.space.zones.zones
    self.zones = zones.indices.map { names.texts.number(of: zones[$0].name.isEmpty ? "\($0)" : zones[$0].name) }
    sounds = Array(repeating: nil, count: copy.scene.sounds.entries.count)
  }

  /// The numbers of the name and of the key of a sound.
  @inline(__always)
  fileprivate mutating func sound(
    _ index: SoundIndex,
    in table: borrowing SoundTable,
    _ names: inout SnapshotNames
  ) -> (name: UInt32, key: UInt32) {
    if let known = sounds[index.position] { return known }
    let entry = table[index]
    let numbers = (
      name: names.texts.number(of: entry.content?.name ?? ""),
      key: names.texts.number(of: table.plays(of: entry.identity).key?.name)
    )
    sounds[index.position] = numbers
    return numbers
  }
}

extension WorldCopy {
  /// The line of an emitter.
  func line(
    of slot: EmitterSlot,
    _ verdicts: Verdicts,
    _ numbers: inout LineNumbers,
    _ names: inout SnapshotNames
  ) -> EmitterLine {
    let state = scene.emitters[slot].status
    let sound = numbers.sound(scene.emitters[slot].sound, in: scene.sounds, &names)
    let bus = scene.emitters.bus(of: slot)
    var line = EmitterLine()
    var status = EmitterLine.Status()
    line[.id] = scene.emitters[slot].generation
    (line[.sound], line[.key], line[.bus]) = (sound.name, sound.key, numbers.buses[bus.position])
    status.state = state
    status.isPlaced = scene.emitters[slot].isPlaced
    status.priority = scene.emitters[slot].priority
    status.behavior = scene.emitters[slot].behavior
    let isHeard = isHeard(slot)
    if isHeard, let voice = scene.emitters[slot].voice { line[.voice] = UInt32(voice.position) + 1 }
    status.isWaiting = scene.emitters[slot].isDelayed(isHeard: isHeard, at: scene.now)
    line[number: .gain] = scene.emitters[slot].gain
    line[number: .pitch] = scene.emitters[slot].pitch
    line[.repeats] = UInt32(bitPattern: Int32(clamping: scene.emitters[slot].clock.course.repeats.number ?? 0))
    line[vector: .velocityX] = scene.emitters[slot].velocity
    if state == .idle {
      (status.silence, line[.silence]) = (.reason, numbers.reasons.idle)
    } else {
      var factors = scene.audibility(of: slot, envelope: 1)
      let (finding, number) = silence(of: slot, factors, verdicts, numbers)
      (status.silence, line[.silence]) = (finding, number)
      (factors.envelope, factors.sends) = (scene.soundLevel(of: slot), 0)
      line[number: .level] = factors.audible
      line.place = seconds(of: slot)
    }
    if status.isPlaced { store(placed: slot, numbers, &line, &status) }
    if scene.emitters[slot].hasRareSettings { storeRareSettings(of: slot, &line, &names) }
    line.status = status
    return line
  }

  /// The reason for the silence of an emitter that plays or is paused, with the factors of its loudness.
  @inline(__always)
  private func silence(
    of slot: EmitterSlot,
    _ factors: Audibility,
    _ verdicts: Verdicts,
    _ numbers: LineNumbers
  ) -> (EmitterLine.SilenceKind, UInt32) {
    if numbers.reasons.context != 0 { return (.reason, numbers.reasons.context) }
    let finding = verdicts.finding(of: slot) {
      var ahead = factors
      ahead.envelope = scene.highestSoundLevel(of: slot)
      return ahead
    }
    switch finding {
    case .hasVoice: return (.none, 0)
    case .notPlaying: return (.reason, numbers.reasons.idle)
    case .loading: return (.reason, numbers.reasons.loading)
    case .paused: return (.reason, numbers.reasons.paused)
    case .waiting: return (.reason, numbers.reasons.waiting)
    case .beyondReach: return (.reason, numbers.reasons.beyondReach)
    case .isNext: return (.reason, numbers.reasons.next)
    case .silencedByBus(let bus): return (.reason, numbers.reasonsOfBuses[bus.position])
    case .tooQuiet(let amplitude, let isReturn):
      return (isReturn ? .tooQuietToReturn : .tooQuiet, amplitude.bitPattern)
    case .outranked(let score, let isStream):
      return (isStream ? .outrankedByStreams : .outranked, score.bitPattern)
    }
  }

  /// Stores what an emitter with a position has besides.
  @inline(__always)
  private func store(
    placed slot: EmitterSlot,
    _ numbers: LineNumbers,
    _ line: inout EmitterLine,
    _ status: inout EmitterLine.Status
  ) {
    line[vector: .x] = scene.emitters.position(of: slot)
    let index = scene.emitters[slot].listener.position
    if index > 0, index < scene.space.listeners.count { status.listener = index }
    if scene.space.zones.zones.isEmpty, scene.space.portals.isEmpty { return }
    guard let emitter = scene.emitters.placed(slot) else { return }
    if let zone = scene.space.zone(of: emitter) { line[.zone] = numbers.zones[zone.position] }
    guard let path = scene.space.path(of: emitter), path.course != .straight else { return }
    line[.course] = 1
    if case .portal(let portal) = path.course { line[.course] = UInt32(portal.position) + 2 }
    line[number: .pathLength] = (path.place - scene.space.listeners[emitter.listener].position).length
    line[number: .pathMuffling] = path.occlusion
  }

  private func storeRareSettings(of slot: EmitterSlot, _ line: inout EmitterLine, _ names: inout SnapshotNames) {
    let rare = scene.emitters[rare: slot]
    line[vector: .directionX] = rare.direction
    (line[number: .occlusion], line[number: .obstruction]) = (rare.occlusion.rawValue, rare.obstruction.rawValue)
    (line[number: .rayOcclusion], line[number: .rayObstruction]) = (rare.rays.occlusion, rare.rays.obstruction)
    var values = SnapshotNames.RareValues()
    if rare.cone != Cone() { values.cone = rare.cone }
    if rare.radius != 0 { values.radius = rare.radius.atMicro }
    if !rare.sends.isEmpty { values.sends = rare.sends.map { Gain($0.gain.atMicro) } }
    values.leader = rare.leader.map { Int($0.number) }
    if values != SnapshotNames.RareValues() { line[.rareValues] = names.rareValues.number(of: values) }
  }

  /// The position of an emitter in its sound, in seconds.
  @inline(__always)
  private func seconds(of slot: EmitterSlot) -> Double {
    guard let rate = scene.sounds[scene.emitters[slot].sound].loaded?.sampleRate else { return 0 }
    return scene.emitters[slot].clock.place(at: scene.now) / Double(max(rate, 1))
  }
}
