import FuzzSupport
import Spatial3D

/// Positions in a sound.
extension Operation {
  static let places = [
    Operation("playbackFrame", 4) { caller in
      guard let (place, emitter) = caller.emitter() else { return }
      let frame = caller.call("source \(place) playbackFrame?") { emitter.source.playbackFrame }
      caller.require(frame >= 0, "a playback frame of \(frame)")
      if let frameCount = emitter.frameCount {
        caller.require(frame <= frameCount, "frame \(frame) of a sound of \(frameCount)")
      }
    },
    Operation("seek", 4) { caller in
      guard let (place, emitter) = caller.emitter() else { return }
      let frame = caller.values.frame(of: emitter.frameCount ?? 10_000)
      caller.call("source \(place) playbackFrame = \(frame)") { emitter.source.playbackFrame = frame }
    },
    Operation("playbackTime", 2) { caller in
      guard let (place, emitter) = caller.emitter() else { return }
      let time = caller.call("source \(place) playbackTime?") { emitter.source.playbackTime }
      caller.require(time >= .zero, "a playback time of \(time)")
    },
    Operation("seek.time", 2) { caller in
      guard let (place, emitter) = caller.emitter() else { return }
      let time = caller.values.duration(upTo: 300)
      caller.call("source \(place) playbackTime = \(time)") { emitter.source.playbackTime = time }
    },
    Operation("audibleTime", 2) { caller in
      guard let (place, emitter) = caller.emitter() else { return }
      let time = caller.call("source \(place) audibleTime?") { emitter.source.audibleTime }
      caller.require(time >= .zero, "an audible time of \(time)")
    },
  ]
}

/// Queues.
extension Operation {
  static let queues = [
    Operation("queue", 8) { caller in
      guard let (place, emitter) = caller.emitter() else { return }
      let buffers = (0..<caller.values.int(0...3)).compactMap { _ in caller.pick(caller.world.buffers) }
      let before = emitter.source.buffers.count
      let isDone: Void? = caller.attempt(
        "source \(place) queue \(buffers.map(\.place))",
        mayThrow: .sourceHasBuffer,
        .formatMismatch,
        .wrongDevice
      ) { () throws(AudioError) in
        try emitter.source.queue(buffers.map(\.object))
      }
      if caller.isExact {
        let more = isDone == nil ? 0 : buffers.count
        caller.require(emitter.source.buffers.count == before + more, "a queue of another length")
      }
    },
    Operation("unqueue", 5) { caller in
      guard let (place, emitter) = caller.emitter() else { return }
      let before = emitter.source.buffers
      let played = caller.call("source \(place) unqueue") { emitter.source.unqueueProcessed() }
      if caller.isExact {
        caller.require(played.elementsEqual(before.prefix(played.count), by: ===), "other buffers than the first ones")
        caller.require(emitter.source.buffers.count == before.count - played.count, "a queue of another length")
      }
    },
    Operation("processedBufferCount", 3) { caller in
      guard let (place, emitter) = caller.emitter() else { return }
      let count = caller.call("source \(place) processedBufferCount?") { emitter.source.processedBufferCount }
      caller.require(count >= 0, "a count of \(count)")
      if caller.isExact {
        caller.require(count <= emitter.source.buffers.count, "\(count) played of \(emitter.source.buffers.count)")
      }
    },
    Operation("buffers", 1) { caller in
      guard let (place, emitter) = caller.emitter() else { return }
      let buffers = caller.call("source \(place) buffers?") { emitter.source.buffers }
      caller.require(!emitter.isStream || buffers.isEmpty, "a stream with buffers")
    },
  ]
}
