internal import CSpatial3DShim

extension ContextHandle {
  var capabilities: Capabilities {
    var has = s3d_capabilities()
    unsafe s3d_context_read_capabilities(pointer, &has)
    return Capabilities(
      version: unsafe Self.string(S3D_VERSION, of: pointer),
      vendor: unsafe Self.string(S3D_VENDOR, of: pointer),
      renderer: unsafe Self.string(S3D_RENDERER, of: pointer),
      threadLocalContexts: has.thread_contexts,
      deferredUpdates: has.deferred_updates,
      offlineRendering: has.offline_rendering,
      ambisonicRendering: has.ambisonic_rendering,
      hrtf: has.hrtf,
      outputLimiter: has.output_limiter,
      outputMode: has.output_mode,
      suspension: has.suspension,
      deviceClock: has.device_clock,
      deviceReopening: has.device_reopening,
      disconnection: has.disconnection,
      systemEvents: has.system_events,
      capture: has.capture,
      events: has.events,
      startDelay: has.start_delay,
      sourceDistanceModel: has.source_distance_model,
      sourceSpatialization: has.source_spatialize,
      sourceRadius: has.source_radius,
      sourceLatency: has.source_latency,
      sourceResampler: has.source_resampler,
      stereoAngles: has.stereo_angles,
      directChannels: has.direct_channels,
      directChannelRemixing: has.direct_channels_remix,
      floatSamples: has.float_samples,
      surroundSounds: has.surround_sounds,
      ambisonicSounds: has.ambisonic_sounds,
      loopPoints: has.loop_points,
      staticBuffers: has.static_buffers,
      mappedBuffers: has.mapped_buffers,
      effects: has.effects,
      effectTarget: has.effect_target,
      // No extension reports it: 1.25.0 is the first version with it.
      filterInterpolation: isAtLeast(1, 25)
    )
  }

  /// The version of the library behind a context; `nil` where it is not OpenAL Soft.
  static func version(of context: OpaquePointer) -> LibraryVersion? {
    LibraryVersion(unsafe string(S3D_VERSION, of: context))
  }

  /// Whether the library is OpenAL Soft of at least a version.
  func isAtLeast(_ major: Int, _ minor: Int) -> Bool {
    version.map { $0 >= LibraryVersion(major, minor, 0) } ?? false
  }

  private static func string(_ name: s3d_library_string, of context: OpaquePointer) -> String {
    unsafe takeName(s3d_context_copy_string(context, name)) ?? ""
  }
}
