internal import CSpatial3DShim

/// The one owner of a context of the library; destroys it before it lets go of the device.
///
/// The pointer is set once and freed in `deinit` alone, and every function that takes it may be called from any thread
/// (`render` from one at a time, which its caller ensures): that is why the handle is `Sendable`.
@safe struct ContextHandle: ~Copyable, @unchecked Sendable {
  let pointer: OpaquePointer
  let device: AudioDevice
  /// Of a context that is rendered.
  let offlineFormat: PCMFormat?
  let volume = Lock(Volume())
  let loaded = Lock(LoadedEffects())

  init(on device: AudioDevice, settings: OutputSettings) throws(AudioError) {
    do {
      unsafe pointer = try unsafe Self.create(on: device, settings)
    } catch {
      // An output that has just gone takes no context, and what stands in for it does.
      guard error.code == .contextUnavailable, device.survivesLoss, device.standIn() else { throw error }
      unsafe pointer = try unsafe Self.create(on: device, settings)
    }
    self.device = device
    offlineFormat = nil
  }

  private static func create(on device: AudioDevice, _ settings: OutputSettings) throws(AudioError) -> OpaquePointer {
    unsafe try device.promisedSends.withLock { promised throws(AudioError) in
      let settings = device.silence?.complete(settings, presentRate: device.handle.sampleRate) ?? settings
      var asked = try s3d_settings(settings, on: device)
      asked.least_send_limit = Int32(promised)
      // Settings restart the device. No effect may be mixed at a rate that its filters are unstable at.
      let before = device.handle.sampleRate
      let isLowered = asked.sample_rate > 0 && asked.sample_rate < before
      if isLowered { device.reloadEffects(for: Int(asked.sample_rate)) }
      defer {
        let granted = device.handle.sampleRate
        if isLowered || granted != before { device.reloadEffects(for: granted) }
      }
      let created = try unsafe creatingPointer(
        "create an audio context",
        failure: { _ in
          let advice =
            device.isOffline ? "An offline renderer has the one context." : "Drop other contexts of it."
          return (.contextUnavailable, "the device \"\(device.name)\" refused. \(advice)")
        },
        { created in unsafe s3d_context_create(device.handle.pointer, &asked, &created) }
      )
      var output = s3d_output()
      unsafe s3d_device_read_output(device.handle.pointer, &output)
      promised = max(promised, Int(output.send_limit))
      device.silence?.join(settings)
      return unsafe created
    }
  }

  init(offlineOn device: AudioDevice, format: PCMFormat, settings: OutputSettings) throws(AudioError) {
    let operation = "render offline"
    let advice = "Mono to 7.1 surround and Ambisonics, at 11,025 to 192,000 Hz, work."
    let isKnown = ChannelLayout.loudspeakers.contains(format.layout) || format.layout.ambisonicOrder != nil
    guard isKnown, Ranges.mixRate.contains(format.sampleRate) else {
      throw AudioError(
        code: .formatUnsupported,
        operation: operation,
        message: "\(format) is no output format. \(advice)",
        underlying: nil
      )
    }
    var settings = settings
    settings.sampleRate = format.sampleRate
    settings.layout = format.layout
    var asked = try s3d_settings(settings, on: device)
    unsafe pointer = try unsafe creatingPointer(
      operation,
      failure: { _ in (.formatUnsupported, "the library does not render \(format). \(advice)") },
      { created in unsafe s3d_context_create_offline(device.handle.pointer, &asked, &created) }
    )
    self.device = device
    offlineFormat = format
  }

  deinit {
    if !isInherited { device.silence?.leave() }
    unsafe s3d_context_destroy(pointer)
  }

  /// Nanoseconds mixed so far; `nil` where the library cannot say.
  var clock: Int64? {
    let nanoseconds = unsafe s3d_context_clock(pointer)
    return nanoseconds < 0 ? nil : nanoseconds
  }

  /// As of its device.
  var isInherited: Bool { device.handle.isInherited }

  /// The library's version, such as 119 or 125; 0 where it is not OpenAL Soft.
  var libraryVersion: Int { unsafe Int(s3d_context_version(pointer)) }

  func setDopplerFactor(_ factor: Float) { unsafe s3d_context_set_doppler_factor(pointer, factor) }

  /// Nanoseconds from the mix to the ear; `nil` where the library cannot say.
  var latency: Int64? {
    let nanoseconds = unsafe s3d_context_latency(pointer)
    return nanoseconds < 0 ? nil : nanoseconds
  }

  /// Mixes the next frames behind those that a buffer holds.
  func render(frameCount: Int, format: PCMFormat, appendingTo buffer: inout PCMBuffer<Float>) {
    buffer.append(frames: frameCount) { span in
      // The span has room for exactly the frames asked for, of the channel count that the context was created with, and
      // the shim writes all of them.
      unsafe span.withUnsafeMutableBufferPointer { room, initializedCount in
        guard let samples = room.baseAddress else { return }
        let frames = room.count / format.channelCount
        unsafe s3d_context_render(pointer, samples, frames)
        initializedCount = frames * format.channelCount
      }
    }
  }
}
