internal import CSpatial3DShim
internal import Synchronization

/// The only owner of an open device of the library; closes it.
///
/// It is `Sendable` because the pointer is set once and freed in `deinit` alone, and any thread may call every function
/// that takes it.
@safe final class DeviceHandle: @unchecked Sendable {
  /// The methods of mixing.
  enum Kind: Sendable {
    /// The library mixes for an output of the system.
    case output
    /// A thread of this package mixes by the clock, and discards the mix.
    case silent
    /// The program asks for the mix.
    case offline
  }

  let pointer: OpaquePointer
  let kind: Kind
  /// Whether sources go on after the loss of the output: the library has a placeholder device.
  let survivesLoss: Bool
  /// Whether a test has disabled the library's fades of sounds that stop.
  let lacksStopFades: Bool
  /// The rate of the mix, in hertz, that a context asks for while it is created; the largest number at other times.
  let pendingRate = Atomic(Int.max)

  init(opening name: String?, disabling features: DisabledFeatures = []) throws(AudioError) {
    let operation = "open an audio device"
    try Self.checkKnown(name, operation)
    unsafe pointer = try unsafe creatingPointer(
      operation,
      failure: { _ in (.deviceUnavailable, Self.refusal(of: name)) },
      { created in
        // The shim copies the name before it returns.
        unsafe s3d_device_open(name, features.shimValue, &created)
      }
    )
    (kind, lacksStopFades) = (.output, features.stopFades)
    survivesLoss = unsafe s3d_device_can_open_placeholder(pointer)
  }

  init(offlineDisabling features: DisabledFeatures) throws(AudioError) {
    unsafe pointer = try unsafe creatingPointer(
      "open an offline renderer",
      failure: Self.loopbackFailure,
      { created in unsafe s3d_device_open_loopback(features.shimValue, &created) }
    )
    (kind, survivesLoss, lacksStopFades) = (.offline, false, features.stopFades)
  }

  init(silentDisabling features: DisabledFeatures = []) throws(AudioError) {
    unsafe pointer = try unsafe creatingPointer(
      "open a silent device",
      failure: Self.loopbackFailure,
      { created in unsafe s3d_device_open_silent(features.shimValue, &created) }
    )
    (kind, survivesLoss, lacksStopFades) = (.silent, false, features.stopFades)
  }

  /// Another offline device, with the features of the first one.
  init(beside offline: DeviceHandle) throws(AudioError) {
    unsafe pointer = try unsafe creatingPointer(
      "open a stem of a mix",
      failure: Self.loopbackFailure,
      { created in unsafe s3d_device_open_beside(offline.pointer, &created) }
    )
    (kind, survivesLoss, lacksStopFades) = (.offline, false, offline.lacksStopFades)
  }

  private static func loopbackFailure(_ error: s3d_error) -> (code: AudioError.Code, message: String) {
    error == S3D_NOT_IN_LIBRARY
      ? (.notInLibrary, "the loaded OpenAL library has no loopback device. Use OpenAL Soft.")
      : (.deviceUnavailable, "the library refused a loopback device.")
  }

  deinit {
    unsafe s3d_device_close(pointer)
  }

  /// Restarts the device, which has contexts, with other settings and at least as many sends; `name` is its name in an
  /// error.
  func reset(_ settings: OutputSettings, leastSendLimit: Int, named name: String) throws(AudioError) {
    var asked = try s3d_settings(settings, on: self)
    asked.has_send_limit = false
    asked.least_send_limit = Int32(leastSendLimit)
    let error = unsafe s3d_device_reset(pointer, &asked)
    if error == S3D_OK { return }
    let (code, message): (AudioError.Code, String) =
      if error == S3D_NOT_IN_LIBRARY {
        (.notInLibrary, "the OpenAL library has no ALC_SOFT_HRTF. Pass the settings when you create a context.")
      } else if error == S3D_REFUSED {
        (.deviceUnavailable, "the device \"\(name)\" has no output now. Try again after the event deviceReturned.")
      } else {
        (.contextUnavailable, "the device \"\(name)\" refused. Ask for other settings.")
      }
    throw AudioError(code: code, operation: "change the settings of an audio device", message: message)
  }

