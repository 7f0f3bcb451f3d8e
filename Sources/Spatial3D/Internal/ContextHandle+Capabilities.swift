internal import CSpatial3DShim

extension ContextHandle {
  var capabilities: Capabilities {
    var has = s3d_capabilities()
    unsafe s3d_context_read_capabilities(pointer, &has)
    return Capabilities(
      version: versionText,
      vendor: string(S3D_VENDOR),
      renderer: string(S3D_RENDERER),
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
      // No extension says so: 1.25.0 is the first.
      filterInterpolation: libraryVersion >= 125
    )
  }

  /// OpenAL's version and the library's own.
  var versionText: String { string(S3D_VERSION) }

  private func string(_ name: s3d_library_string) -> String {
    unsafe takeName(s3d_context_copy_string(pointer, name)) ?? ""
  }
}
