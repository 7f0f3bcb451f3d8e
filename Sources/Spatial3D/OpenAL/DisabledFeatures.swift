internal import CSpatial3DShim

/// Features that a test disables, so that one machine covers libraries without them.
struct DisabledFeatures: Sendable {
  /// The shim reports them as missing, and uses no function of those that `remove_missing` in `shim/device.c` lists.
  var capabilities: Capabilities = []
  /// The extension with which sources keep their states when a device disconnects.
  var holdOnDisconnect = false
  /// The library loses every event.
  var hints = false
  /// The library cuts a sound that stops, instead of fading it out.
  var stopFades = false
  /// The n-th source, buffer or effect slot of a context that fails, counted from 1.
  var failingCreation = 0

  var shimValue: s3d_disabled_features {
    s3d_disabled_features(
      capabilities: capabilities.rawValue,
      hold_on_disconnect: holdOnDisconnect,
      hints: hints,
      stop_fades: stopFades,
      failing_creation: Int32(clamping: failingCreation)
    )
  }

  /// Disables the system's barrier on all threads, in the whole process.
  ///
  /// Call this before the process opens a device.
  static func disableBarrier() { s3d_disable_barrier() }
}

extension DisabledFeatures: ExpressibleByArrayLiteral {
  init(arrayLiteral capabilities: Capabilities...) { self.init(capabilities: Capabilities(capabilities)) }
}

/// The names of the features, for the arguments of a test.
extension DisabledFeatures: CustomStringConvertible {
  var description: String {
    let others = [holdOnDisconnect ? "holdOnDisconnect" : nil, hints ? "hints" : nil, stopFades ? "stopFades" : nil]
      .compactMap(\.self)
    return "without [\((capabilities.names + others).joined(separator: ", "))]"
  }
}
