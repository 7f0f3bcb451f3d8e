internal import Spatial3D

extension Explanation {
  /// The reason why an emitter or player is silent, or as loud as it is, in a copy with its present path.
  init(of slot: EmitterSlot, in copy: WorldCopy) {
    let record = copy.scene.emitters[slot]
    var factors = copy.factors(of: slot)
    var ignored: [String] = []
    if record.hasPosition, !record.isPlaced {
      let bus = copy.scene.mixer.buses[copy.scene.emitters.bus(of: slot)].name
      if copy.scene.emitters.position(of: slot) != .zero { ignored.append("position on the direct bus \(bus)") }
      if copy.scene.emitters[rare: slot].direction != .zero { ignored.append("direction on the direct bus \(bus)") }
    } else if !record.isPlaced {
      if copy.scene.emitters.position(of: slot) != .zero {
        ignored.append("position of an emitter without a place")
      }
      if copy.scene.emitters[rare: slot].direction != .zero {
        ignored.append("direction of an emitter without a place")
      }
    } else if copy.scene.emitters[rare: slot].cone != Cone(), copy.scene.emitters[rare: slot].direction == .zero {
      ignored.append("cone without a direction")
    }
    if let playlist = copy.scene.playlist(of: slot), playlist.pan != 0, playlist.timeline.format.channelCount > 2 {
      ignored.append("pan of a sound with \(playlist.timeline.format.channelCount) channels")
    }
    var verdict = Verdicts(copy)[slot]
    let isIdle = verdict == .silent(.notPlaying)
    if !isIdle, let silence = copy.silence { verdict = .silent(silence) }
    let level = factors.reduce(Decibels.zero) { $0 + $1.level }
    if record.status == .idle { factors = [] }
    self.init(
      verdict: verdict,
      level: record.status == .idle ? .silence : level,
      rank: copy.rank(of: slot),
      factors: factors,
      sends: record.status == .idle ? [] : copy.scene.space.factors(of: copy.scene.feeds(of: slot)),
      ignored: ignored
    )
  }
}

extension WorldCopy {
  fileprivate func factors(of slot: EmitterSlot) -> [Explanation.Factor] {
    let record = scene.emitters[slot]
    let audibility = scene.audibility(of: slot)
    var factors: [Explanation.Factor] = []
    func add(_ kind: Explanation.Factor.Kind, _ gain: Float) {
      factors.append(.init(kind: kind, level: Decibels(factor: gain)))
    }
    add(.gain, record.gain)
    add(.variation, scene.emitters.drawn(slot).gain)
    add(.fade, record.fade)
    add(.copies, record.copyGain)
    addBuses(of: slot, to: &factors)
    add(
      .listener(index: scene.space.listeners.count > 1 ? record.listener.position : nil),
      scene.space.listeners[record.listener].gain.rawValue
    )
    let emitter = scene.emitters.placed(slot)
    let path = scene.space.path(of: emitter)
    let portal = scene.space.portals.portal(of: path?.course)
    if let emitter {
      let way = (path?.place ?? emitter.position) - scene.space.listeners[record.listener].position
      let distance = (way * way).sum().squareRoot()
      // An open portal attenuates nothing, and is no factor of its own.
      add(.attenuation(distance: distance, through: portal), audibility.attenuation)
      add(.reach, audibility.reach)
      add(.cone, audibility.cone)
    }
    let own = scene.emitters[rare: slot]
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
    add(.sound, scene.soundLevel(of: slot))
    return factors
  }

  /// Appends the factors of the buses of an emitter: the gain of each, and what lowers it.
  private func addBuses(of slot: EmitterSlot, to factors: inout [Explanation.Factor]) {
    for index in scene.mixer.buses.path(from: scene.emitters.bus(of: slot)) {
      let (bus, name) = (scene.mixer.buses[index], BusName(scene.mixer.buses[index].name))
      factors.append(.init(kind: .bus(name), level: Decibels(factor: bus.gain)))
      if bus.duck < 0 {
        let triggers = scene.mixer.duckers.filter { $0.target == index && $0.level < 0 }.map {
          BusName(scene.mixer.buses[$0.trigger].name)
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
    let totals = scene.mixer.buses[scene.emitters.bus(of: slot)].totals
    if totals.gain == 0, totals.pathGain > 0 { factors.append(.init(kind: .solo, level: .silence)) }
  }

  /// The position of an emitter in the order of the scores, from 1; `nil` for an emitter that does not play.
  fileprivate func rank(of slot: EmitterSlot) -> Int? {
    guard scene.emitters[slot].isSounding else { return nil }
    let own = (score(of: slot), -scene.emitters.order(of: slot))
    var bounds = ScoreBounds(self)
    var before = 0
    for other in scene.emitters.indices {
      if let upper = bounds.upper(of: other) {
        // Most emitters are certainly behind or before: few need a score.
        if upper < own.0 { continue }
        if bounds.lower(of: other) > own.0 {
          before += 1
          continue
        }
      }
      guard scene.emitters[other].isUsed, scene.emitters[other].isSounding else { continue }
      if (score(of: other), -scene.emitters.order(of: other)) > own { before += 1 }
    }
    return before + 1
  }
}
