import FuzzSupport
import Spatial3D
import Synchronization

/// Rendering, and recording.
extension Operation {
  static let offline = [
    Operation("render", 24) { caller in
      guard !caller.isInHandler, let renderer = caller.world.renderer else { return }
      caller.render(renderer, frameCount: caller.values.pieceLength())
    },
    Operation("render.duration", 2) { caller in
      guard !caller.isInHandler, let renderer = caller.world.renderer else { return }
      let duration = Duration.microseconds(caller.values.int(-10...60_000))
      let frameCount = renderer.format.frameCount(in: duration)
      let isFrozen = renderer.context.isFrozen
      let mix = caller.call("render \(duration)") { renderer.render { $0.render(duration) } }
      caller.check(mix, frameCount: frameCount, of: renderer)
      caller.advanceModels(frameCount, isFrozen: isFrozen)
    },
  ]

  static let capture = [
    Operation("capture", 1) { caller in
      let format = caller.values.soundFormat()
      let (capacity, count) = (caller.values.duration(upTo: 500), caller.values.int(-1...5_000))
      let name = caller.values.element(of: [nil, nil, "nobody's input"])
      caller.attempt(
        "record \(count) frames of \(format) into \(capacity)",
        mayThrow: .deviceUnavailable,
        .formatUnsupported
      ) { () throws(AudioError) in
        var capture = try AudioCapture(named: name, format: format, capacity: capacity)
        capture.start()
        _ = (capture.isRecording, capture.isConnected, capture.availableFrameCount)
        var buffer = PCMBuffer<Float>(format: format)
        _ = capture.read(into: &buffer, maxFrames: count)
        capture.stop()
      }
    }
  ]
}

extension Caller {
  /// Renders a piece and checks its samples.
  func render(_ renderer: Renderer, frameCount: Int) {
    let isFrozen = renderer.context.isFrozen
    let mix = call("render \(frameCount) frames") { renderer.render { $0.render(frameCount: frameCount) } }
    check(mix, frameCount: max(frameCount, 0), of: renderer)
    advanceModels(max(frameCount, 0), isFrozen: isFrozen)
  }

  /// The laws of a mix.
  func check(_ mix: PCMBuffer<Float>, frameCount: Int, of renderer: Renderer) {
    run.frames.add(frameCount, ordering: .relaxed)
    require(mix.frameCount == frameCount, "\(mix.frameCount) frames rendered of \(frameCount)")
    require(mix.format == renderer.format, "a mix of \(mix.format)")
    // A number that is not finite does not compare as less or equal.
    guard let bad = mix.samples.firstIndex(where: { !($0.magnitude <= Self.loudest) }) else { return }
    run.fail("sample \(bad) of \(mix.samples.count) is \(mix.samples[bad])")
  }

  private static let loudest: Float = 1e9

  /// Advances all models by as many frames, and compares them.
  func advanceModels(_ frames: Int, isFrozen: Bool) {
    guard world.hasModels else { return }
    world.counts.withLock { counts in
      counts.mixed += frames
      if !isFrozen { counts.clock += frames }
    }
    for modelled in world.modelled.all {
      modelled.change { $0.mix(frames, isFrozen: isFrozen) }
      modelled.compare()
    }
  }
}

extension Values {
  /// How many frames are rendered at once: odd pieces, and whole blocks.
  mutating func pieceLength() -> Int {
    switch int(0...9) {
    case 0: element(of: [0, 1, 2, 3, -1, 63, 64, 65, 127, 128, 129, 1_023, 1_024, 1_025])
    case 1...4: int(1...600)
    default: int(1...6_000)
    }
  }
}

extension AudioContext {
  /// Whether time stands still.
  var isFrozen: Bool { suspensions.values.contains { $0 >= .freeze } }
}
