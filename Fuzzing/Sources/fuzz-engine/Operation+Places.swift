import Spatial3D

/// Where a source is in its sound.
extension Operation {
  static let places = [
    Operation("playbackFrame", 4) { hand in
      guard let (place, emitter) = hand.emitter() else { return }
      let frame = hand.call("source \(place) playbackFrame?") { emitter.source.playbackFrame }
      hand.require(frame >= 0, "a playback frame of \(frame)")
      if let frameCount = emitter.frameCount {
        hand.require(frame <= frameCount, "frame \(frame) of a sound of \(frameCount)")
      }
    },
    Operation("seek", 4) { hand in
      guard let (place, emitter) = hand.emitter() else { return }
      let frame = hand.values.frame(of: emitter.frameCount ?? 10_000)
      hand.call("source \(place) playbackFrame = \(frame)") { emitter.source.playbackFrame = frame }
    },
    Operation("playbackTime", 2) { hand in
      guard let (place, emitter) = hand.emitter() else { return }
      let time = hand.call("source \(place) playbackTime?") { emitter.source.playbackTime }
      hand.require(time >= .zero, "a playback time of \(time)")
    },
    Operation("seek.time", 2) { hand in
      guard let (place, emitter) = hand.emitter() else { return }
      let time = hand.values.duration(upTo: 300)
      hand.call("source \(place) playbackTime = \(time)") { emitter.source.playbackTime = time }
    },
    Operation("audibleTime", 2) { hand in
      guard let (place, emitter) = hand.emitter() else { return }
      let time = hand.call("source \(place) audibleTime?") { emitter.source.audibleTime }
      hand.require(time >= .zero, "an audible time of \(time)")
    },
  ]
}

/// What a source plays.
extension Operation {
  static let queues = [
    Operation("queue", 8) { hand in
      guard let (place, emitter) = hand.emitter() else { return }
      let buffers = (0..<hand.values.int(0...3)).compactMap { _ in hand.pick(hand.world.buffers) }
      let before = emitter.source.buffers.count
      let isDone: Void? = hand.attempt(
        "source \(place) queue \(buffers.map(\.place))",
        mayThrow: .sourceHasBuffer,
        .formatMismatch,
        .wrongDevice
      ) { () throws(AudioError) in
        try emitter.source.queue(buffers.map(\.object))
      }
      if hand.world.isAlone {
        let more = isDone == nil ? 0 : buffers.count
        hand.require(emitter.source.buffers.count == before + more, "a queue of another length")
      }
    },
    Operation("unqueue", 5) { hand in
      guard let (place, emitter) = hand.emitter() else { return }
      let before = emitter.source.buffers
      let played = hand.call("source \(place) unqueue") { emitter.source.unqueuePlayed() }
      if hand.world.isAlone {
        hand.require(played.elementsEqual(before.prefix(played.count), by: ===), "other buffers than the first ones")
        hand.require(emitter.source.buffers.count == before.count - played.count, "a queue of another length")
      }
    },
    Operation("playedBufferCount", 3) { hand in
      guard let (place, emitter) = hand.emitter() else { return }
      let count = hand.call("source \(place) playedBufferCount?") { emitter.source.playedBufferCount }
      hand.require(count >= 0, "a count of \(count)")
      if hand.world.isAlone {
        hand.require(count <= emitter.source.buffers.count, "\(count) played of \(emitter.source.buffers.count)")
      }
    },
    Operation("buffers", 1) { hand in
      guard let (place, emitter) = hand.emitter() else { return }
      let buffers = hand.call("source \(place) buffers?") { emitter.source.buffers }
      hand.require(!emitter.isStream || buffers.isEmpty, "a stream with buffers")
    },
  ]
}
