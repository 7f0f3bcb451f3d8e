internal import AudioSupport
internal import Spatial3D

extension AudioWorld {
  /// The reason why an emitter is silent, or as loud as it is.
  ///
  /// The cost grows with the number of emitters: it is for tools and tests. The next change of the world copies the
  /// arrays of its emitters. An emitter of another world does not play.
  public func explain(_ emitter: Emitter) -> Explanation {
    guard emitter.world === self else { return .ofStranger }
    return explain(emitter.slot)
  }

  func explain(_ slot: EmitterSlot) -> Explanation {
    let physics = context.physics
    let suspensions = context.suspensions
    // A copy: the search of a path must not change the world, and a recording has no entry for it.
    let original = state.withLock { state in
      state.adopt(physics)
      return state
    }
    defer { withExtendedLifetime(original) { state.endCopy() } }
    var copy = original
    copy.catchUpPath(of: slot)
    var explanation = copy.explanation(of: slot)
    let isIdle = explanation.verdict == .silent(.notPlaying)
    if !isIdle, let silence = copy.session.silence(by: suspensions.keys) { explanation.verdict = .silent(silence) }
    return explanation
  }
}

extension WorldState {
  fileprivate func explanation(of slot: EmitterSlot) -> Explanation {
    let record = playback.scene.emitters[slot]
    var factors = factors(of: slot)
    var ignored: [String] = []
    if record.hasPosition, !record.isPlaced {
      let bus = playback.scene.mixer.buses[playback.scene.emitters.bus(of: slot)].name
      if playback.scene.emitters.position(of: slot) != .zero { ignored.append("position on the direct bus \(bus)") }
      if playback.scene.emitters[rare: slot].direction != .zero { ignored.append("direction on the direct bus \(bus)") }
    } else if !record.isPlaced {
      if playback.scene.emitters.position(of: slot) != .zero {
        ignored.append("position of an emitter without a place")
      }
      if playback.scene.emitters[rare: slot].direction != .zero {
        ignored.append("direction of an emitter without a place")
      }
    } else if playback.scene.emitters[rare: slot].cone != Cone(), playback.scene.emitters[rare: slot].direction == .zero
    {
      ignored.append("cone without a direction")
    }
    if let playlist = playback.scene.playlist(of: slot), playlist.pan != 0, playlist.timeline.format.channelCount > 2 {
      ignored.append("pan of a sound with \(playlist.timeline.format.channelCount) channels")
    }
    let level = factors.reduce(Decibels.zero) { $0 + $1.level }
    if record.status == .idle { factors = [] }
    return Explanation(
      verdict: verdict(of: slot),
      level: record.status == .idle ? .silence : level,
      rank: rank(of: slot),
      factors: factors,
      sends: record.status == .idle ? [] : playback.scene.space.factors(of: playback.scene.feeds(of: slot)),
      ignored: ignored
    )
  }

  private func factors(of slot: EmitterSlot) -> [Explanation.Factor] {
    let record = playback.scene.emitters[slot]
    let audibility = playback.scene.audibility(of: slot)
    var factors: [Explanation.Factor] = []
    func add(_ kind: Explanation.Factor.Kind, _ gain: Float) {
      factors.append(.init(kind: kind, level: Decibels(factor: gain)))
    }
    add(.gain, record.gain)
    add(.variation, playback.scene.emitters.drawn(slot).gain)
    add(.fade, record.fade)
    add(.copies, record.copyGain)
    addBuses(of: slot, to: &factors)
    add(
      .listener(index: playback.scene.space.listeners.count > 1 ? record.listener.position : nil),
      playback.scene.space.listeners[record.listener].gain.rawValue
    )
    let emitter = playback.scene.emitters.placed(slot)
    let path = playback.scene.space.path(of: emitter)
    let portal = playback.scene.space.portals.portal(of: path?.course)
    if let emitter {
      let way = (path?.place ?? emitter.position) - playback.scene.space.listeners[record.listener].position
      let distance = (way * way).sum().squareRoot()
      // An open portal attenuates nothing, and is no factor of its own.
      add(.attenuation(distance: distance, through: portal), audibility.attenuation)
      add(.reach, audibility.reach)
      add(.cone, audibility.cone)
    }
    let own = playback.scene.emitters[rare: slot]
    let occlusion = Audibility.loudness(ofOcclusion: own.occlusion)
    let obstruction = Audibility.loudness(ofObstruction: own.obstruction)
    add(.occlusion, occlusion)
    add(.obstruction, obstruction)
    let isBehindWall = path?.course == .wall
    let withRays = isBehindWall ? occlusion : Audibility.loudness(ofOcclusion: own.wholeOcclusion)
    add(.occlusionByRays, withRays / occlusion)
    add(.obstructionByRays, audibility.obstruction / obstruction)
    if isBehindWall {
      add(.wall, audibility.occlusion / withRays)
    } else if let portal {
      add(.portal(portal), audibility.occlusion / withRays)
    }
    if audibility.filter != 1 { add(.filters, audibility.filter) }
    add(.sound, playback.scene.soundLevel(of: slot))
    return factors
  }

