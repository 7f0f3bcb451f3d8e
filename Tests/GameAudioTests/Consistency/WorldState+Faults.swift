import Spatial3D

@testable import GameAudio

// What the parts of a world's state say about each other, computed anew from the emitters.

extension WorldState {
  /// The parts that do not agree with the rest, in words.
  var faults: [String] {
    listFaults + countFaults + clockFaults + weightFaults + voiceFaults + soundFaults + busFaults + zoneFaults
  }

  private var used: [EmitterSlot] { playback.scene.emitters.indices.filter { playback.scene.emitters[$0].isUsed } }

  private static func difference<Value: Equatable>(_ name: String, _ value: Value, _ expected: Value) -> [String] {
    value == expected ? [] : ["\(name): \(value), not \(expected)"]
  }

  /// The lists of slots.
  private var listFaults: [String] {
    let used = used
    let taken = used.compactMap { playback.scene.emitters[$0].rare != 0 ? playback.scene.emitters[$0].rare : nil }
    let isObserved = { (slot: EmitterSlot) in !self.playback.scene.emitters[rare: slot].observers.isEmpty }
    let waiting = used.filter { playback.scene.emitters[$0].isLimited }
    let listed = playback.scene.limits.waiting.filter {
      playback.scene.emitters[$0.slot].isLimited && playback.scene.emitters[$0.slot].order == $0.order
    }
    let unused = playback.scene.emitters.indices.filter { !playback.scene.emitters[$0].isUsed }
    let pitches = Set(used.filter { playback.scene.emitters[$0].isPitchChanged })
    return Self.difference("free slots", playback.scene.emitters.freeSlots.sorted(), unused)
      + Self.difference(
        "rare settings",
        (taken + playback.scene.emitters.freeSettings).sorted(),
        playback.scene.emitters.settings.indices.dropFirst().map(Int32.init)
      )
      + Self.difference("observed", playback.scene.emitters.observed.keys.sorted(), used.filter(isObserved))
      + Self.difference("held", Set(listed.map(\.slot)), Set(waiting))
      + Self.difference("new pitches", pitches.isSubset(of: playback.scene.emitters.changedPitches), true)
      + (playback.scene.emitters.followers.keys + playback.scene.emitters.deriving.keys).filter {
        !playback.scene.emitters[$0].isUsed
      }.map {
        "list of slot \($0)"
      }
      + playback.scene.fades.running.map(\.key).filter { !playback.scene.emitters[$0.slot].isUsed }.map {
        "fade of \($0)"
      }
  }

  /// Numbers that change by one with each change of an emitter.
  private var countFaults: [String] {
    let used = used
    let active: Set<EmitterRecord.Status> = [.loading, .playing, .stopping, .pausing]
    var faults = Self.difference(
      "active",
      playback.scene.emitters.activeCount,
      used.count { active.contains(playback.scene.emitters[$0].status) }
    )
    faults += Self.difference(
      "stopping",
      playback.scene.emitters.stoppingCount,
      used.count { playback.scene.emitters[$0].behavior == .stop }
    )
    faults += Self.difference(
      "soloed",
      playback.scene.mixer.buses.soloedCount,
      playback.scene.mixer.buses.records.count { $0.isSoloed }
    )
    for identity in Set(playback.scene.copies.beginnings.map(\.identity)) {
      let count = playback.scene.copies.beginnings.count { $0.identity == identity }
      faults += Self.difference("beginnings", playback.scene.sounds.plays(of: identity).recent, count)
    }
    return faults
      + Self.difference(
        "order of beginnings",
        playback.scene.copies.beginnings.map(\.frame),
        playback.scene.copies.beginnings.map(\.frame).sorted()
      )
  }

  /// The ends and the steps of the clocks.
  private var clockFaults: [String] {
    var faults: [String] = []
    for slot in used {
      let record = playback.scene.emitters[slot]
      let stands = record.voice == nil && (record.behavior == .fromBeginning || record.behavior == .resume)
      let end = record.isSounding && !stands ? record.clock.end ?? .max : .max
      faults += Self.difference("end of \(slot)", playback.scene.emitters.end(of: slot), end)
      if playback.scene.emitters.nextEnd > playback.scene.emitters.end(of: slot) {
        faults.append(
          "next end \(playback.scene.emitters.nextEnd), and \(playback.scene.emitters.end(of: slot)) of \(slot)"
        )
      }
      guard record.isSounding, !record.isPitchChanged, let sound = playback.scene.sounds[record.sound].loaded
      else { continue }
      let pitch = min(
        max(
          record.pitch * playback.scene.emitters.drawn(slot).pitch
            * playback.scene.mixer.buses[playback.scene.emitters.bus(of: slot)].totals.pitch,
          1e-4
        ),
        255
      )
      let rates = (sound.sampleRate, playback.scene.time.physics.sampleRate)
      let step = playback.scene.time.physics.step.frames(
        pitch: pitch * record.shift,
        soundRate: rates.0,
        mixRate: rates.1
      )
      let isStill = stands || playback.scene.mixer.buses[playback.scene.emitters.bus(of: slot)].totals.isPaused
      faults += Self.difference("step of \(slot), \(record.status)", record.clock.step, isStill ? 0 : step)
    }
    return faults
  }

