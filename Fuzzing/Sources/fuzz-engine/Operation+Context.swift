import Spatial3D
import Synchronization

/// A context, its listener and its physics.
extension Operation {
  static let context = [
    Operation("listener", 6) { hand in
      guard let context = hand.context() else { return }
      var listener = context.listener
      if hand.values.chance(0.7) { listener.position = hand.values.vector() }
      if hand.values.chance(0.3) { listener.velocity = hand.values.vector(100) }
      if hand.values.chance(0.5) {
        listener.orientation = Orientation(forward: hand.values.vector(1), up: hand.values.vector(1))
      }
      if hand.values.chance(0.2) { listener.gain = hand.values.number(0...16) }
      hand.call("listener = \(listener)") { context.listener = listener }
      let now = context.listener
      hand.require(now.position.isFinite && now.velocity.isFinite, "a listener of \(now)")
      hand.require((0...16).contains(now.gain), "a listener's gain of \(now.gain)")
      let (forward, up) = (now.orientation.forward, now.orientation.up)
      let lengths = [forward, up, now.orientation.right].map { ($0 * $0).sum().squareRoot() }
      hand.require(lengths.allSatisfy { abs($0 - 1) < 1e-3 }, "an orientation of \(forward) and \(up)")
    },
    Operation("distanceModel", 1) { hand in
      guard let context = hand.context() else { return }
      let model = hand.values.element(of: DistanceModel.allCases)
      hand.call("distanceModel = \(model)") { context.distanceModel = model }
      hand.require(!hand.isExact || context.distanceModel == model, "another distance model")
    },
    Operation("context.dopplerFactor", 1) { hand in
      guard let context = hand.context() else { return }
      let factor = hand.values.number(0...10)
      hand.call("dopplerFactor = \(factor)") { context.dopplerFactor = factor }
      hand.require(context.dopplerFactor.isFinite && context.dopplerFactor >= 0, "\(context.dopplerFactor)")
    },
    Operation("speedOfSound", 1) { hand in
      guard let context = hand.context() else { return }
      let speed = hand.values.number(1...1_000)
      hand.call("speedOfSound = \(speed)") { context.speedOfSound = speed }
      hand.require((0.001...1e9).contains(context.speedOfSound), "a speed of sound of \(context.speedOfSound)")
    },
    Operation("deferred", 3) { hand in
      guard let context = hand.context() else { return }
      let count = hand.values.int(0...8)
      // Not a call of the log, which would be the same as the calls inside.
      let wasInBatch = hand.isInBatch
      hand.isInBatch = true
      context.withDeferredUpdates { for _ in 0..<count { hand.operate() } }
      hand.isInBatch = wasInBatch
    },
    Operation("context.read", 2) { hand in
      guard let context = hand.context() else { return }
      hand.call("what a context tells") {
        _ = (context.capabilities, context.resamplers, context.defaultResampler, context.latency, context.settings)
        _ = (context.suspensions, context.isSuspended, context.device.name)
      }
      let output = hand.call("output?") { context.output }
      hand.require(output.sampleRate == 0 || (1_000...400_000).contains(output.sampleRate), "\(output)")
    },
    Operation("clock", 2) { hand in
      guard let context = hand.context() else { return }
      let (before, after) = hand.call("clock, twice?") { (context.clock, context.clock) }
      if let before, let after { hand.require(after >= before, "a clock that goes from \(before) back to \(after)") }
    },
    Operation("onDiagnostic", 1) { hand in
      guard let context = hand.context() else { return }
      let (run, isLoud) = (hand.run, hand.values.chance(0.8))
      hand.call("onDiagnostic = \(isLoud ? "a count" : "an empty closure")") {
        context.onDiagnostic = { if isLoud { run.take($0) } }
      }
    },
  ]

  static let suspension = [
    Operation("suspend", 1) { hand in
      guard let context = hand.context() else { return }
      let (mode, reason) = (hand.values.element(of: SuspensionMode.allCases), hand.values.reason())
      guard !hand.world.hasModels || (!hand.isInHandler && mode != .queue) else { return }
      hand.call("suspend \(mode) for \(reason)") { context.suspend(mode, for: reason) }
      if hand.isExact { hand.require(context.suspensions[reason] == mode, "a suspension that does not hold") }
    },
    Operation("resume", 4) { hand in
      guard let context = hand.context() else { return }
      let reason = hand.values.reason()
      guard !hand.world.hasModels || !hand.isInHandler else { return }
      hand.call("resume from \(reason)") { context.resume(from: reason) }
      if hand.isExact { hand.require(context.suspensions[reason] == nil, "a suspension that holds on") }
    },
  ]
}

extension Values {
  mutating func reason() -> SuspensionReason {
    element(of: [.interruption, .background, .userPause, SuspensionReason("")])
  }
}

extension Run {
  /// Takes a diagnostic, which has words.
  func take(_ diagnostic: Diagnostic) {
    diagnostics.add(1, ordering: .relaxed)
    require(!diagnostic.message.isEmpty, "a diagnostic without words: \(diagnostic.code)")
  }
}