  /// Appends the factors of the buses of an emitter: the gain of each, and what lowers it.
  private func addBuses(of slot: EmitterSlot, to factors: inout [Explanation.Factor]) {
    for index in playback.scene.mixer.buses.path(from: playback.scene.emitters.bus(of: slot)) {
      let (bus, name) = (playback.scene.mixer.buses[index], BusName(playback.scene.mixer.buses[index].name))
      factors.append(.init(kind: .bus(name), level: Decibels(factor: bus.gain)))
      if bus.duck < 0 {
        let triggers = playback.scene.mixer.duckers.filter { $0.target == index && $0.level < 0 }.map {
          BusName(playback.scene.mixer.buses[$0.trigger].name)
        }
        factors.append(.init(kind: .ducking(name, under: triggers), level: Decibels(bus.duck)))
      }
      if bus.isMuted { factors.append(.init(kind: .mute(name), level: .silence)) }
      if bus.pauseLevel < 1 {
        factors.append(.init(kind: .pause(name), level: Decibels(factor: bus.pauseLevel)))
      }
      if bus.otherAudioLevel < 1 {
        factors.append(.init(kind: .otherAudio(name), level: Decibels(factor: bus.otherAudioLevel)))
      }
    }
    let totals = playback.scene.mixer.buses[playback.scene.emitters.bus(of: slot)].totals
    if totals.gain == 0, totals.pathGain > 0 { factors.append(.init(kind: .solo, level: .silence)) }
  }

  /// The weakest of the emitters that have a voice.
  struct Rivals: Sendable {
    /// The lowest score of all, and the lowest score of streams; 0 for none.
    let last: Float
    let lastOfStreams: Float
    let areStreamsFull: Bool
    /// Whether a voice is free: the next choice gives it away.
    let hasFreeVoice: Bool
  }

  var rivals: Rivals {
    var (last, lastOfStreams) = (Float.infinity, Float.infinity)
    var taken = 0
    for index in playback.voices.indices {
      let voice = playback.voices[index]
      guard voice.isTaken, let slot = voice.slot else { continue }
      taken += 1
      let score = score(of: slot)
      last = min(last, score)
      if voice.isStream { lastOfStreams = min(lastOfStreams, score) }
    }
    return Rivals(
      last: last.isFinite ? last : 0,
      lastOfStreams: lastOfStreams.isFinite ? lastOfStreams : 0,
      areStreamsFull: playback.voices.areStreamsFull,
      hasFreeVoice: taken < playback.voices.limit
    )
  }

  private func verdict(of slot: EmitterSlot) -> Explanation.Verdict {
    verdict(of: slot, verdictOfBus: verdictOfBus(playback.scene.emitters.bus(of: slot)), rivals: rivals)
  }

