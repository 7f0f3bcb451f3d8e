import Spatial3D

/// What a source is told to do.
extension Operation {
  static let playback = [
    Operation("play", 12) { hand in
      guard let (place, emitter) = hand.emitter() else { return }
      hand.call("source \(place) play") { emitter.source.play() }
    },
    Operation("play.at", 4) { hand in
      guard let (place, emitter) = hand.emitter() else { return }
      let time = (emitter.source.context.clock ?? .zero) + hand.values.duration(upTo: 200)
      hand.call("source \(place) play at \(time)") { emitter.source.play(at: time) }
    },
    Operation("pause", 5) { hand in
      guard let (place, emitter) = hand.emitter() else { return }
      hand.call("source \(place) pause") { emitter.source.pause() }
    },
    Operation("stop", 4) { hand in
      guard let (place, emitter) = hand.emitter() else { return }
      hand.call("source \(place) stop") { emitter.source.stop() }
      if hand.world.isAlone, !emitter.source.context.keepsCalls {
        let state = emitter.source.state
        hand.require(state == .stopped || state == .initial, "\(state) after a stop")
      }
    },
    Operation("rewind", 3) { hand in
      guard let (place, emitter) = hand.emitter() else { return }
      hand.call("source \(place) rewind") { emitter.source.rewind() }
      if hand.world.isAlone, !emitter.source.context.keepsCalls {
        hand.require(emitter.source.state == .initial, "\(emitter.source.state) after a rewind")
      }
    },
    Operation("together.play", 3) { hand in
      guard let context = hand.context() else { return }
      let sources = hand.sources()
      hand.call("play \(sources.map(\.place))") { context.play(sources.map(\.object.source)) }
    },
    Operation("together.play.at", 2) { hand in
      guard let context = hand.context() else { return }
      let sources = hand.sources()
      let time = (context.clock ?? .zero) + hand.values.duration(upTo: 200)
      hand.call("play \(sources.map(\.place)) at \(time)") { context.play(sources.map(\.object.source), at: time) }
    },
    Operation("together.pause", 2) { hand in
      guard let context = hand.context() else { return }
      let sources = hand.sources()
      hand.call("pause \(sources.map(\.place))") { context.pause(sources.map(\.object.source)) }
    },
    Operation("together.stop", 2) { hand in
      guard let context = hand.context() else { return }
      let sources = hand.sources()
      hand.call("stop \(sources.map(\.place))") { context.stop(sources.map(\.object.source)) }
    },
    Operation("together.rewind", 1) { hand in
      guard let context = hand.context() else { return }
      let sources = hand.sources()
      hand.call("rewind \(sources.map(\.place))") { context.rewind(sources.map(\.object.source)) }
    },
    Operation("state", 4) { hand in
      guard let (place, emitter) = hand.emitter() else { return }
      _ = hand.call("source \(place) state?") { emitter.source.state }
    },
    Operation("oneShot", 4) { hand in
      guard let context = hand.context(), let (place, buffer) = hand.pick(hand.world.buffers) else { return }
      let (position, gain) = (hand.values.vector(), hand.values.number(0...16))
      let shot = hand.attempt(
        "play buffer \(place) once at \(position), gain \(gain)",
        mayThrow: .wrongDevice,
        .sourceLimitReached
      ) { () throws(AudioError) in
        try context.playOnce(buffer, at: position, gain: gain)
      }
      guard let shot else { return }
      hand.world.oneShots.withLock { $0.append(WeakSource(shot)) }
      guard hand.values.chance(0.3) else { return }
      let free = hand.place(in: hand.world.emitters)
      hand.call("source \(free) becomes the one-shot") {
        hand.world.emitters.put(Emitter(source: shot, frameCount: buffer.frameCount, isStream: false), at: free)
      }
    },
  ]
}

extension AudioContext {
  /// Whether what sources are told counts later.
  var keepsCalls: Bool { suspensions.values.contains(.queue) }
}
