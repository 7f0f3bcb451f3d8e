internal import PCM
internal import Spatial3D

// The calls that make a world like this one.

extension WorldState {
  /// The calls that make the present state in a new world: its buses, its emitters and players, and what they play.
  var recreation: [WorldCall] {
    var calls: [WorldCall] = [
      .random(seed: seed, random), .listeners([listener] + ears.others), .streamLimit(streamLimit),
    ]
    if let space = recreationOfSpace { calls.append(space) }
    calls += banks.keys.sorted().map { .keepSamples(bank: $0) }
    for index in buses.indices { calls += recreation(ofBus: index) }
    for ducker in duckers { calls.append(.bus(ducker.target, .duck(under: ducker.trigger, ducker.ducking))) }
    let slots = records.indices.filter { records[$0].isUsed }
    for slot in slots { calls += recreation(ofSettings: slot) }
    for slot in slots.sorted(by: { order(of: $0) < order(of: $1) }) { calls += recreation(ofPlayback: slot) }
    for slot in slots where !records[slot].hasHandle { calls.append(.release(id(of: slot))) }
    calls += Array(repeating: .openUpdate, count: openUpdates)
    return calls
  }

  private func recreation(ofBus index: Int) -> [WorldCall] {
    let record = buses[index]
    var calls: [WorldCall] = []
    if let parent = record.parent {
      calls.append(.makeBus(index: index, record.name, parent: parent, isDirect: record.isDirect))
    }
    func set(_ call: BusCall) { calls.append(.bus(index, call)) }
    if record.gain != 1 { set(.gain(Decibels(gain: record.gain))) }
    if record.pitch != 1 { set(.pitch(record.pitch)) }
    if record.filter != ToneFilter() { set(.filter(record.filter)) }
    if record.isMuted { set(.mute(true)) }
    if record.isSoloed { set(.solo(true)) }
    if let limit = record.limit { set(.limit(limit)) }
    if record.mutesWithOtherAudio { set(.mutesWithOtherAudio(true)) }
    for send in record.sends { set(.send(send.unit, Decibels(gain: send.gain), .none)) }
    for _ in 0..<record.pauses { set(.pause(.none)) }
    return calls
  }

  private func recreation(ofSettings slot: Int) -> [WorldCall] {
    let (record, id) = (records[slot], id(of: slot))
    if let deck = deck(of: slot) { return recreation(of: deck, id, record) }
    guard let sound = sound(of: slot) else { return [] }
    var calls: [WorldCall] = []
    func set(_ call: EmitterCall) { calls.append(.emitter(id, call)) }
    set(.make(sound, isPlaced: record.hasPlace, bus: bus(of: slot), isOnce: record.isOnce))
    set(.position(columns.position(of: slot)))
    if record.velocity != .zero { set(.velocity(record.velocity)) }
    if deriving.contains(Int32(slot)) { set(.derivesVelocity(true)) }
    if record.gain != 1 { set(.gain(Decibels(gain: record.gain))) }
    if record.pitch != 1 { set(.pitch(record.pitch)) }
    if record.priority != .normal { set(.priority(record.priority)) }
    if record.clock.course.repeats != 0 { set(.repeats(record.clock.course.repeats)) }
    if record.behavior != .elapsedTime { set(.behavior(record.behavior)) }
    if record.start > 0 { set(.seek(.seconds(record.start))) }
    guard record.rare >= 0 else { return calls }
    let rare = self.rare[Int(record.rare)]
    if rare.direction != .zero { set(.direction(rare.direction)) }
    if rare.cone != Cone() { set(.cone(rare.cone)) }
    if rare.radius != 0 { set(.radius(rare.radius)) }
    if rare.occlusion != 0 { set(.occlusion(rare.occlusion)) }
    if rare.obstruction != 0 { set(.obstruction(rare.obstruction)) }
    // An emitter begins without a voice where the rays muffle it.
    if rare.rays != RayAnswer() { set(.rays(rare.rays)) }
    for send in rare.sends { set(.send(send.unit, Decibels(gain: send.gain), .none)) }
    if let leader = rare.leader, has(leader) { set(.follow(leader)) }
    return calls
  }

  private func recreation(of deck: Deck, _ id: Emitter.ID, _ record: EmitterRecord) -> [WorldCall] {
    var calls: [WorldCall] = []
    func set(_ call: PlayerCall) { calls.append(.player(id, call)) }
    set(.make(deck.current.track.sound, bus: bus(of: Int(id.slot))))
    if record.gain != 1 { set(.volume(record.gain)) }
    if record.pitch != 1 { set(.rate(record.pitch)) }
    if deck.pan != 0 { set(.pan(deck.pan)) }
    if record.priority != .mustBeHeard { set(.priority(record.priority)) }
    if deck.current.repeats != 0 { set(.repeats(deck.current.repeats)) }
    if let range = deck.current.loopRange { set(.loopRange(range)) }
    for entry in deck.line.dropFirst() { set(.schedule(entry.track.sound, .afterWhatIsQueued, entry.repeats)) }
    return calls
  }

  private func recreation(ofPlayback slot: Int) -> [WorldCall] {
    let (record, id) = (records[slot], id(of: slot))
    if let deck = deck(of: slot) {
      let format = deck.current.track.format
      let time = format.duration(ofFrames: deck.frame(at: deckPosition(of: slot)))
      var calls: [WorldCall] = time > .zero ? [.player(id, .seek(time))] : []
      if record.status == .playing || record.status == .pausing { calls.append(.player(id, .play(at: nil))) }
      return calls
    }
    guard record.status != .idle else { return [] }
    var calls: [WorldCall] = [
      .emitter(id, .play(at: record.began > now ? time(ofFrames: record.began) : nil))
    ]
    // The play waits for a first answer of its own.
    let rays = rare(slot, \.rays)
    if rays != RayAnswer() { calls.append(.emitter(id, .rays(rays))) }
    guard let sound = sounds[Int(record.sound)].loaded, record.began <= now else { return calls }
    let seconds = record.clock.place(at: now) / Double(max(sound.sampleRate, 1))
    if seconds > 0 { calls.append(.emitter(id, .seek(.seconds(seconds)))) }
    if case .times(let count) = record.clock.course.repeats, count > 0 {
      calls.append(.emitter(id, .repeats(.times(count - record.clock.laps(at: now)))))
    }
    for running in fades.values where running.slot == slot && running.kind == .gain {
      let rest = running.fade.duration - time(ofFrames: now - running.begin)
      calls.append(.emitter(id, .fade(running.to, Fade(max(rest, .zero), running.fade.curve))))
    }
    switch record.status {
    case .paused: calls.append(.emitter(id, .pause(.none)))
    case .pausing: calls.append(.emitter(id, .pause(.declick)))
    case .stopping: calls.append(.emitter(id, .stop(.declick)))
    case .idle, .loading, .playing: break
    }
    return calls
  }

  /// The description of an emitter's sound; `nil` for one whose samples are gone.
  private func sound(of slot: Int) -> Sound? {
    let use = use(of: slot)
    let contents = sounds.contents(of: use)
    return contents.isEmpty ? nil : sounds.sound(of: use, contents)
  }
}