  /// The verdict about an emitter, with what is the same for many.
  func verdict(of slot: EmitterSlot, verdictOfBus: SilenceReason?, rivals: Rivals) -> Explanation.Verdict {
    let record = playback.scene.emitters[slot]
    switch record.status {
    case .idle: return .silent(.notPlaying)
    case .loading: return .silent(.loading)
    case .paused, .pausedBeforeStart: return .silent(.paused(by: "the emitter"))
    case .playing, .stopping, .pausing: break
    }
    if let verdictOfBus { return .silent(verdictOfBus) }
    if playback.isHeard(slot) { return .hasVoice }
    if isWaiting(slot) || record.voice != nil { return .silent(.waiting) }
    let audibility = playback.scene.audibility(of: slot)
    if audibility.reach == 0 { return .silent(.beyondReach) }
    let threshold = record.hasSounded ? Audibility.thresholdOfReturn : Audibility.threshold
    guard audibility.audible >= threshold else {
      return .silent(.tooQuiet(by: Decibels(factor: threshold) - Decibels(factor: audibility.audible)))
    }
    let competesWithStreams = playback.scene.needsStreamPlace(slot) && rivals.areStreamsFull
    if rivals.hasFreeVoice, !competesWithStreams { return .silent(.outranked(by: 0)) }
    let last = competesWithStreams ? rivals.lastOfStreams : rivals.last
    let score = audibility.audible * record.priority.factor
    return .silent(.outranked(by: max(Decibels(factor: last) - Decibels(factor: score), 0)))
  }

  /// The reason for which a bus silences its emitters; `nil` for none.
  func verdictOfBus(_ bus: BusIndex) -> SilenceReason? {
    let path = playback.scene.mixer.buses.path(from: bus)
    if let paused = path.first(where: { playback.scene.mixer.buses[$0].isHalted }) {
      return .paused(by: "the bus \(playback.scene.mixer.buses[paused].name)")
    }
    if let muted = path.first(where: { playback.scene.mixer.buses[$0].isMuted }) {
      return .muted(by: "the bus \(playback.scene.mixer.buses[muted].name)")
    }
    let totals = playback.scene.mixer.buses[bus].totals
    return totals.gain == 0 && totals.pathGain > 0 ? .soloedElsewhere : nil
  }

  /// Whether the start of an emitter or player lies ahead, or a limit keeps it virtual.
  func isWaiting(_ slot: EmitterSlot) -> Bool {
    playback.scene.emitters[slot].isSounding && !playback.isHeard(slot)
      && (playback.scene.emitters[slot].isLimited || playback.scene.emitters[slot].began > playback.now)
  }

  /// The score of an emitter in the choice.
  private func score(of slot: EmitterSlot) -> Float {
    playback.scene.audibility(of: slot).audible * playback.scene.emitters[slot].priority.factor
      * (playback.scene.emitters[slot].voice != nil ? Audibility.hysteresis : 1)
  }

  private func rank(of slot: EmitterSlot) -> Int? {
    guard playback.scene.emitters[slot].isSounding else { return nil }
    let own = (score(of: slot), -playback.scene.emitters.order(of: slot))
    let before = playback.scene.emitters.indices.count { other in
      playback.scene.emitters[other].isUsed && playback.scene.emitters[other].isSounding
        && (score(of: other), -playback.scene.emitters.order(of: other)) > own
    }
    return before + 1
  }

  /// The present numbers.
  var currentStatistics: VoiceStatistics {
    var numbers = playback.voices.statistics
    var power: Float = 0
    for slot in playback.scene.emitters.indices where playback.scene.emitters[slot].isUsed {
      switch playback.scene.emitters[slot].status {
      case .idle: continue
      case .loading: numbers.waiting += 1
      case .paused, .pausedBeforeStart: numbers.paused += 1
      case .playing, .stopping, .pausing:
        if playback.isHeard(slot) {
          numbers.real += 1
          if playback.scene.emitters[rare: slot].occlusion(
            on: playback.scene.space.path(of: playback.scene.emitters.placed(slot))
          ) != (0, 0) {
            numbers.filtered += 1
          }
          continue
        }
        if isWaiting(slot) {
          numbers.waiting += 1
          continue
        }
        var audibility = playback.scene.audibility(of: slot)
        numbers.virtual += 1
        if audibility.audible < Audibility.threshold { numbers.inaudible += 1 }
        // The choice looks ahead; the sum is of the present.
        audibility.envelope = playback.scene.soundLevel(of: slot)
        power += audibility.audible * audibility.audible
      }
    }
    numbers.virtualLevel = Decibels(factor: power.squareRoot())
    return numbers
  }
}
