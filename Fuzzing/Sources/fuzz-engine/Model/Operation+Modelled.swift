import Spatial3D

/// Calls of sources that have a model, which alone touch them.
extension Operation {
  static let modelled = [
    Operation("model.make", 6) { hand in hand.makeModelled() },
    Operation("model.drop", 1) { hand in hand.dropModelled() },
    modelled("model.play", 8) { source, model in
      source.play()
      model.play()
    },
    Operation("model.play.at", 3) { hand in
      guard let (place, modelled) = hand.modelled(), let clock = modelled.source.context.clock else { return }
      let time = clock + .microseconds(hand.values.int(0...60_000))
      hand.check("model \(place) play at \(time)", modelled) {
        modelled.source.play(at: time)
        modelled.change { $0.play(at: hand.mixFrame(at: time)) }
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
    Operation("model.seek", 5) { hand in
      guard let (place, modelled) = hand.modelled() else { return }
      let frame = hand.values.frame(of: modelled.model.loop.upperBound - 1)
      // Where a sound that loops is past its loop, the versions of the library differ.
      guard !modelled.model.isLooping || frame < modelled.model.loop.upperBound else { return }
      hand.check("model \(place) playbackFrame = \(frame)", modelled) {
        modelled.source.playbackFrame = frame
        modelled.change { $0.seek(to: frame) }
      }
    },
    Operation("model.isLooping", 3) { hand in
      guard let (place, modelled) = hand.modelled(), !modelled.model.isQueue else { return }
      let isLooping = hand.values.chance(0.5)
      hand.check("model \(place) isLooping = \(isLooping)", modelled) {
        modelled.source.isLooping = isLooping
        modelled.change { $0.isLooping = isLooping }
      }
    },
    Operation("model.pitch", 4) { hand in
      guard let (place, modelled) = hand.modelled() else { return }
      let eighths = hand.values.element(of: [1, 4, 8, 8, 12, hand.values.int(1...40)])
      hand.check("model \(place) pitch = \(eighths) / 8", modelled) {
        modelled.source.pitch = Float(eighths) / 8
        modelled.change { $0.pitchInEighths = eighths }
      }
    },
    Operation("model.queue", 6) { hand in
      guard let (place, modelled) = hand.modelled(), modelled.model.isQueue else { return }
      let lengths = (0..<hand.values.int(0...3)).map { _ in hand.values.length() }
      hand.check("model \(place) queue \(lengths)", modelled) {
        let format = hand.modelFormat(rateInHalves: modelled.model.rateInHalves)
        let buffers = lengths.compactMap { hand.modelBuffer($0, format) }
        guard buffers.count == lengths.count, (try? modelled.source.queue(buffers)) != nil else { return }
        modelled.change { $0.append(lengths) }
      }
    },
    Operation("model.unqueue", 4) { hand in
      guard let (place, modelled) = hand.modelled(), modelled.model.isQueue else { return }
      hand.check("model \(place) unqueue", modelled) {
        let count = modelled.source.unqueuePlayed().count
        let expected = modelled.change { $0.unqueue() }
        hand.require(count == expected, "model \(place): \(count) taken instead of \(expected), \(modelled.model)")
      }
    },
    Operation("model.observe", 6) { hand in
      guard let (place, modelled) = hand.modelled(), modelled.observerCount < 3 else { return }
      let kinds = SourceNotification.Kinds(rawValue: UInt8(hand.values.int(0...15)))
      hand.check("model \(place) observe kinds \(kinds.rawValue)", modelled) { modelled.observe(kinds) }
    },
    Operation("model.unobserve", 2) { hand in
      guard let (place, modelled) = hand.modelled() else { return }
      hand.check("model \(place) end the oldest observation", modelled) { modelled.unobserve() }
    },
    Operation("model.details", 6) { hand in
      guard let (place, modelled) = hand.modelled() else { return }
      hand.check("model \(place) details?", modelled) { modelled.compareDetails() }
    },
    Operation("model.together", 4) { hand in
      let all = Array(Set((0..<4).compactMap { _ in hand.modelled()?.place })).sorted()
      let modelled = all.compactMap { hand.world.modelled[$0] }
      guard let context = modelled.first?.source.context else { return }
      let sources = modelled.map(\.source)
      let verb = hand.values.int(0...3)
      hand.call("models \(all) together: \(["play", "pause", "stop", "rewind"][verb])") {
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
    Operation(name, weight) { hand in
      guard let (place, modelled) = hand.modelled() else { return }
      hand.check("model \(place) \(name)", modelled) { modelled.change { body(modelled.source, &$0) } }
    }
  }
}
