import FuzzSupport
import Spatial3D

extension Caller {
  /// A source beside a model; `nil` in rounds without models, and where calls take effect later.
  mutating func modelled() -> (place: Int, object: ModelledSource)? {
    let place = place(in: world.modelled)
    guard world.hasModels, !isInHandler, !isInBatch else { return nil }
    return world.modelled[place].map { (place, $0) }
  }

  /// Performs a call of a source and of its model, and compares them.
  func check(_ text: String, _ modelled: ModelledSource, _ body: () -> Void) {
    call(text, body)
    modelled.compare()
  }

  /// The frame of the mix that is nearest to a time of the clock.
  func mixFrame(at time: Duration) -> Int { world.renderer?.format.frameCount(in: time) ?? 0 }

  func modelFormat(rateInHalves: Int) -> PCMFormat {
    .mono(sampleRate: (world.renderer?.format.sampleRate ?? 48_000) * rateInHalves / 2)
  }

  func modelBuffer(_ frameCount: Int, _ format: PCMFormat, loopRange: Range<Int>? = nil) -> SoundBuffer? {
    guard let context = world.contexts[0] else { return nil }
    let pcm = try? PCMBuffer(samples: [Int16](repeating: 1_000, count: frameCount), format: format)
    return pcm.flatMap { try? SoundBuffer($0, loopRange: loopRange, in: context) }
  }

  mutating func makeModelled() {
    let (place, isQueue, length) = (place(in: world.modelled), values.chance(0.5), values.length())
    let loop = values.loopRange(in: length)
    let (isLooping, rate) = (values.chance(0.3), values.element(of: [1, 2, 2, 2, 4]))
    guard world.hasModels, !isInHandler, !isInBatch, world.modelled[place] == nil else { return }
    guard let context = world.contexts[0], let renderer = world.renderer else { return }
    // Half of an odd rate is not an integer.
    let isHalf = rate == 1 && renderer.format.sampleRate.isMultiple(of: 2)
    let rateInHalves = rate == 4 && renderer.format.sampleRate <= 192_000 ? 4 : isHalf ? 1 : 2
    let format = modelFormat(rateInHalves: rateInHalves)
    let text = "\(isQueue ? "a queue" : "\(length) frames, loop \(loop)") at \(format.sampleRate) Hz"
    let source: SoundSource? = call("model \(place) = \(text), looping \(isLooping)") {
      if isQueue { return try? SoundSource(in: context) }
      return modelBuffer(length, format, loopRange: loop).flatMap { try? SoundSource(playing: $0, in: context) }
    }
    // The context may have no source left.
    guard let source else { return }
    // Other operations move the listener.
    source.dopplerFactor = 0
    source.isLooping = isLooping
    let counts = world.counts.withLock { $0 }
    var model = SourceModel(
      lengths: isQueue ? [] : [length],
      loopRange: isQueue ? nil : loop,
      rateInHalves: rateInHalves,
      mixed: counts.mixed,
      clock: counts.clock
    )
    model.isLooping = isLooping
    world.modelled.put(ModelledSource(source, model: model, name: "model \(place)", run: run), at: place)
  }

  mutating func dropModelled() {
    let place = place(in: world.modelled)
    // A local reference would keep the source.
    guard world.hasModels, !isInHandler, !isInBatch, let end = world.modelled[place]?.end() else { return }
    call("drop model \(place)") { world.modelled.put(nil, at: place) }
    end.compare()
  }
}

extension Values {
  /// The length of a modelled sound.
  mutating func length() -> Int { element(of: [1, 2, int(1...64), int(1...2_000), int(1...9_000)]) }

  mutating func loopRange(in length: Int) -> Range<Int> {
    guard chance(0.6) else { return 0..<length }
    let start = int(0...length - 1)
    return start..<int(start + 1...length)
  }
}
