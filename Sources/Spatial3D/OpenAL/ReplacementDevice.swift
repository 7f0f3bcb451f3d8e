internal import CSpatial3DShim

/// A device of the library that can replace another, or that was replaced; closes it.
///
/// The pointer is set once and freed in `deinit` alone.
@safe struct ReplacementDevice: ~Copyable {
  fileprivate let pointer: OpaquePointer
  /// The system's name of the device; `nil` of a placeholder.
  let name: String?
  /// The name that the device was opened by; `nil` of the default output.
  let openedName: String?

  /// Another output for a device: by name, or the default one.
  ///
  /// Opening may take long. Call this without a lock.
  init?(for device: DeviceHandle, named name: String?) {
    var next: OpaquePointer?
    // The shim copies the name before it returns.
    guard unsafe s3d_replacement_open(device.pointer, name, &next) == S3D_OK, let next = unsafe next else { return nil }
    unsafe pointer = unsafe next
    openedName = name
    self.name = unsafe takeName(s3d_replacement_copy_name(next)) ?? ""
  }

  /// An inaudible placeholder for an output; another loopback device for an offline device.
  init?(placeholderFor device: DeviceHandle) {
    var next: OpaquePointer?
    guard unsafe s3d_replacement_open_loopback(device.pointer, &next) == S3D_OK, let next = unsafe next else {
      return nil
    }
    unsafe pointer = unsafe next
    (name, openedName) = (nil, nil)
  }

  deinit {
    unsafe s3d_replacement_close(pointer)
  }
}

extension DeviceHandle {
  /// Whether a placeholder has replaced the output.
  var isPlaceholder: Bool { unsafe s3d_device_is_placeholder(pointer) }

  /// Takes the output as lost until it is replaced.
  func setStalled() { unsafe s3d_device_set_stalled(pointer) }

  /// Stops time on an output; call this without a lock, because it may wait for a server.
  func stopTime() { unsafe s3d_device_pause_output(pointer) }

  /// Stops time, and blocks all calls without a context's lock; the caller holds the locks of all contexts.
  func beginReplacement() { unsafe s3d_device_begin_replacement(pointer) }

  /// The result of a replacement.
  enum Outcome {
    case done
    /// A context came or went meanwhile; the device is unchanged.
    case changed
    /// The library refused; the device is unchanged.
    case refused
  }

  /// Replaces the library's device, if it has no more contexts than the caller has locked.
  func replace(with next: borrowing ReplacementDevice, contexts count: Int) -> Outcome {
    let error = unsafe s3d_device_replace(pointer, next.pointer, UInt32(count))
    if error == S3D_OK { return .done }
    return error == S3D_CHANGED ? .changed : .refused
  }

  /// Lets the clock go on from an earlier time, during a replacement; nothing where the library has no clock.
  func setClockBack(by nanoseconds: Int64) { unsafe s3d_device_set_clock_back(pointer, nanoseconds) }

  /// Resumes time, on a placeholder only if `keepsTime` is set.
  func resumeAfterReplacement(keepsTime: Bool) { unsafe s3d_device_resume_after_replacement(pointer, keepsTime) }

  /// Resumes or stops time on a placeholder.
  func keepTime(_ keepsTime: Bool) { unsafe s3d_device_run_placeholder_clock(pointer, keepsTime) }

  func endReplacement() { unsafe s3d_device_end_replacement(pointer) }

  /// Moves the device with all its objects to another output; returns whether it opened, `nil` where the library cannot
  /// reopen devices.
  func reopen(named name: String?) -> Bool? {
    // The shim copies the name before it returns.
    let error = unsafe s3d_device_reopen(pointer, name)
    return error == S3D_NOT_IN_LIBRARY ? nil : error == S3D_OK
  }
}
