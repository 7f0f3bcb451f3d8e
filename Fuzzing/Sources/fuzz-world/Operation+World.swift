import FuzzSupport
import GameAudio
import Spatial3D

/// Calls of buses, spaces, clocks and worlds.
extension Operation {
  static let buses: [Operation] = [
    Operation("bus.make", 2) { caller in
      let place = caller.place(in: caller.game.buses)
      let (parent, kind) = (caller.bus(), caller.values.element(of: Bus.Kind.allCases))
      let name: BusName = "bus \(caller.values.int(0...5))"
      let bus = caller.call("bus \(place) = \(name)") { caller.world.mixer.makeBus(name, in: parent, kind: kind) }
      caller.game.buses.put(bus, at: place)
    },
    Operation("bus.properties", 6) { caller in
      guard let (place, bus) = caller.pick(caller.game.buses) else { return }
      let (gain, high, kind) = (caller.values.gain(), caller.values.level(-20...0), caller.values.int(0...8))
      let (fade, limit, number) = (caller.values.fade(), caller.values.limit(), caller.values.number(0...1))
      let isOn = caller.values.chance(0.3)
      caller.call("property \(kind) of bus \(place) by \(gain), \(number), \(isOn), \(fade)") {
        switch kind {
        case 0: bus.gain = gain
        case 1: bus.fade(to: gain, fade)
        case 2: bus.isMuted = isOn
        case 3: bus.isSoloed = isOn
        case 4: bus.pitch = 0.6 + number
        case 5: bus.limit = isOn ? limit : nil
        case 6: bus.filter = isOn ? ToneFilter(low: high, high: high) : ToneFilter()
        case 7: bus.pause(fade)
        default: bus.resume(fade)
        }
      }
      caller.run.require(!bus.level.rawValue.isNaN, "a level that is no number")
    },
    Operation("bus.duck", 2) { caller in
      guard let (place, bus) = caller.pick(caller.game.buses), let (other, trigger) = caller.pick(caller.game.buses)
      else { return }
      let ducking = Ducking(
        by: caller.values.level(),
        when: caller.values.chance(0.5) ? .playing : .level(above: caller.values.level()),
        attack: caller.values.duration(upTo: 200),
        hold: caller.values.duration(upTo: 200),
        release: caller.values.duration(upTo: 400)
      )
      let isOff = caller.values.chance(0.2)
      caller.call("bus \(place) ducks under \(other)") { bus.duck(under: trigger, isOff ? nil : ducking) }
    },
    Operation("bus.send", 2) { caller in
      guard let (place, bus) = caller.pick(caller.game.buses), let (unit, effect) = caller.pick(caller.game.units)
      else { return }
      let (share, fade) = (caller.values.gain(), caller.values.fade())
      let gain = caller.values.chance(0.2) ? nil : share
      let emitter = caller.values.chance(0.5) ? caller.pick(caller.game.emitters)?.object : nil
      caller.call("send of bus \(place) or an emitter to unit \(unit) \(share)") {
        if let emitter { emitter.send(to: effect, gain: gain, fade) } else { bus.send(to: effect, gain: gain, fade) }
      }
    },
    Operation("mixer.snapshot", 2) { caller in
      let (place, fade) = (caller.place(in: caller.game.snapshots), caller.values.fade())
      if let snapshot = caller.game.snapshots[place], caller.values.chance(0.6) {
        caller.call("apply mix \(place) \(fade)") { caller.world.mixer.apply(snapshot, fade) }
      } else {
        caller.game.snapshots.put(caller.call("mix \(place)") { caller.world.mixer.snapshot() }, at: place)
      }
    },
  ]

  static let space: [Operation] = [
    Operation("space.listener", 3) { caller in
      let listener = caller.values.listener()
      caller.call("listener = \(listener)") { caller.world.listener = listener }
    },
    Operation("space.listeners", 1) { caller in
      let listeners = (0..<caller.values.int(0...5)).map { _ in caller.values.listener() }
      caller.call("\(listeners.count) listeners") { caller.world.listeners = listeners }
      caller.run.require((1...4).contains(caller.world.listeners.count), "\(caller.world.listeners.count) listeners")
    },
    Operation("space.zones", 1) { caller in
      guard caller.game.hasZones, caller.game.mayMakeReverb else { return }
      let zones = (0..<caller.values.int(0...6)).map { _ in caller.values.zone() }
      caller.call("\(zones.count) zones") { caller.world.zones = zones }
    },
    Operation("space.portals", 1) { caller in
      let portals = (0..<caller.values.int(0...6)).map { _ in caller.values.portal() }
      let level = caller.values.level()
      caller.call("\(portals.count) portals, wall \(level)") {
        caller.world.portals = portals
        caller.world.wallOcclusion = level
      }
    },
    Operation("space.rays", 2) { caller in
      let (limit, level) = (caller.values.count(0...64), caller.values.level())
      let release: Slots<Emitter>? = caller.values.chance(0.1) ? caller.game.emitters : nil
      let isPillar = caller.values.chance(0.3)
      caller.call("cast \(limit) rays") {
        caller.world.castRays(limit: limit) { _ in
          release?.put(nil, at: 0)
          return isPillar ? .obstacle(level) : .wall(level)
        }
      }
    },
    Operation("space.unit", 1) { caller in
      let place = caller.place(in: caller.game.units)
      let effect = caller.values.effect()
      guard caller.game.mayMakeReverb, caller.game.takeUnit() else { return }
      let unit = caller.call("unit \(place) = \(effect)") { try? EffectUnit(effect, in: caller.world.context) }
      // Up to OpenAL Soft 1.19 a reverb that no call names ends a piece of the mix, and a replay does not have it.
      if let unit { caller.call("no send to it") { caller.world.mixer.main.send(to: unit, gain: nil) } }
      caller.game.units.put(unit, at: place)
    },
  ]

