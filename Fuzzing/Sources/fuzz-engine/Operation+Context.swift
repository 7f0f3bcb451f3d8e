import FuzzSupport
import Spatial3D
import Synchronization

/// A context, its listener and its physics.
extension Operation {
  static let context = [
    Operation("listener", 6) { caller in
      guard let context = caller.context() else { return }
      var listener = context.listener
      if caller.values.chance(0.7) { listener.position = caller.values.vector() }
      if caller.values.chance(0.3) { listener.velocity = caller.values.vector(100) }
      if caller.values.chance(0.5) {
        listener.orientation = Orientation(forward: caller.values.vector(1), up: caller.values.vector(1))
      }
      if caller.values.chance(0.2) { listener.gain = caller.values.gain(0...16) }
      caller.call("listener = \(listener)") { context.listener = listener }
      let now = context.listener
      caller.require(now.position.isFinite && now.velocity.isFinite, "a listener of \(now)")
      caller.require((0...16).contains(now.gain), "a listener's gain of \(now.gain)")
      let (forward, up) = (now.orientation.forward, now.orientation.up)
      let lengths = [forward, up, now.orientation.right].map { ($0 * $0).sum().squareRoot() }
      caller.require(lengths.allSatisfy { abs($0 - 1) < 1e-3 }, "an orientation of \(forward) and \(up)")
    },
    Operation("distanceModel", 1) { caller in
      guard let context = caller.context() else { return }
      let model = caller.values.element(of: DistanceModel.allCases)
      caller.call("distanceModel = \(model)") { context.distanceModel = model }
      caller.require(!caller.isExact || context.distanceModel == model, "another distance model")
    },
    Operation("context.dopplerFactor", 1) { caller in
      guard let context = caller.context() else { return }
      let factor = caller.values.number(0...10)
      caller.call("dopplerFactor = \(factor)") { context.dopplerFactor = factor }
      caller.require(context.dopplerFactor.isFinite && context.dopplerFactor >= 0, "\(context.dopplerFactor)")
    },
    Operation("speedOfSound", 1) { caller in
      guard let context = caller.context() else { return }
      let speed = caller.values.number(1...1_000)
      caller.call("speedOfSound = \(speed)") { context.speedOfSound = speed }
      caller.require((0.001...1e9).contains(context.speedOfSound), "a speed of sound of \(context.speedOfSound)")
    },
    Operation("deferred", 3) { caller in
      guard let context = caller.context() else { return }
      let count = caller.values.int(0...8)
      // The log has the calls inside the batch, and not the batch itself.
      let wasInBatch = caller.isInBatch
      caller.isInBatch = true
      context.withDeferredUpdates { for _ in 0..<count { caller.operate() } }
      caller.isInBatch = wasInBatch
    },
    Operation("context.read", 2) { caller in
      guard let context = caller.context() else { return }
      caller.call("values of a context") {
        _ = (context.capabilities, context.resamplers, context.defaultResampler, context.latency, context.settings)
        _ = (context.suspensions, context.isSuspended, context.device.name)
      }
      let output = caller.call("output?") { context.output }
      caller.require(output.sampleRate == 0 || (1_000...400_000).contains(output.sampleRate), "\(output)")
    },
    Operation("clock", 2) { caller in
      guard let context = caller.context() else { return }
      let (before, after) = caller.call("clock, twice?") { (context.clock, context.clock) }
      caller.require(after >= before, "a clock that goes from \(before) back to \(after)")
    },
    Operation("onDiagnostic", 1) { caller in
      guard let context = caller.context() else { return }
      let (run, isLoud) = (caller.run, caller.values.chance(0.8))
      caller.call("onDiagnostic = \(isLoud ? "a count" : "an empty closure")") {
        context.onDiagnostic = { if isLoud { run.take($0) } }
      }
    },
  ]

  static let suspension = [
    Operation("suspend", 1) { caller in
      guard let context = caller.context() else { return }
      let (mode, reason) = (caller.values.element(of: SuspensionMode.allCases), caller.values.reason())
      guard !caller.world.hasModels || (!caller.isInHandler && mode != .queue) else { return }
      caller.call("suspend \(mode) for \(reason)") { context.suspend(mode, for: reason) }
      if caller.isExact { caller.require(context.suspensions[reason] == mode, "a suspension that does not hold") }
    },
    Operation("resume", 4) { caller in
      guard let context = caller.context() else { return }
      let reason = caller.values.reason()
      guard !caller.world.hasModels || !caller.isInHandler else { return }
      caller.call("resume from \(reason)") { context.resume(from: reason) }
      if caller.isExact { caller.require(context.suspensions[reason] == nil, "a suspension that holds on") }
    },
  ]
}

extension Values {
  mutating func reason() -> SuspensionReason {
    element(of: [.interruption, .background, .userPause, SuspensionReason("")])
  }
}

extension Run {
  /// Counts a diagnostic, and requires a message.
  func take(_ diagnostic: Diagnostic) {
    diagnostics.add(1, ordering: .relaxed)
    require(!diagnostic.message.isEmpty, "a diagnostic without words: \(diagnostic.code)")
  }
}