  /// Throws where no output of the system has a name.
  static func checkKnown(_ name: String?, _ operation: String) throws(AudioError) {
    // The library takes an empty name, and some of its own, for the default output.
    guard let name, !outputNames.contains(name) else { return }
    throw AudioError(code: .deviceUnavailable, operation: operation, message: unknownName(name))
  }

  /// Whether this process is a forked child.
  ///
  /// A child may not touch its parent's devices, nor wait for threads that it lacks.
  var isInherited: Bool { unsafe s3d_device_is_inherited(pointer) }

  /// The system's name of the device.
  var name: String { unsafe takeName(s3d_device_copy_name(pointer)) ?? "" }

  var hrtfNames: [String] { unsafe takeNames(s3d_device_copy_hrtf_names(pointer)) }

  /// The name of the HRTF that is on.
  var hrtfName: String? { unsafe takeName(s3d_device_copy_hrtf_name(pointer)) }

  /// Whether a mix with HRTF may have the rate of its data set; the version of the library decides.
  var mayTakeRateOfHRTF: Bool { unsafe s3d_device_may_take_hrtf_rate(pointer) }

  /// Whether the output is connected.
  var isConnected: Bool { unsafe s3d_device_is_connected(pointer) }

  var canSuspend: Bool { unsafe s3d_device_can_suspend(pointer) }

  func suspend() { unsafe s3d_device_suspend(pointer, true) }

  func resume() { unsafe s3d_device_suspend(pointer, false) }

  /// Mixes the next frames of a silent device; returns how many, which are fewer if it is suspended meanwhile.
  func discard(frameCount: Int) -> Int { unsafe s3d_device_discard(pointer, frameCount) }

  /// Sets the clock of a loopback device to the clock of another one, between the mixes of both.
  func adoptClock(of other: DeviceHandle) { unsafe s3d_device_adopt_clock(pointer, other.pointer) }

  var sampleRate: Int { unsafe Int(s3d_device_sample_rate(pointer)) }

  /// The present output, as the shim reports it.
  var output: s3d_output { unsafe s3d_device_read_output(pointer) }

  static var outputNames: [String] { unsafe takeNames(s3d_copy_output_names()) }

  static var defaultOutputName: String? { unsafe takeName(s3d_copy_default_output_name()) }

  /// The system's name of an output, or of the default one; `nil` where it does not open.
  ///
  /// The call opens the output for a moment.
  static func openedName(of name: String?) -> String? {
    // The shim copies the name before it returns.
    unsafe takeName(s3d_copy_name_of_output(name))
  }

  /// The message about a listed output that would not open; it lists the outputs if there are several.
  static func refusal(of name: String?, among names: [String] = outputNames) -> String {
    let failed = name.map { "the output \"\($0)\" would not open" } ?? "the default output would not open"
    let advice = "Connect one or start the sound server; or use AudioDevice.silent or OfflineRenderer, which need none"
    return names.count > 1 ? "\(failed). \(advice). \(knownNames(names, of: "output"))" : "\(failed). \(advice)."
  }
}

extension AudioError {
  /// The error of a listed output that would not open.
  static func noOutput(named name: String?, _ operation: String) -> AudioError {
    AudioError(code: .deviceUnavailable, operation: operation, message: DeviceHandle.refusal(of: name))
  }
}

/// The message about a name that no output has.
private func unknownName(_ name: String) -> String {
  let shown = name.count > 100 ? "\(name.prefix(100))…" : name
  return "there is no output named \"\(shown)\". \(knownNames(DeviceHandle.outputNames, of: "output"))"
}
