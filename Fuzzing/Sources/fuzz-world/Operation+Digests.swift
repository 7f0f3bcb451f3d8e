import AudioSessions
import FuzzSupport
import GameAudio
import Spatial3D

/// Calls of the scenes of digests.
extension Operation {
  /// The calls of rounds that scenes do not make: a scene renders and reports by itself, and other threads or the clock
  /// of the machine decide about the rest.
  private static let undigested: Set<String> = [
    "world.render", "world.laws", "world.replay", "session.desktop", "session.follow", "bank.budget",
    "context.suspend", "device.reset", "emitter.sequence", "player.prepare", "emitter.observe", "player.observe",
    "beat.observe", "session.observe",
  ]

  /// The calls of scenes.
  static let digested =
    all.filter { !undigested.contains($0.name) } + digestEmitters + digestPlayers + digestSpace + digestWorlds
    + digestSessions

  private static let digestEmitters: [Operation] = [
    Operation("digest.emitter.loopRange", 2) { caller in
      let index = caller.place(in: caller.game.emitters)
      let (range, bus, repeats) = (caller.values.frames(), caller.bus(), caller.values.repeats())
      let isPlayed = caller.values.chance(0.8)
      var sound = caller.game.sound(&caller.values)
      sound.loopRange = range
      let emitter = caller.call("emitter \(index) loops \(range) \(repeats)") {
        Emitter(playing: sound, in: caller.world, on: bus)
      }
      emitter.repeats = repeats
      if isPlayed { caller.play(emitter) }
      caller.game.emitters.put(emitter, at: index)
    },
    Operation("digest.emitter.burst", 2) { caller in
      var sound = caller.game.sound(&caller.values)
      sound.limit = PlaybackLimit(
        caller.values.int(1...2),
        whenReached: caller.values.element(of: PlaybackLimit.Overflow.allCases)
      )
      if caller.values.chance(0.3) { sound.loudnessOfMany = .compensated }
      let positions = (0..<caller.values.int(2...5)).map { _ in caller.values.vector(8) }
      let bus = caller.bus()
      caller.call("\(positions.count) plays of a sound with \(sound.limit?.whenReached ?? .refuse)") {
        for position in positions { caller.enter(caller.world.playOnce(sound, at: position, on: bus)) }
      }
    },
    Operation("digest.emitter.atBeat", 3) { caller in
      guard let (index, emitter) = caller.pick(caller.game.emitters), let (_, beats) = caller.pick(caller.game.beats)
      else { return }
      let time = beats.next(caller.values.grid())
      caller.call("play emitter \(index) at beat \(time)") { caller.play(emitter, at: time) }
    },
    Operation("digest.emitter.travel", 2) { caller in
      guard let (index, emitter) = caller.pick(caller.game.emitters) else { return }
      let position = caller.values.vector(6)
      caller.call("emitter \(index) travels from \(position)") {
        emitter.position = position
        emitter.derivesVelocity = true
      }
    },
    Operation("digest.emitter.observe", 1) { caller in
      guard let (index, emitter) = caller.pick(caller.game.emitters), let transcript = caller.game.transcript else {
        return
      }
      let (token, game, seed) = (caller.place(in: caller.game.tokens), caller.game, caller.seed)
      let acts = caller.values.chance(0.5)
      let observation = caller.call("observe emitter \(index), acts \(acts)") {
        emitter.observe { event in
          transcript.write("observed: \(event)")
          if acts { game.act(seed: seed) }
        }
      }
      game.tokens.put(observation, at: token)
    },
    Operation("digest.emitter.wait", 1) { caller in
      guard let (index, emitter) = caller.pick(caller.game.emitters), let endings = caller.game.endings else { return }
      let keeps = caller.values.chance(0.5)
      // The task that waits is not the last that has the emitter: it ends on another thread.
      caller.game.once.withLock { $0.append(emitter) }
      caller.call("wait for emitter \(index), or keep its events: \(keeps)") {
        if keeps { endings.keep(emitter.events()) } else { endings.wait { await emitter.waitUntilEnded() } }
      }
    },
  ]