  /// The weights of the emitters without a voice, and their laws.
  private var weightFaults: [String] {
    var faults: [String] = []
    for slot in used {
      let record = playback.scene.emitters[slot]
      let entry = playback.scene.sounds[record.sound]
      var weight: Float = 0
      if record.status == .playing, record.voice == nil, !record.isLimited, let sound = entry.loaded {
        let levels =
          record.gain * playback.scene.emitters.drawn(slot).gain * (record.isPlayer ? 1 : record.fade)
          * record.copyGain * record.priority.factor
        let sends = playback.scene.emitters[rare: slot].sends.reduce(0) { $0 + $1.gain * $1.gain }
        weight = levels * (entry.key.curve?.peak ?? 1) * sound.envelope.peak * (1 + sends).squareRoot()
      }
      if abs(playback.scene.emitters.weight(of: slot) - weight) > 1e-4 * weight {
        faults.append("weight \(playback.scene.emitters.weight(of: slot)), not \(weight)")
      }
      let isPlaced = record.hasPosition && !playback.scene.mixer.buses[playback.scene.emitters.bus(of: slot)].isDirect
      faults += Self.difference("placed \(slot)", record.isPlaced, isPlaced)
      let reach = isPlaced ? entry.key.silentBeyond ?? .infinity : .infinity
      faults += Self.difference("reach of \(slot)", playback.scene.emitters.reach(of: slot), reach)
      faults += Self.difference(
        "rolloff of \(slot)",
        playback.scene.emitters.columns.rolloff[slot.position],
        isPlaced ? entry.key.law.rolloffFactor : 0
      )
    }
    return faults
  }

  /// The voices, and the emitters and players that have them.
  private var voiceFaults: [String] {
    var faults: [String] = []
    for index in playback.voices.indices {
      let voice = playback.voices[index]
      if voice.isTaken != (voice.slot != nil) { faults.append("voice \(index) is \(voice.state)") }
      guard let slot = voice.slot else { continue }
      if !playback.scene.emitters[slot].isUsed { faults.append("voice \(index) of a free slot") }
      let isMain = playback.scene.emitters[slot].voice == index
      if isMain != (voice.role == .plain || voice.role == .prepared) { faults.append("role \(voice.role) of \(index)") }
    }
    for slot in used {
      guard let voice = playback.scene.emitters[slot].voice else { continue }
      faults += Self.difference("voice of \(slot)", playback.voices[voice].slot, slot)
      if !playback.scene.emitters[slot].isPlayer, !playback.scene.emitters[slot].isSounding {
        faults.append("voice of a silent emitter")
      }
    }
    let uses = playback.voices.all.filter(\.isTaken).map(\.use)
    faults += Self.difference("uses", Set(uses).count, uses.count)
    if uses.contains(where: { $0 > playback.voices.lastUse }) { faults.append("use above \(playback.voices.lastUse)") }
    for slot in used where playback.scene.emitters[slot].isPlayer {
      faults += Self.difference("player of \(slot)", playback.scene.playlist(of: slot)?.slot, slot)
    }
    return faults
      + Self.difference(
        "players",
        playback.scene.players.records.count { $0.playlist != nil },
        used.count { playback.scene.emitters[$0].isPlayer }
      )
  }

  /// The users of the sounds.
  private var soundFaults: [String] {
    var users = Array(repeating: 0, count: playback.scene.sounds.entries.count)
    for slot in used {
      let use = playback.scene.emitters.use(of: slot)
      let members = use.family.map { playback.scene.sounds.members(of: $0) } ?? []
      for index in Set(members + [use.index]) { users[index.position] += 1 }
    }
    var faults = Self.difference("users", playback.scene.sounds.entries.map(\.users), users)
    for entry in playback.scene.sounds.entries {
      // The timeline of a player has no content.
      faults += Self.difference("content", entry.content != nil, entry.users > 0 && !entry.isTimeline)
    }
    return faults
  }

  /// The totals of the buses, and what ducks them.
  private var busFaults: [String] {
    var faults = Self.difference(
      "bounds",
      playback.scene.mixer.buses.bounds,
      playback.scene.mixer.buses.records.map(\.totals.bound)
    )
    for index in playback.scene.mixer.buses.indices {
      let path = playback.scene.mixer.buses.path(from: index).map { playback.scene.mixer.buses[$0] }
      let gain = path.reduce(1) { $0 * $1.ownGain }
      let totals = playback.scene.mixer.buses[index].totals
      if abs(totals.pathGain - gain) > 1e-5 { faults.append("gain of \(index): \(totals.pathGain), not \(gain)") }
      let isSilent = playback.scene.mixer.buses.soloedCount > 0 && !path.contains(where: \.isSoloed)
      faults += Self.difference("solo of \(index)", totals.gain, isSilent ? 0 : totals.pathGain)
      faults += Self.difference("pause of \(index)", totals.isPaused, path.contains(where: \.isHalted))
      if abs(totals.pitch - path.reduce(1) { $0 * $1.pitch }) > 1e-4 { faults.append("pitch of \(index)") }
      let duck = playback.scene.mixer.duckers.filter { $0.target == index }.reduce(0) { max($0 + $1.level, -96) }
      faults += Self.difference("duck of \(index)", playback.scene.mixer.buses[index].duck, duck)
    }
    return faults
  }

  /// The units of the zones, and the listeners of the emitters.
  private var zoneFaults: [String] {
    var faults: [String] = []
    for unit in 0..<3 {
      let isMade =
        switch playback.scene.space.zones.pool.units[unit].state {
        case .fed, .ringing, .hushing: true
        case .empty, .opening, .refused: false
        }
      faults += Self.difference("unit \(unit)", playback.scene.space.zones.effects[unit] != nil, isMade)
    }
    return faults
      + used.filter { playback.scene.emitters[$0].listener.position >= playback.scene.space.listeners.countWithRemoved }
      .map {
        "listener \(playback.scene.emitters[$0].listener) of \($0)"
      }
  }
}
