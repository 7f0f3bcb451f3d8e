import FuzzSupport
import Spatial3D

/// Calls that start and stop sources.
extension Operation {
  static let playback = [
    Operation("play", 12) { caller in
      guard let (place, emitter) = caller.emitter() else { return }
      caller.call("source \(place) play") { emitter.source.play() }
    },
    Operation("play.at", 4) { caller in
      guard let (place, emitter) = caller.emitter() else { return }
      let time = emitter.source.context.clock + caller.values.duration(upTo: 200)
      caller.call("source \(place) play at \(time)") { emitter.source.play(at: time) }
    },
    Operation("pause", 5) { caller in
      guard let (place, emitter) = caller.emitter() else { return }
      caller.call("source \(place) pause") { emitter.source.pause() }
    },
    Operation("stop", 4) { caller in
      guard let (place, emitter) = caller.emitter() else { return }
      caller.call("source \(place) stop") { emitter.source.stop() }
      if caller.isExact, !emitter.source.context.defersCommands {
        let state = emitter.source.state
        caller.require(state == .stopped || state == .initial, "\(state) after a stop")
      }
    },
    Operation("rewind", 3) { caller in
      guard let (place, emitter) = caller.emitter() else { return }
      caller.call("source \(place) rewind") { emitter.source.rewind() }
      if caller.isExact, !emitter.source.context.defersCommands {
        caller.require(emitter.source.state == .initial, "\(emitter.source.state) after a rewind")
      }
    },
    Operation("fade", 4) { caller in
      guard let (place, emitter) = caller.emitter() else { return }
      let duration = caller.values.duration(upTo: 200)
      switch caller.values.int(0...2) {
      case 0: caller.call("source \(place) play in \(duration)") { emitter.source.play(fadingIn: duration) }
      case 1: caller.call("source \(place) pause in \(duration)") { emitter.source.pause(fadingOut: duration) }
      default: caller.call("source \(place) stop in \(duration)") { emitter.source.stop(fadingOut: duration) }
      }
    },
    Operation("together.play", 3) { caller in
      guard let context = caller.context() else { return }
      let sources = caller.sources()
      caller.call("play \(sources.map(\.place))") { context.play(sources.map(\.object.source)) }
    },
    Operation("together.play.at", 2) { caller in
      guard let context = caller.context() else { return }
      let sources = caller.sources()
      let time = context.clock + caller.values.duration(upTo: 200)
      caller.call("play \(sources.map(\.place)) at \(time)") { context.play(sources.map(\.object.source), at: time) }
    },
    Operation("together.pause", 2) { caller in
      guard let context = caller.context() else { return }
      let sources = caller.sources()
      caller.call("pause \(sources.map(\.place))") { context.pause(sources.map(\.object.source)) }
    },
    Operation("together.stop", 2) { caller in
      guard let context = caller.context() else { return }
      let sources = caller.sources()
      caller.call("stop \(sources.map(\.place))") { context.stop(sources.map(\.object.source)) }
    },
    Operation("together.rewind", 1) { caller in
      guard let context = caller.context() else { return }
      let sources = caller.sources()
      caller.call("rewind \(sources.map(\.place))") { context.rewind(sources.map(\.object.source)) }
    },
    Operation("state", 4) { caller in
      guard let (place, emitter) = caller.emitter() else { return }
      _ = caller.call("source \(place) state?") { emitter.source.state }
    },
    Operation("oneShot", 4) { caller in
      guard let context = caller.context(), let (place, buffer) = caller.pick(caller.world.buffers) else { return }
      let (position, gain) = (caller.values.vector(), caller.values.gain(0...16))
      let shot = caller.attempt(
        "play buffer \(place) once at \(position), gain \(gain)",
        mayThrow: .wrongDevice,
        .sourceLimitReached
      ) { () throws(AudioError) in
        try context.playOnce(buffer, at: position, gain: gain)
      }
      guard let shot else { return }
      caller.world.oneShots.withLock { $0.append(WeakSource(shot)) }
      guard caller.values.chance(0.3) else { return }
      let free = caller.place(in: caller.world.emitters)
      caller.call("source \(free) becomes the one-shot") {
        caller.world.emitters.put(Emitter(source: shot, frameCount: buffer.frameCount, isStream: false), at: free)
      }
    },
  ]
}

extension AudioContext {
  /// Whether a suspension keeps the calls of sources for later.
  var defersCommands: Bool { suspensions.values.contains(.queue) }
}
