internal import AudioSupport
internal import Spatial3D

extension AudioWorld {
  /// The reason why an emitter is silent, or as loud as it is.
  ///
  /// The cost grows with the number of emitters: it is for tools and tests. An emitter of another world does not play.
  public func explain(_ emitter: Emitter) -> Explanation {
    guard emitter.world === self else {
      return Explanation(verdict: .silent(.notPlaying), level: .silence, rank: nil, factors: [], ignored: [])
    }
    let physics = context.physics
    let suspensions = context.suspensions
    return state.withLock { state in
      state.adopt(physics)
      var explanation = state.explanation(of: emitter.slot)
      if let reason = suspensions.keys.min(by: { "\($0)" < "\($1)" }) {
        explanation.verdict = .silent(.suspended(reason))
      }
      return explanation
    }
  }
}

extension WorldState {
  fileprivate func explanation(of slot: Int) -> Explanation {
    let record = records[slot]
    var factors = factors(of: slot)
    var ignored: [String] = []
    if !record.isPlaced {
      if columns.position(of: slot) != .zero { ignored.append("position of an emitter without a place") }
      if rare(slot, \.direction) != .zero { ignored.append("direction of an emitter without a place") }
    } else if rare(slot, \.cone) != Cone(), rare(slot, \.direction) == .zero {
      ignored.append("cone without a direction")
    }
    let level = factors.reduce(Decibels.zero) { $0 + $1.level }
    if record.status == .idle { factors = [] }
    return Explanation(
      verdict: verdict(of: slot),
      level: record.status == .idle ? .silence : level,
      rank: rank(of: slot),
      factors: factors,
      ignored: ignored
    )
  }

  private func factors(of slot: Int) -> [Explanation.Factor] {
    let record = records[slot]
    let audibility = audibility(of: slot)
    var factors: [Explanation.Factor] = []
    func add(_ name: String, _ gain: Float) { factors.append(.init(name: name, level: Decibels(gain: gain))) }
    add("gain", record.gain)
    add("fade", record.fade)
    add("copies that began together", record.crowd)
    for bus in path(from: Int(record.bus)) { add("bus \(buses[bus].name)", buses[bus].gain) }
    add("listener", listener.gain)
    if record.isPlaced {
      let way = columns.position(of: slot) - listener.position
      let distance = ((way * way).sum().squareRoot() * 10).rounded() / 10
      add("attenuation at \(distance) m", audibility.attenuation)
      add("end of its reach", audibility.reach)
      add("cone", audibility.cone)
    }
    add("occlusion", audibility.occlusion)
    add("obstruction", audibility.obstruction)
    add("the sound itself", level(of: slot))
    return factors
  }

  /// The level of the sound itself at its present place.
  private func level(of slot: Int) -> Float {
    sounds[Int(records[slot].sound)].loaded?.envelope.level(at: records[slot].clock.place(at: now)) ?? 0
  }

  private func verdict(of slot: Int) -> Explanation.Verdict {
    let record = records[slot]
    switch record.status {
    case .idle: return .silent(.notPlaying)
    case .loading: return .silent(.loading)
    case .paused: return .silent(.paused(by: "the emitter"))
    case .playing, .stopping, .pausing: break
    }
    if isHeard(slot) { return .heard }
    if record.isHeld || record.began > now || record.voice >= 0 { return .silent(.waiting) }
    let audibility = audibility(of: slot)
    if audibility.reach == 0 { return .silent(.beyondReach) }
    let threshold = record.hasSounded ? Audibility.thresholdOfReturn : Audibility.threshold
    guard audibility.audible >= threshold else {
      return .silent(.tooQuiet(by: Decibels(gain: threshold) - Decibels(gain: audibility.audible)))
    }
    let last = voices.lazy.filter(\.isTaken).map { score(of: $0.slot) }.min() ?? 0
    return .silent(.outranked(by: max(Decibels(gain: last) - Decibels(gain: score(of: slot)), 0)))
  }

  /// The score of an emitter in the choice.
  private func score(of slot: Int) -> Float {
    audibility(of: slot).audible * records[slot].priority.factor
      * (records[slot].voice >= 0 ? Audibility.hysteresis : 1)
  }

  private func rank(of slot: Int) -> Int? {
    guard records[slot].isSounding else { return nil }
    let own = (score(of: slot), -Int(records[slot].order))
    let before = records.indices.count { other in
      records[other].isUsed && records[other].isSounding && (score(of: other), -Int(records[other].order)) > own
    }
    return before + 1
  }

  /// The present numbers.
  var currentStatistics: VoiceStatistics {
    var numbers = statistics
    var power: Float = 0
    for slot in records.indices where records[slot].isUsed {
      switch records[slot].status {
      case .idle: continue
      case .loading: numbers.waiting += 1
      case .paused: numbers.paused += 1
      case .playing, .stopping, .pausing:
        if isHeard(slot) {
          numbers.real += 1
          if rare(slot, \.occlusion) != 0 || rare(slot, \.obstruction) != 0 { numbers.filtered += 1 }
          continue
        }
        if records[slot].began > now || records[slot].isHeld {
          numbers.waiting += 1
          continue
        }
        var audibility = audibility(of: slot)
        numbers.virtual += 1
        if audibility.audible < Audibility.threshold { numbers.inaudible += 1 }
        // The choice looks ahead; the sum is of the present.
        audibility.envelope = level(of: slot)
        power += audibility.audible * audibility.audible
      }
    }
    numbers.virtualLevel = Decibels(gain: power.squareRoot())
    return numbers
  }

  /// Adopts the usable parts of a listener.
  mutating func setListener(_ new: Listener) {
    var next = new
    next.position = next.position.usable ?? listener.position
    next.velocity = next.velocity.usable ?? listener.velocity
    next.gain = next.gain.isFinite ? min(max(next.gain, 0), 16) : listener.gain
    if next.orientation.forward == .zero { next.orientation = listener.orientation }
    guard next != listener else { return }
    listener = next
    isListenerChanged = true
  }
}