  static let beats: [Operation] = [
    Operation("beat.make", 1) { caller in
      let (place, tempo) = (caller.place(in: caller.game.beats), caller.values.tempo())
      let meter = Meter(caller.values.int(1...12), caller.values.element(of: [1, 2, 4, 8]))
      let beats = caller.call("clock \(place) of \(tempo)") { BeatClock(tempo, meter: meter, in: caller.world) }
      caller.game.beats.put(beats, at: place)
    },
    Operation("beat.run", 3) { caller in
      guard let (place, beats) = caller.pick(caller.game.beats) else { return }
      let moment = caller.values.moment(of: caller.world.context.clock)
      let (number, tempo) = (Double(caller.values.number(0...8)), caller.values.tempo())
      let kind = caller.values.int(0...4)
      caller.call("clock \(place) \(kind) by \(moment), \(number), \(tempo)") {
        switch kind {
        case 0: beats.start(at: moment, fromBeat: number)
        case 1: beats.start()
        case 2: beats.stop()
        case 3: beats.setTempo(tempo, at: moment)
        default: _ = (beats.moment(ofBeat: number), beats.next(.bar), beats.next(.beats(number)))
        }
      }
      caller.run.require(!beats.position.isNaN, "a beat that is no number")
    },
    Operation("beat.observe", 1) { caller in
      guard let (place, beats) = caller.pick(caller.game.beats) else { return }
      let (token, number) = (caller.place(in: caller.game.tokens), Double(caller.values.number(0.1...4)))
      // Its closures end pieces of the mix, and a replay does not have them.
      guard !caller.game.isReplayed else { return }
      let observation = caller.call("observe clock \(place) each \(number)") { beats.observe(.beats(number)) { _ in } }
      caller.game.tokens.put(observation, at: token)
    },
  ]

  static let worlds: [Operation] = [
    Operation("world.render", 14) { caller in if caller.depth == 1 { caller.render() } },
    Operation("world.laws", 1) { caller in caller.requireLaws() },
    Operation("world.update", 2) { caller in
      guard caller.depth == 1 else { return }
      let lottery = Lottery(Operation.emitters + Operation.players)
      let count = caller.values.int(1...4)
      caller.call("update by \(count) calls") {}
      caller.world.update { for _ in 0..<count { caller.operate(lottery) } }
    },
    Operation("world.streamLimit", 1) { caller in
      let count = caller.values.count(0...4)
      caller.call("streamLimit = \(count)") { caller.world.streamLimit = count }
    },
    Operation("world.seed", 1) { caller in
      let seed = UInt64(caller.values.int(0...1_000))
      caller.call("seed = \(seed)") { caller.world.seed = seed }
    },
    Operation("world.record", 1) { caller in
      let (place, interval) = (caller.place(in: caller.game.recordings), caller.values.duration(upTo: 100))
      if let recording = caller.game.recordings[place] {
        caller.call("stop recording \(place)") { _ = (recording.stop(), recording.events, recording.duration) }
        caller.game.recordings.put(nil, at: place)
      } else {
        let recording = caller.call("recording \(place) each \(interval)") {
          caller.world.record(snapshotsEach: interval)
        }
        caller.game.recordings.put(recording, at: place)
      }
    },
    Operation("world.read", 2) { caller in
      let voices = caller.call("read the voices") { caller.world.voiceStatistics() }
      caller.run.require(voices.real >= 0 && voices.virtual >= 0 && !voices.description.isEmpty, "\(voices)")
    },
    Operation("context.suspend", 1) { caller in
      // A replay knows no suspensions of the context.
      guard !caller.game.isAlone else { return }
      let (context, isOn) = (caller.world.context, caller.values.chance(0.4))
      caller.call("\(isOn ? "suspend" : "resume")") { if isOn { context.suspend() } else { context.resume() } }
    },
    Operation("device.reset", 1) { caller in
      guard !caller.game.isAlone, caller.game.renderer == nil, caller.values.chance(0.2) else { return }
      let settings = OutputSettings(
        sampleRate: caller.values.element(of: [nil, 44_100, 48_000, 22_050]),
        layout: caller.values.element(of: [nil, .stereo, .mono, .quad])
      )
      caller.call("reset the device to \(settings)") { try? caller.world.context.device.reset(settings) }
    },
  ]
}
