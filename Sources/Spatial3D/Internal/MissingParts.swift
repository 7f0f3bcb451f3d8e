internal import CSpatial3DShim

/// Parts of the library that tests disable, so that one machine covers libraries without them.
struct MissingParts: Sendable {
  var threadContext = false
  var deferredUpdates = false
  var deviceClock = false
  var loopback = false
  var hrtf = false
  var outputLimiter = false
  var outputMode = false
  var pauseDevice = false
  var ambisonics = false
  var staticBuffers = false
  var bufferMapping = false
  var startDelay = false
  var resamplers = false
  var effects = false
  var effectTarget = false
  var events = false
  var sourceLatency = false
  var reopening = false
  var holdOnDisconnect = false
  /// The library loses every event.
  var hints = false
  /// The n-th source, buffer or effect slot of a context that fails, counted from 1.
  var failingCreation = 0

  /// Disables the system's barrier on all threads, in the whole process.
  ///
  /// Call this before the process opens a device.
  static func withoutBarrier() { s3d_force_no_barrier() }

  var force: s3d_force {
    s3d_force(
      no_thread_context: threadContext,
      no_deferred_updates: deferredUpdates,
      no_device_clock: deviceClock,
      no_loopback: loopback,
      no_hrtf: hrtf,
      no_output_limiter: outputLimiter,
      no_output_mode: outputMode,
      no_pause_device: pauseDevice,
      no_ambisonics: ambisonics,
      no_static_buffer: staticBuffers,
      no_buffer_mapping: bufferMapping,
      no_start_delay: startDelay,
      no_resamplers: resamplers,
      no_effects: effects,
      no_effect_target: effectTarget,
      no_events: events,
      no_source_latency: sourceLatency,
      no_reopening: reopening,
      no_hold_on_disconnect: holdOnDisconnect,
      drop_hints: hints,
      failing_creation: Int32(clamping: failingCreation)
    )
  }
}
