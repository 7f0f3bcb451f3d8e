internal import Spatial3D

// The limits of sounds and buses.

extension WorldState {
  /// Decides whether an emitter may begin, and makes room for it.
  ///
  /// The sound's limit comes first, then those of the buses from the emitter's own to the root. No emitter ends before
  /// all limits have admitted the newcomer.
  mutating func admit(_ slot: Int) -> PlaybackLimit.Decision {
    let index = Int(records[slot].sound)
    // Most sounds have no limit.
    guard sounds[index].limit != nil || hasBusLimits else { return .admit }
    var victims: [Int] = []
    var isVirtual = false
    let identity = sounds[index].identity
    if let limit = sounds[index].limit {
      let last = sounds.entries.filter { $0.identity == identity }.compactMap(\.lastBegin).max()
      let players = playing { sounds[Int($0.sound)].identity == identity }
      guard apply(limit, to: slot, among: players, last: last, &victims, &isVirtual) else { return .refuse }
    }
    for bus in path(from: Int(records[slot].bus)) {
      guard let limit = buses[bus].limit else { continue }
      let players = playing { path(from: Int($0.bus)).contains(bus) }.filter { !victims.contains($0) }
      guard apply(limit, to: slot, among: players, last: buses[bus].lastBegin, &victims, &isVirtual) else {
        return .refuse
      }
    }
    for victim in victims { steal(victim) }
    return isVirtual ? .admitVirtually : .admit
  }

  /// Applies one limit; returns `false` if the newcomer is refused.
  private func apply(
    _ limit: PlaybackLimit,
    to slot: Int,
    among players: [Int],
    last: Int?,
    _ victims: inout [Int],
    _ isVirtual: inout Bool
  ) -> Bool {
    let decision = limit.decide(
      player(slot),
      among: players.map(player),
      framesSinceLast: last.map { now - $0 },
      sampleRate: physics.sampleRate
    )
    switch decision {
    case .admit: return true
    case .refuse: return false
    case .admitVirtually:
      isVirtual = true
      return true
    case .steal(let index):
      victims.append(players[index])
      return true
    }
  }

  private func player(_ slot: Int) -> PlaybackLimit.Player {
    var distance: Float = 0
    if records[slot].isPlaced {
      let way = columns.position(of: slot) - listener.position
      distance = (way * way).sum().squareRoot()
    }
    return PlaybackLimit.Player(
      order: Int(records[slot].order),
      loudness: audibility(of: slot).audible,
      distance: distance
    )
  }

  /// The slots of the emitters that count, under a condition.
  private func playing(where condition: (EmitterRecord) -> Bool) -> [Int] {
    records.indices.filter { records[$0].isUsed && records[$0].counts && !records[$0].isHeld && condition(records[$0]) }
  }

  /// Ends an emitter in favor of a newcomer.
  private mutating func steal(_ slot: Int) { end(slot, .stolen) }

  /// Lets the oldest emitter that a limit keeps virtual have a voice, in place of one that has ended.
  mutating func releaseHeld(by slot: Int) {
    guard !held.isEmpty else { return }
    guard !records[slot].isHeld else { return held.removeAll { $0 == slot } }
    guard let index = held.firstIndex(where: { fits(Int($0)) }) else { return }
    let other = Int(held.remove(at: index))
    records[other].isHeld = false
    updateWeight(of: other)
  }

  /// Whether the limits have room for an emitter that they keep virtual.
  private func fits(_ slot: Int) -> Bool {
    let identity = sounds[Int(records[slot].sound)].identity
    if let limit = sounds[Int(records[slot].sound)].limit {
      let count = playing { sounds[Int($0.sound)].identity == identity }.count
      guard count < max(limit.count, 1) else { return false }
    }
    return path(from: Int(records[slot].bus)).allSatisfy { bus in
      guard let limit = buses[bus].limit else { return true }
      return playing { path(from: Int($0.bus)).contains(bus) }.count < max(limit.count, 1)
    }
  }

  /// Lowers the copies of a sound that begin within 50 ms.
  mutating func compensate(_ slot: Int) {
    let identity = sounds[Int(records[slot].sound)].identity
    let reach = frames(ofMilliseconds: 50)
    let (began, frame) = (records[slot].began, now)
    let together = playing { record in
      sounds[Int(record.sound)].identity == identity && abs(record.began - began) <= reach && record.began <= frame
    }
    let factor = 1 / Float(max(together.count, 1)).squareRoot()
    for other in together {
      records[other].crowd = factor
      updateWeight(of: other)
    }
  }
}
