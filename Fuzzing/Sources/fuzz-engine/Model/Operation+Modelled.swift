import FuzzSupport
import Spatial3D

/// Calls of sources beside a model. No other operation uses these sources.
extension Operation {
  static let modelled = [
    Operation("model.make", 6) { caller in caller.makeModelled() },
    Operation("model.drop", 1) { caller in caller.dropModelled() },
    modelled("model.play", 8) { source, model in
      source.play()
      model.play()
    },
    Operation("model.play.at", 3) { caller in
      guard let (place, modelled) = caller.modelled() else { return }
      let clock = modelled.source.context.clock
      // The versions of the library count the buffers before a timed start at different times.
      guard !modelled.model.isQueue || modelled.model.start == nil else { return }
      let time = clock + .microseconds(caller.values.int(0...60_000))
      caller.check("model \(place) play at \(time)", modelled) {
        modelled.source.play(at: time)
        modelled.change { $0.play(at: caller.mixFrame(at: time)) }
      }
    },
    modelled("model.pause", 4) { source, model in
      source.pause()
      model.pause()
    },
    modelled("model.stop", 3) { source, model in
      source.stop()
      model.stop()
    },
    modelled("model.rewind", 2) { source, model in
      source.rewind()
      model.rewind()
    },
    Operation("model.seek", 5) { caller in
      guard let (place, modelled) = caller.modelled() else { return }
      let frame = caller.values.frame(of: modelled.model.loop.upperBound - 1)
      // The versions of the library differ for a looping sound whose position is after its loop.
      guard !modelled.model.isLooping || frame < modelled.model.loop.upperBound else { return }
      guard !modelled.model.isQueue || modelled.model.beginning == nil else { return }
      caller.check("model \(place) playbackFrame = \(frame)", modelled) {
        modelled.source.playbackFrame = frame
        modelled.change { $0.seek(to: frame) }
      }
    },
    Operation("model.isLooping", 3) { caller in
      guard let (place, modelled) = caller.modelled(), !modelled.model.isQueue else { return }
      let isLooping = caller.values.chance(0.5)
      caller.check("model \(place) isLooping = \(isLooping)", modelled) {
        modelled.source.isLooping = isLooping
        modelled.change { $0.isLooping = isLooping }
      }
    },
    Operation("model.pitch", 4) { caller in
      guard let (place, modelled) = caller.modelled() else { return }
      let eighths = caller.values.element(of: [1, 4, 8, 8, 12, caller.values.int(1...40)])
      caller.check("model \(place) pitch = \(eighths) / 8", modelled) {
        modelled.source.pitch = Float(eighths) / 8
        modelled.change { $0.pitchInEighths = eighths }
      }
    },
    Operation("model.queue", 6) { caller in
      guard let (place, modelled) = caller.modelled(), modelled.model.isQueue else { return }
      let lengths = (0..<caller.values.int(0...3)).map { _ in caller.values.length() }
      caller.check("model \(place) queue \(lengths)", modelled) {
        let format = caller.modelFormat(rateInHalves: modelled.model.rateInHalves)
        let buffers = lengths.compactMap { caller.modelBuffer($0, format) }
        guard buffers.count == lengths.count, (try? modelled.source.queue(buffers)) != nil else { return }
        modelled.change { $0.append(lengths) }
      }
    },
    Operation("model.unqueue", 4) { caller in
      guard let (place, modelled) = caller.modelled(), modelled.model.isQueue else { return }
      caller.check("model \(place) unqueue", modelled) {
        let count = modelled.source.unqueueProcessed().count
        let expected = modelled.change { $0.unqueue() }
        caller.require(count == expected, "model \(place): \(count) taken instead of \(expected), \(modelled.model)")
      }
    },
    Operation("model.observe", 6) { caller in
      guard let (place, modelled) = caller.modelled(), modelled.observerCount < 3 else { return }
      let kinds = SourceNotification.Kinds(rawValue: UInt8(caller.values.int(0...15)))
      caller.check("model \(place) observe kinds \(kinds.rawValue)", modelled) { modelled.observe(kinds) }
    },
    Operation("model.unobserve", 2) { caller in
      guard let (place, modelled) = caller.modelled() else { return }
      caller.check("model \(place) end the oldest observation", modelled) { modelled.unobserve() }
    },
    Operation("model.details", 6) { caller in
      guard let (place, modelled) = caller.modelled() else { return }
      caller.check("model \(place) details?", modelled) { modelled.compareDetails() }
    },
    Operation("model.together", 4) { caller in
      let all = Array(Set((0..<4).compactMap { _ in caller.modelled()?.place })).sorted()
      let modelled = all.compactMap { caller.world.modelled[$0] }
      guard let context = modelled.first?.source.context else { return }
      let sources = modelled.map(\.source)
      let verb = caller.values.int(0...3)
      caller.call("models \(all) together: \(["play", "pause", "stop", "rewind"][verb])") {
        switch verb {
        case 0: context.play(sources)
        case 1: context.pause(sources)
        case 2: context.stop(sources)
        default: context.rewind(sources)
        }
      }
      for one in modelled {
        one.change { model in
          switch verb {
          case 0: model.play()
          case 1: model.pause()
          case 2: model.stop()
          default: model.rewind()
          }
        }
        one.compare()
      }
    },
  ]

  private static func modelled(
    _ name: String,
    _ weight: Int,
    _ body: @escaping @Sendable (SoundSource, inout SourceModel) -> Void
  ) -> Operation {
    Operation(name, weight) { caller in
      guard let (place, modelled) = caller.modelled() else { return }
      caller.check("model \(place) \(name)", modelled) { modelled.change { body(modelled.source, &$0) } }
    }
  }
}
