internal import AudioSupport
internal import CSpatial3DShim

extension ContextHandle {
  var sampleRate: Int { unsafe Int(s3d_device_sample_rate(device.pointer)) }

  /// The frame of the mix that is nearest to a time of the clock.
  func mixFrame(at time: Duration) -> Int { PCMFormat.mono(sampleRate: sampleRate).frameCount(in: time) }

  /// The number of frames of the clock, which stands still while the device is frozen.
  var mixedFrames: Int { mixFrame(at: .nanoseconds(clock)) }

  /// How often the device mixes per second.
  ///
  /// `nil` where it mixes on request, or the library cannot report it.
  var refreshRate: Int? {
    if device.kind == .silent { return BlockPacer.blocksPerSecond }
    let rate = Int(device.output.refresh_rate)
    return rate > 0 ? rate : nil
  }

  /// The loudspeakers of the device's present output, or of a silent device with a layout.
  ///
  /// An output whose layout the library does not report counts as stereo.
  func loudspeakers(ofSilentDevice layout: ChannelLayout?) -> Loudspeakers {
    Loudspeakers(of: offlineFormat?.layout ?? layout ?? device.output.knownLayout ?? .stereo)
  }

  /// The device's present output, for a context's requested settings and granted sends.
  ///
  /// `layout` is the layout of an output that the library does not know, and `blockLength` the number of frames that a
  /// thread of this package renders at once; `nil` where none does.
  func output(
    askedFor settings: OutputSettings,
    sendLimit: Int,
    layout: ChannelLayout?,
    blockLength: Int?
  ) -> OutputConfiguration {
    let output = device.output
    return OutputConfiguration(
      sampleRate: Int(output.sample_rate),
      layout: offlineFormat?.layout ?? layout ?? output.knownLayout,
      hrtf: HRTFStatus(output.hrtf, name: device.hrtfName, wasRequested: settings.requestsHRTF),
      isLimited: output.limiter == S3D_AUTOMATIC ? nil : output.limiter == S3D_ON,
      sourceLimit: Int(output.source_limit),
      auxiliarySendLimit: sendLimit,
      refreshRate: blockLength.map { Int(output.sample_rate) / $0 } ?? refreshRate
    )
  }
}

extension s3d_output {
  /// The layout, where the library reports it.
  fileprivate var knownLayout: ChannelLayout? {
    has_layout ? ChannelLayout.loudspeakers.first { s3d_layout($0) == layout } : nil
  }
}

extension HRTFStatus {
  fileprivate init(_ status: s3d_hrtf_status, name: String?, wasRequested: Bool) {
    switch (status, name) {
    case (S3D_HRTF_ON, let name?): self = .on(name: name, .requested)
    case (S3D_HRTF_REQUIRED_BY_USER, let name?): self = .on(name: name, .userConfiguration)
    case (S3D_HRTF_FOR_HEADPHONES, let name?): self = .on(name: name, .headphones)
    case (S3D_HRTF_FORBIDDEN_BY_USER, _): self = .refused(.userConfiguration)
    case (S3D_HRTF_NOT_IN_LIBRARY, _) where wasRequested: self = .refused(.notInLibrary)
    // OpenAL Soft 1.25 reports for a layout other than stereo that no HRTF was requested.
    case _ where wasRequested: self = .refused(.format)
    default: self = .off
    }
  }
}

extension s3d_settings {
  /// The settings for the shim, within the library's ranges.
  ///
  /// Throws where a named HRTF does not exist, or no output has the layout.
  init(_ settings: OutputSettings, on device: DeviceHandle) throws(AudioError) {
    self.init()
    if let rate = settings.sampleRate { sample_rate = Int32(rate.clamped(to: Ranges.mixRate)) }
    if device.kind == .offline, let order = settings.layout?.ambisonicOrder {
      ambisonic_order = Int32(order)
    } else if let asked = settings.layout {
      guard ChannelLayout.loudspeakers.contains(asked), let known = s3d_layout(asked) else {
        throw AudioError(
          code: .formatUnsupported,
          operation: "use the output settings",
          message: "\(asked) is no layout of an output device. Use mono, stereo, quad or 5.1 to 7.1 surround."
        )
      }
      (has_layout, layout) = (true, known)
    }
    if case .named(let name) = settings.hrtf { hrtf_number = try Self.hrtfNumber(name, on: device) }
    hrtf =
      switch settings.hrtf {
      case .automatic: device.kind == .output ? S3D_AUTOMATIC : S3D_OFF
      case .off: S3D_OFF
      case .on, .named: S3D_ON
      }
    limiter =
      switch settings.limiter {
      case .automatic: S3D_AUTOMATIC
      case .off: S3D_OFF
      case .on: S3D_ON
      }
    if let limit = settings.sourceLimit { source_limit = Int32(limit.clamped(to: Ranges.sourceLimit)) }
    if let limit = settings.auxiliarySendLimit {
      (has_send_limit, send_limit) = (true, Int32(limit.clamped(to: Ranges.sendLimit)))
    }
  }

  private static func hrtfNumber(_ name: String, on device: DeviceHandle) throws(AudioError) -> Int32 {
    let names = device.hrtfNames
    if let index = names.firstIndex(of: name) { return Int32(index + 1) }
    let known = names.isEmpty ? "The device has none." : "The device has: \(names.joined(separator: ", "))."
    throw AudioError(
      code: .hrtfUnavailable,
      operation: "use the output settings",
      message: "there is no HRTF named \"\(name.prefix(100))\". \(known)"
    )
  }
}

extension ChannelLayout {
  /// The layouts that a device may have.
  static let loudspeakers = [mono, stereo, quad, surround51, surround61, surround71]

  /// The order of an ambisonic layout.
  var ambisonicOrder: Int? { (1...3).first { .ambisonic(order: $0) == self } }
}

// MARK: - The loss of the device

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

// MARK: - Muting

/// The gains of the library's listener and effect slots, and whether they are muted.
struct Volume: Sendable {
  var isMuted = false
  /// The gains of slots that were given one.
  var slotGains: [UInt32: Float] = [:]
}

extension ContextHandle {
  /// Fades the whole mix out, including the tails of effects, or back in.
  func setMuted(_ isMuted: Bool, listenerGain: Float) {
    let slotGains = volume.withLock { volume -> [UInt32: Float]? in
      guard volume.isMuted != isMuted else { return nil }
      volume.isMuted = isMuted
      return volume.slotGains
    }
    guard let slotGains else { return }
    var update = s3d_listener_update()
    update.changed = ListenerProperties.gain.rawValue
    update.gain = isMuted ? 0 : listenerGain
    // The shim reads the update before it returns.
    unsafe s3d_listener_apply(pointer, &update)
    for (slot, gain) in slotGains {
      unsafe s3d_effect_slot_set_gain(pointer, s3d_effect_slot(id: slot), isMuted ? 0 : gain)
    }
  }

  /// The update for the shim from a listener.
  func update(of listener: Listener, changes: ListenerProperties) -> s3d_listener_update {
    var update = s3d_listener_update(listener, changes: changes)
    if changes.contains(.gain), volume.withLock({ $0.isMuted }) { update.gain = 0 }
    return update
  }

  func setGain(_ gain: Float, of slot: UInt32) {
    let isMuted = volume.withLock { volume in
      volume.slotGains[slot] = gain
      return volume.isMuted
    }
    unsafe s3d_effect_slot_set_gain(pointer, s3d_effect_slot(id: slot), isMuted ? 0 : gain)
  }
}
