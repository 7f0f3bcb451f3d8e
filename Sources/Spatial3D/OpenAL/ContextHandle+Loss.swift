internal import CSpatial3DShim

// A library without `AL_SOFTX_hold_on_disconnect`, such as OpenAL Soft before 1.22, stops the sources of a lost device
// and forgets their positions. The package records the positions for it.

extension ContextHandle {
  /// Whether sources stay readable after the loss of the device.
  var holdsSources: Bool { unsafe s3d_context_keeps_sources_on_disconnect(pointer) }

  /// Whether positions of sources have to be recorded.
  @inline(__always)
  var recordsPositions: Bool { device.survivesLoss && !holdsSources }

  /// Whether the device is lost, and the library has stopped its sources and forgotten their positions.
  @inline(__always)
  var isLost: Bool { recordsPositions && !device.isPlaceholder && !isConnected }
}
