internal import CSpatial3DShim

/// The one owner of an open device of the library; closes it.
///
/// The pointer is set once and freed in `deinit` alone, and every function that takes it may be called from any thread:
/// that is why the handle is `Sendable`.
@safe struct DeviceHandle: ~Copyable, @unchecked Sendable {
  let pointer: OpaquePointer

  init(opening name: String?, forcing missing: MissingParts = MissingParts()) throws(AudioError) {
    let operation = "open an audio device"
    try Self.checkKnown(name, operation)
    unsafe pointer = try unsafe creatingPointer(
      operation,
      failure: { _ in (.deviceUnavailable, refusal(name)) },
      { created in
        // The shim copies the name before it returns.
        guard let name else { return unsafe s3d_device_open(nil, missing.force, &created) }
        return unsafe name.withCString { unsafe s3d_device_open($0, missing.force, &created) }
      }
    )
  }

  init(offlineForcing missing: MissingParts) throws(AudioError) {
    unsafe pointer = try unsafe creatingPointer(
      "open an offline renderer",
      failure: { error in
        error == S3D_NOT_IN_LIBRARY
          ? (.notInLibrary, "the loaded OpenAL library has no loopback device. Use OpenAL Soft.")
          : (.deviceUnavailable, "the library refused a loopback device.")
      },
      { created in unsafe s3d_device_open_loopback(missing.force, &created) }
    )
  }

  init(silentForcing missing: MissingParts = MissingParts()) throws(AudioError) {
    unsafe pointer = try unsafe creatingPointer(
      "open a silent device",
      failure: { error in
        error == S3D_NOT_IN_LIBRARY
          ? (.notInLibrary, "the loaded OpenAL library has no loopback device. Use OpenAL Soft.")
          : (.deviceUnavailable, "the library refused a loopback device.")
      },
      { created in unsafe s3d_device_open_silent(missing.force, &created) }
    )
  }

  deinit {
    unsafe s3d_device_close(pointer)
  }

  /// Throws where the system knows no output by a name.
  static func checkKnown(_ name: String?, _ operation: String) throws(AudioError) {
    // The library takes an empty name, and some of its own, for the default output.
    guard let name, !outputNames.contains(name) else { return }
    throw AudioError(code: .deviceUnavailable, operation: operation, message: unknownName(name), underlying: nil)
  }

  /// Whether this is a forked child, which may not touch what is its parent's, nor wait for threads that it lacks.
  var isInherited: Bool { unsafe s3d_device_is_inherited(pointer) }

  /// What the system calls the device.
  var name: String { unsafe takeName(s3d_device_copy_name(pointer)) ?? "" }

  var hrtfNames: [String] { unsafe takeNames(s3d_device_copy_hrtf_names(pointer)) }

  /// The name of the HRTF that is on.
  var hrtfName: String? { unsafe takeName(s3d_device_copy_hrtf_name(pointer)) }

  /// Whether the output is there.
  var isConnected: Bool { unsafe s3d_device_is_connected(pointer) }

  /// Whether the library has a device that nobody hears.
  var canStandIn: Bool { unsafe s3d_device_can_open_placeholder(pointer) }

  var canSuspend: Bool { unsafe s3d_device_can_suspend(pointer) }

  func suspend() { unsafe s3d_device_suspend(pointer) }

  func resume() { unsafe s3d_device_resume(pointer) }

  /// Mixes the next frames of a silent device; returns how many, which are fewer where it is suspended meanwhile.
  func discard(frameCount: Int) -> Int { unsafe s3d_device_discard(pointer, frameCount) }

  var sampleRate: Int { unsafe Int(s3d_device_sample_rate(pointer)) }

  static var outputNames: [String] { unsafe takeNames(s3d_copy_output_names()) }

  static var defaultOutputName: String? { unsafe takeName(s3d_copy_default_output_name()) }

  /// What the system calls an output, or the default one, by opening it for a moment; `nil` where it does not open.
  static func openedName(of name: String?) -> String? {
    // The shim copies the name before it returns.
    guard let name else { return unsafe takeName(s3d_copy_name_of_output(nil)) }
    return unsafe takeName(name.withCString { unsafe s3d_copy_name_of_output($0) })
  }
}

extension AudioError {
  /// An output that the system knows and that would not open.
  static func noOutput(named name: String?, _ operation: String) -> AudioError {
    AudioError(code: .deviceUnavailable, operation: operation, message: refusal(name), underlying: nil)
  }
}

/// What to say of a name that no output has.
private func unknownName(_ name: String) -> String {
  let shown = name.count > 100 ? "\(name.prefix(100))…" : name
  return "there is no output named \"\(shown)\". \(knownOutputs())"
}

/// What to say of an output that the system knows and that would not open.
private func refusal(_ name: String?) -> String {
  let failed = name.map { "the output \"\($0)\" would not open" } ?? "the default output would not open"
  let advice = "Connect one or start the sound server; or use AudioDevice.silent or OfflineRenderer, which need none"
  return "\(failed). \(advice). \(knownOutputs())"
}

private func knownOutputs() -> String {
  let names = DeviceHandle.outputNames
  return names.isEmpty ? "The system knows no output." : "The system knows: \(names.joined(separator: ", "))."
}
