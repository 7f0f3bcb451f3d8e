import Spatial3D

/// Sources of the three kinds, made and dropped.
extension Operation {
  static let emitters = [
    Operation("source.make", 6) { hand in
      guard let (number, buffer) = hand.pick(hand.world.buffers) else { return }
      hand.makeSource("plays buffer \(number)", frameCount: buffer.frameCount) { context throws(AudioError) in
        try SoundSource(playing: buffer, in: context)
      }
    },
    Operation("source.make.queue", 4) { hand in
      hand.makeSource("has a queue") { context throws(AudioError) in try SoundSource(in: context) }
    },
    Operation("source.make.stream", 3) { hand in
      let reader = hand.values.reader(isTimed: hand.world.output != .offline)
      hand.makeSource("streams \(reader)", isStream: true) { context throws(AudioError) in
        try SoundSource(streaming: reader, in: context)
      }
    },
    Operation("source.drop", 3) { hand in
      let place = hand.place(in: hand.world.emitters)
      hand.drop("drop source \(place)", in: hand.world.emitters, at: place)
    },
  ]
}

extension Hand {
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