  private static let digestPlayers: [Operation] = [
    Operation("digest.player.loopRange", 2) { caller in
      guard let (index, player) = caller.pick(caller.game.players) else { return }
      let range = caller.values.chance(0.2) ? nil : caller.values.frames()
      let repeats = caller.values.repeats()
      caller.call("player \(index) loops \(String(describing: range)) \(repeats)") {
        player.loopRange = range
        player.repeats = repeats
      }
    },
    Operation("digest.player.atBeat", 3) { caller in
      guard let (index, player) = caller.pick(caller.game.players), let (_, beats) = caller.pick(caller.game.beats)
      else { return }
      let (time, isScheduled) = (beats.next(caller.values.grid()), caller.values.chance(0.5))
      let sound = caller.game.sound(&caller.values)
      caller.call("play player \(index) at beat \(time), schedules \(isScheduled)") {
        if isScheduled { player.schedule(sound, .at(time)) } else { player.play(at: time) }
      }
    },
    Operation("digest.player.observe", 2) { caller in
      guard let (index, player) = caller.pick(caller.game.players), let transcript = caller.game.transcript else {
        return
      }
      let (token, game, seed) = (caller.place(in: caller.game.tokens), caller.game, caller.seed)
      let acts = caller.values.chance(0.3)
      let observation = caller.call("observe player \(index), acts \(acts)") {
        player.observe { event in
          transcript.write("player \(index): \(event)")
          if acts { game.act(seed: seed) }
        }
      }
      game.tokens.put(observation, at: token)
    },
    Operation("digest.player.wait", 1) { caller in
      guard let (index, player) = caller.pick(caller.game.players), let endings = caller.game.endings else { return }
      endings.keep(player)
      caller.call("wait for player \(index)") { endings.wait { await player.waitUntilEnded() } }
    },
    Operation("digest.player.route", 3) { caller in
      let (isOn, isPlayer) = (caller.values.chance(0.5), caller.values.chance(0.7))
      let bus = isOn ? caller.world.mixer.makeBus("direct", kind: .direct) : caller.world.mixer.main
      if isPlayer, let (index, player) = caller.pick(caller.game.players) {
        caller.call("player \(index) on \(bus)") { (player.bus, player.pan) = (bus, 0) }
      } else if let (index, emitter) = caller.pick(caller.game.emitters) {
        caller.call("emitter \(index) on \(bus)") { emitter.bus = bus }
      }
    },
    Operation("digest.player.prepare", 1) { caller in
      guard let (index, player) = caller.pick(caller.game.players) else { return }
      caller.perform("prepare player \(index)") { await player.prepareToPlay() }
    },
    Operation("digest.beat.observe", 2) { caller in
      guard let (index, beats) = caller.pick(caller.game.beats), let transcript = caller.game.transcript else { return }
      let (token, grid) = (caller.place(in: caller.game.tokens), caller.values.grid())
      let observation = caller.call("observe clock \(index) each \(grid)") {
        beats.observe(grid) {
          transcript.write("clock \(index): \($0.position) at \($0.moment), \($0.bar), \($0.beat)")
        }
      }
      caller.game.tokens.put(observation, at: token)
    },
    Operation("digest.bank.reload", 1) { caller in
      guard let transcript = caller.game.transcript else { return }
      let (bank, key, files) = (caller.game.bank, caller.values.key(), caller.game.files)
      let (index, content) = (caller.values.int(0...3), caller.values.int(60...99))
      caller.perform("bank.reload \(key), file \(index), \(content)") {
        files.rewrite(index, content)
        do { try await bank.reload(key) } catch { transcript.write("no reload: \(error)") }
        do { try await bank.load(key) } catch { transcript.write("no load: \(error)") }
      }
    },
    Operation("digest.bank.budget", 1) { caller in
      let (bank, budget) = (caller.game.bank, caller.values.chance(0.3) ? nil : caller.values.int(0...400_000))
      caller.call("bank.budget = \(String(describing: budget))") { bank.budget = budget }
    },
  ]
}

extension Values {
  /// Lines of a clock.
  fileprivate mutating func grid() -> Grid {
    element(of: [.beat, .bar, .bars(int(1...3)), .beats(Double.random(in: 0.1...3, using: &random))])
  }
}
