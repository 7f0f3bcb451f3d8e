import FuzzSupport
import GameAudio

/// Calls of players.
extension Operation {
  static let players: [Operation] = [
    Operation("player.make", 3) { caller in
      let (place, bus) = (caller.place(in: caller.game.players), caller.bus())
      let sound = caller.game.sound(&caller.values)
      let player = caller.call("player \(place) = SoundPlayer") {
        try? SoundPlayer(playing: sound, in: caller.world, on: bus)
      }
      caller.game.players.put(player, at: place)
    },
    Operation("player.release", 1) { caller in
      let place = caller.place(in: caller.game.players)
      caller.call("release player \(place)") { caller.game.players.put(nil, at: place) }
    },
    Operation("player.play", 5) { caller in
      guard let (place, player) = caller.pick(caller.game.players) else { return }
      let moment = caller.values.moment(of: caller.world.context.clock)
      let (isTimed, other) = (caller.values.chance(0.3), caller.pick(caller.game.players)?.object)
      let isTogether = caller.values.chance(0.1)
      caller.call("play player \(place) \(isTimed ? "at \(moment)" : "")") {
        if isTogether {
          SoundPlayer.play([player] + (other.map { [$0] } ?? []), at: isTimed ? moment : nil)
        } else if isTimed {
          player.play(at: moment)
        } else {
          player.play()
        }
      }
    },
    Operation("player.stop", 3) { caller in
      guard let (place, player) = caller.pick(caller.game.players) else { return }
      let isStop = caller.values.chance(0.4)
      caller.call("\(isStop ? "stop" : "pause") player \(place)") {
        if isStop { player.stop() } else { player.pause() }
      }
    },
    Operation("player.schedule", 4) { caller in
      guard let (place, player) = caller.pick(caller.game.players) else { return }
      let (sound, repeats) = (caller.game.sound(&caller.values), caller.values.repeats())
      let slots: [SoundPlayer.SchedulePosition] = [
        .afterQueue, .atLoopEnd, .now, .at(caller.values.moment(of: caller.world.context.clock)),
      ]
      let slot = caller.values.element(of: slots)
      caller.call("player \(place) schedule \(slot) \(repeats)") { player.schedule(sound, slot, repeats: repeats) }
    },
    Operation("player.crossfade", 2) { caller in
      guard let (place, player) = caller.pick(caller.game.players),
        let (other, next) = caller.pick(caller.game.players)
      else { return }
      let fade = caller.values.fade()
      caller.call("crossfade player \(place) to \(other) \(fade)") { player.crossfade(to: next, fade) }
    },
    Operation("player.properties", 5) { caller in
      guard let (place, player) = caller.pick(caller.game.players) else { return }
      let (number, kind, repeats) = (caller.values.number(0...1), caller.values.int(0...8), caller.values.repeats())
      let (fade, time, bus) = (caller.values.fade(), caller.values.duration(upTo: 600), caller.bus())
      // A loop of a tone jumps at its ends.
      let range = caller.values.hasExtremes && caller.values.chance(0.5) ? caller.values.frames() : nil
      caller.call("property \(kind) of player \(place) by \(number), \(time), \(repeats), \(fade)") {
        switch kind {
        case 0: player.volume = Gain(number)
        case 1: player.pitch = 0.5 + number
        case 2: player.pan = 2 * number - 1
        case 3: player.repeats = repeats
        case 4: player.playbackTime = time
        case 5: player.loopRange = range
        case 6: player.fade(to: Gain(number), fade)
        case 7: player.priority = Priority(place * 20)
        default: player.bus = bus ?? caller.world.mixer.main
        }
      }
    },
    Operation("player.read", 2) { caller in
      guard let (place, player) = caller.pick(caller.game.players) else { return }
      let (time, meter) = caller.call("read player \(place)") { (player.playbackTime, player.meter) }
      _ = (player.duration, player.format, player.isPlaying, player.loopRange, player.pan, player.pitch)
      caller.run.require(time >= .zero, "a player at \(time)")
      caller.run.require(meter.allSatisfy { !$0.peak.rawValue.isNaN }, "a meter that is no number")
      _ = caller.call("explain player \(place)") { caller.world.explain(player).description }
    },
    Operation("player.observe", 1) { caller in
      guard let (place, player) = caller.pick(caller.game.players) else { return }
      let (token, game, seed) = (caller.place(in: caller.game.tokens), caller.game, caller.seed)
      let acts = !caller.game.isAlone && caller.values.chance(0.5)
      let observation = caller.call("observe player \(place)") {
        player.observe { _ in if acts { game.act(seed: seed) } }
      }
      game.tokens.put(observation, at: token)
    },
    Operation("player.prepare", 1) { caller in
      guard let (place, player) = caller.pick(caller.game.players), !caller.game.isAlone else { return }
      caller.call("prepare player \(place)") { Task.detached { await player.prepareToPlay() } }
    },
  ]
}
