import FuzzSupport
import GameAudio
import Spatial3D
import Synchronization

/// Calls of emitters.
extension Operation {
  static let emitters: [Operation] = [
    Operation("emitter.make", 6) { caller in
      let (place, bus) = (caller.place(in: caller.game.emitters), caller.bus())
      let sound = caller.game.sound(&caller.values)
      let emitter = caller.call("emitter \(place) = Emitter") { Emitter(playing: sound, in: caller.world, on: bus) }
      caller.game.emitters.put(emitter, at: place)
    },
    Operation("emitter.release", 2) { caller in
      let place = caller.place(in: caller.game.emitters)
      caller.call("release emitter \(place)") { caller.game.emitters.put(nil, at: place) }
    },
    Operation("emitter.play", 12) { caller in
      guard let (place, emitter) = caller.pick(caller.game.emitters) else { return }
      caller.call("play emitter \(place)") { caller.play(emitter) }
    },
    Operation("emitter.playAt", 3) { caller in
      guard let (place, emitter) = caller.pick(caller.game.emitters) else { return }
      let moment = caller.values.moment(of: caller.world.context.clock)
      caller.call("play emitter \(place) at \(moment)") { caller.play(emitter, at: moment) }
    },
    Operation("emitter.once", 6) { caller in
      let sound = caller.game.sound(&caller.values)
      let position: SIMD3<Float>? = caller.values.chance(0.7) ? caller.values.vector() : nil
      let (gain, bus) = (caller.values.gain(), caller.bus())
      caller.expect()
      let emitter = caller.call("playOnce at \(String(describing: position)), \(gain)") {
        caller.world.playOnce(sound, at: position, gain: gain, on: bus)
      }
      caller.enter(emitter)
      if caller.values.chance(0.2) { caller.game.emitters.put(emitter, at: caller.place(in: caller.game.emitters)) }
    },
    Operation("emitter.follower", 1) { caller in
      guard let (place, emitter) = caller.pick(caller.game.emitters) else { return }
      let (sound, gain) = (caller.game.sound(&caller.values), caller.values.gain())
      caller.expect()
      let once = caller.call("emitter \(place) playOnce") { emitter.playOnce(sound, gain: gain) }
      caller.enter(once)
    },
    Operation("emitter.stop", 4) { caller in
      guard let (place, emitter) = caller.pick(caller.game.emitters) else { return }
      let fade = caller.values.fade()
      caller.call("stop emitter \(place) \(fade)") { emitter.stop(fade) }
    },
    Operation("emitter.pause", 4) { caller in
      guard let (place, emitter) = caller.pick(caller.game.emitters) else { return }
      let fade = caller.values.fade()
      caller.call("pause emitter \(place) \(fade)") { emitter.pause(fade) }
    },
    Operation("emitter.fade", 3) { caller in
      guard let (place, emitter) = caller.pick(caller.game.emitters) else { return }
      let (gain, fade) = (caller.values.gain(), caller.values.fade())
      caller.call("fade emitter \(place) to \(gain) \(fade)") { emitter.fade(to: gain, fade) }
    },
    Operation("emitter.seek", 3) { caller in
      guard let (place, emitter) = caller.pick(caller.game.emitters) else { return }
      let time = caller.values.duration(upTo: 600)
      caller.call("emitter \(place) playbackTime = \(time)") { emitter.playbackTime = time }
      caller.run.require(emitter.playbackTime >= .zero, "a position before the sound")
    },
    Operation("emitter.place", 6) { caller in
      guard let (place, emitter) = caller.pick(caller.game.emitters) else { return }
      let vectors = (caller.values.vector(), caller.values.vector(1), caller.values.vector(10))
      caller.call("move emitter \(place) to \(vectors)") {
        emitter.position = vectors.0
        emitter.direction = vectors.1
        emitter.velocity = vectors.2
      }
    },
    Operation("emitter.properties", 6) { caller in
      guard let (place, emitter) = caller.pick(caller.game.emitters) else { return }
      let (number, kind) = (caller.values.number(0...1), caller.values.int(0...9))
      let (gain, level) = (caller.values.gain(), caller.values.level())
      let repeats = caller.values.repeats()
      let bus = caller.bus()
      let behavior = caller.values.element(of: VirtualBehavior.allCases)
      let cone = Cone(innerAngle: 360 * number, outerAngle: 360, outerGain: Gain(number))
      caller.call("property \(kind) of emitter \(place) by \(number), \(gain), \(level), \(repeats)") {
        switch kind {
        case 0: emitter.gain = gain
        case 1: emitter.pitch = 0.5 + number
        case 2: emitter.radius = number
        case 3: (emitter.occlusion, emitter.obstruction) = (level, level)
        case 4: emitter.repeats = repeats
        case 5: emitter.cone = cone
        case 6: emitter.virtualBehavior = behavior
        case 7: emitter.priority = Priority(place * 4)
        case 8: emitter.derivesVelocity.toggle()
        default: emitter.bus = bus ?? caller.world.mixer.main
        }
      }
    },
    Operation("emitter.read", 3) { caller in
      guard let (place, emitter) = caller.pick(caller.game.emitters) else { return }
      let text = caller.call("read emitter \(place)") {
        let values = (emitter.position, emitter.gain, emitter.pitch, emitter.isPlaying, emitter.isVirtual, emitter.bus)
        return "\(values) \(caller.world.explain(emitter).description)"
      }
      caller.run.require(!text.isEmpty, "no words")
      let position = emitter.position
      caller.run.require(position.x.isFinite && position.y.isFinite && position.z.isFinite, "a place that is no number")
    },
    Operation("emitter.observe", 2) { caller in
      guard let (place, emitter) = caller.pick(caller.game.emitters) else { return }
      let (token, game, seed) = (caller.place(in: caller.game.tokens), caller.game, caller.seed)
      // A handler that calls makes a replay another game.
      let acts = !caller.game.isAlone && caller.values.chance(0.5)
      let observation = caller.call("observe emitter \(place)") {
        emitter.observe { _ in if acts { game.act(seed: seed) } }
      }
      game.tokens.put(observation, at: token)
    },
    Operation("emitter.sequence", 1) { caller in
      guard let (place, emitter) = caller.pick(caller.game.emitters), !caller.game.isAlone else { return }
      caller.call("events of emitter \(place)") {
        let events = emitter.events()
        Task.detached { for await event in events where event == .becameVirtual { break } }
      }
    },
    Operation("emitter.moveAll", 2) { caller in
      let emitters = caller.game.emitters.all
      let positions = emitters.map { _ in caller.values.vector() }
      caller.call("move \(emitters.count) emitters") { caller.world.move(emitters, to: positions.span) }
    },
  ]
}

extension Game {
  /// A call of a handler, on any thread.
  func act(seed: UInt64) {
    guard !isEnding.load(ordering: .relaxed) else { return }
    let number = handlerCount.add(1, ordering: .relaxed).newValue
    // Few handlers call, because a play in a handler has an end of its own.
    guard number.isMultiple(of: 4) else { return }
    let random = SplitMix64(mixing: seed, 1 << 32, UInt64(number))
    let values = Values(random: random, hasExtremes: false)
    var caller = Caller(game: self, lane: CallLog.handlerLane, values: values, seed: seed, depth: 1)
    guard let (place, emitter) = caller.pick(emitters) else { return }
    switch caller.values.int(0...4) {
    case 0: caller.call("handler: stop emitter \(place)") { emitter.stop() }
    case 1: caller.call("handler: move emitter \(place)") { emitter.position.x += 1 }
    case 2: caller.call("handler: release emitter \(place)") { emitters.put(nil, at: place) }
    case 3: caller.call("handler: snapshot") { _ = world.snapshot() }
    default: caller.call("handler: gain of emitter \(place)") { emitter.gain = .decibels(-6) }
    }
  }
}
