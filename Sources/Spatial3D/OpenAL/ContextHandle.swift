internal import AudioSupport
internal import CSpatial3DShim
internal import Synchronization

/// The only owner of a context of the library; destroys it before it releases the device.
///
/// It is `Sendable` because the pointer is set once and freed in `deinit` alone, and any thread may call every function
/// that takes it. The exception is `render`: its caller ensures that one thread calls it at a time.
@safe final class ContextHandle: @unchecked Sendable {
  let pointer: OpaquePointer
  let device: DeviceHandle
  /// The version of the library; `nil` where it is not OpenAL Soft.
  let version: LibraryVersion?
  /// The format of the mix of an offline device.
  let offlineFormat: PCMFormat?
  let volume = Lock(Volume())
  let loaded = Lock(LoadedEffects())
  /// The number of calls that have started sources.
  let startCount = Atomic(0)

  /// Whether the library sums the channels of a placed sound; before 1.22 it took their mean.
  let addsUpChannels: Bool

  /// A context with complete settings.
  ///
  /// `leastSendLimit` is the number of sends that other contexts of the device were granted, and `presentRate` the rate
  /// of their mix, 0 without any. `name` is the device's name in an error. An offline device has a format.
  init(
    on device: DeviceHandle,
    named name: String,
    settings: OutputSettings,
    leastSendLimit: Int,
    presentRate: Int,
    offlineFormat: PCMFormat?
  ) throws(AudioError) {
    var asked = try s3d_settings(settings, on: device)
    asked.least_send_limit = Int32(leastSendLimit)
    asked.present_rate = Int32(presentRate)
    unsafe pointer = try unsafe creatingPointer(
      "create an audio context",
      failure: { _ in (.contextUnavailable, "the device \"\(name)\" refused. Drop other contexts of it.") },
      { created in unsafe s3d_context_create(device.pointer, &asked, &created) }
    )
    self.device = device
    version = unsafe Self.version(of: pointer)
    addsUpChannels = Self.addsUpChannels(version)
    self.offlineFormat = offlineFormat
  }

  init(offlineOn device: DeviceHandle, format: PCMFormat, settings: OutputSettings) throws(AudioError) {
    let operation = "render offline"
    let advice =
      "Mono to 7.1 surround and Ambisonics, at 8,000 to 192,000 Hz, work; before OpenAL Soft 1.25.2 from 11,025 Hz."
    let isKnown = ChannelLayout.loudspeakers.contains(format.layout) || format.layout.ambisonicOrder != nil
    guard isKnown, Ranges.mixRate.contains(format.sampleRate) else {
      throw AudioError(
        code: .formatUnsupported,
        operation: operation,
        message: "\(format) is no output format. \(advice)"
      )
    }
    var settings = settings
    settings.sampleRate = format.sampleRate
    settings.layout = format.layout
    var asked = try s3d_settings(settings, on: device)
    let created = try unsafe creatingPointer(
      operation,
      failure: { _ in (.formatUnsupported, "the library does not render \(format). \(advice)") },
      { created in unsafe s3d_context_create_offline(device.pointer, &asked, &created) }
    )
    let version = unsafe Self.version(of: created)
    guard EffectLimits(version: version, rate: Double(format.sampleRate)).hasStableFilters else {
      unsafe s3d_context_destroy(created)
      throw AudioError(
        code: .formatUnsupported,
        operation: operation,
        message: "this version of OpenAL Soft has no stable filters at \(format.sampleRate) Hz. \(advice)"
      )
    }
    unsafe pointer = unsafe created
    self.device = device
    self.version = version
    addsUpChannels = Self.addsUpChannels(version)
    offlineFormat = format
  }

  private static func addsUpChannels(_ version: LibraryVersion?) -> Bool {
    version.map { $0 >= LibraryVersion(1, 22, 0) } ?? false
  }

  /// The factor that turns the sum of a placed sound's channels into their mean, where the library does not.
  func channelFactor(of format: PCMFormat?) -> Float {
    guard addsUpChannels, let format else { return 1 }
    return 1 / Float(format.layout.placedChannelCount)
  }

  deinit {
    unsafe s3d_context_destroy(pointer)
  }

  /// Nanoseconds mixed so far; counted where the library cannot report them.
  var clock: Int64 { unsafe s3d_context_clock(pointer) }

