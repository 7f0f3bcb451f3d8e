import FuzzSupport
import Spatial3D

/// Creation and release of sources of the three kinds.
extension Operation {
  static let emitters = [
    Operation("source.make", 6) { caller in
      guard let (number, buffer) = caller.pick(caller.world.buffers) else { return }
      caller.makeSource("plays buffer \(number)", frameCount: buffer.frameCount) { context throws(AudioError) in
        try SoundSource(playing: buffer, in: context)
      }
    },
    Operation("source.make.queue", 4) { caller in
      caller.makeSource("has a queue") { context throws(AudioError) in try SoundSource(in: context) }
    },
    Operation("source.make.stream", 3) { caller in
      let reader = caller.values.reader(isTimed: caller.world.output != .offline)
      caller.makeSource("streams \(reader)", isStream: true) { context throws(AudioError) in
        try SoundSource(streaming: reader, in: context)
      }
    },
    Operation("source.drop", 3) { caller in
      let place = caller.place(in: caller.world.emitters)
      caller.drop("drop source \(place)", in: caller.world.emitters, at: place)
    },
  ]
}

extension Caller {
  fileprivate mutating func makeSource(
    _ text: String,
    frameCount: Int? = nil,
    isStream: Bool = false,
    _ make: (AudioContext) throws(AudioError) -> SoundSource
  ) {
    guard let context = context() else { return }
    let place = place(in: world.emitters)
    let source = attempt(
      "source \(place) \(text)",
      mayThrow: .sourceLimitReached,
      .wrongDevice,
      .formatUnsupported,
      .readFailed
    ) { () throws(AudioError) in
      try make(context)
    }
    guard let source else { return }
    let emitter = Emitter(source: source, frameCount: frameCount, isStream: isStream)
    drop("old source \(place)", in: world.emitters, at: place, for: emitter)
  }
}