  /// Whether the filters of the library are stable at the rate of the mix.
  var hasStableFilters: Bool { EffectLimits(version: version, rate: Double(sampleRate)).hasStableFilters }

  /// Whether the device is inherited by a forked child.
  var isInherited: Bool { device.isInherited }

  func setDopplerFactor(_ factor: Float) { unsafe s3d_context_set_doppler_factor(pointer, factor) }

  /// Nanoseconds from the mix to the ear; `nil` where the library cannot report them.
  var latency: Int64? {
    let nanoseconds = unsafe s3d_context_read_latency(pointer).nanoseconds
    return nanoseconds < 0 ? nil : nanoseconds
  }

  /// The number of frames until a crossfade of a reverb ends a mix, at most the limit.
  ///
  /// Only a mix of OpenAL Soft 1.19 may have to end with a crossfade.
  func framesUntilCut(atMost limit: Int) -> Int { unsafe s3d_context_frames_until_cut(pointer, limit) }

  /// Mixes the next frames and appends them to a buffer.
  func render(frameCount: Int, format: PCMFormat, appendingTo buffer: inout PCMBuffer<Float>) {
    buffer.append(frames: frameCount) { span in
      // The span has room for exactly the requested frames, of the channel count that the context was created with, and
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

// MARK: - Sources

extension ContextHandle {
  /// The library's error for lack of memory, and of sources.
  static let outOfMemory: s3d_error = 0xA005

  /// Creates a source of the library with a buffer.
  func createSource(buffer: UInt32, sourceCount: Int) throws(AudioError) -> UInt32 {
    try creating(
      "create a source",
      s3d_source(),
      failure: { error in
        guard error == Self.outOfMemory else { return (.refusedByLibrary, "the library would not make another.") }
        return (.sourceLimitReached, sourceLimitReached(at: sourceCount))
      },
      { created in unsafe s3d_source_create(pointer, s3d_buffer(id: buffer, borrowed: 0), &created) }
    ).id
  }

  private func sourceLimitReached(at count: Int) -> String {
    let limit = Int(device.output.source_limit)
    // The library may fail below the limit, for lack of memory.
    guard count >= limit else { return "the library has no memory for more than the \(count) sources in use." }
    let used = "all \(limit) sources that the context can have are in use. Drop those that are inaudible"
    guard limit < Ranges.sourceLimit.upperBound else { return "\(used)." }
    return "\(used), or ask for more with OutputSettings.sourceLimit."
  }

  func destroySource(_ id: UInt32) {
    unsafe s3d_source_destroy(pointer, s3d_source(id: id))
  }
}

// MARK: - Capabilities

extension ContextHandle {
  var capabilities: Capabilities { Capabilities(rawValue: unsafe s3d_context_capabilities(pointer)) }

  var library: LoadedLibrary {
    LoadedLibrary(
      version: unsafe Self.string(S3D_VERSION, of: pointer),
      vendor: unsafe Self.string(S3D_VENDOR, of: pointer),
      renderer: unsafe Self.string(S3D_RENDERER, of: pointer)
    )
  }

  /// The version of the library behind a context; `nil` where it is not OpenAL Soft.
  static func version(of context: OpaquePointer) -> LibraryVersion? {
    LibraryVersion(unsafe string(S3D_VERSION, of: context))
  }

  private static func string(_ name: s3d_library_string, of context: OpaquePointer) -> String {
    unsafe takeName(s3d_context_copy_string(context, name)) ?? ""
  }
}

// MARK: - Resamplers

extension ContextHandle {
  var resamplers: [Resampler] {
    let count = unsafe s3d_context_resampler_count(pointer)
    return (0..<count).map { Resampler(name: resamplerName(at: $0), index: $0) }
  }

  /// The index of the library's default; negative where there is no choice.
  var defaultResampler: Int32 { unsafe s3d_context_default_resampler(pointer) }

  func resampler(at index: Int32) -> Resampler? {
    let count = unsafe s3d_context_resampler_count(pointer)
    return (0..<count).contains(index) ? Resampler(name: resamplerName(at: index), index: index) : nil
  }

  private func resamplerName(at index: Int32) -> String {
    unsafe takeName(s3d_context_copy_resampler_name(pointer, index)) ?? "\(index)"
  }
}
