internal import CSpatial3DShim

/// A device of the library that could take the place of another's, or that was in it before; closes it.
///
/// The pointer is set once and freed in `deinit` alone.
@safe struct NextOutput: ~Copyable {
  fileprivate let pointer: OpaquePointer
  /// What the system calls it; `nil` of a stand-in.
  let name: String?
  /// What it was opened by; `nil` of the default output.
  let openedName: String?

  /// Another output for a device: by name, or the default one.
  ///
  /// May take long. Called without a lock.
  init?(for device: borrowing DeviceHandle, named name: String?) {
    var next: OpaquePointer?
    let error: s3d_error
    // The shim copies the name before it returns.
    if let name {
      error = unsafe name.withCString { unsafe s3d_replacement_open(device.pointer, $0, &next) }
    } else {
      error = unsafe s3d_replacement_open(device.pointer, nil, &next)
    }
    guard error == S3D_OK, let next = unsafe next else { return nil }
    unsafe pointer = unsafe next
    openedName = name
    self.name = unsafe takeName(s3d_replacement_copy_name(next)) ?? ""
  }

  /// A stand-in for an output, which nobody hears; of an offline device, another.
  init?(standingInFor device: borrowing DeviceHandle) {
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
  /// Whether a stand-in is in the output's place.
  var isStandIn: Bool { unsafe s3d_device_is_placeholder(pointer) }

  /// Stops time on an output; without a lock, as that may wait for a server.
  func stopTime() { unsafe s3d_device_pause_output(pointer) }

  /// Stops time for good, and has all wait that need no context's lock; by who has all of those.
  func beginSwap() { unsafe s3d_device_begin_replacement(pointer) }

  /// What came of a swap.
  enum Swap {
    case done
    /// A context came or went meanwhile; nothing happened.
    case changed
    /// The library could not; nothing happened.
    case refused
  }

  /// Puts another device of the library in place, if the device has no more contexts than those whose locks are held.
  func swap(with next: borrowing NextOutput, contextCount: Int) -> Swap {
    let error = unsafe s3d_device_replace(pointer, next.pointer, UInt32(contextCount))
    if error == S3D_OK { return .done }
    return error == S3D_CHANGED ? .changed : .refused
  }

  /// Lets time go on, also on a stand-in where it keeps time.
  func resumeAfterSwap(keepsTime: Bool) { unsafe s3d_device_resume_after_replacement(pointer, keepsTime) }

  /// Lets time go on on a stand-in, or stops it.
  func keepTime(_ keepsTime: Bool) { unsafe s3d_device_run_placeholder_clock(pointer, keepsTime) }

  func endSwap() { unsafe s3d_device_end_replacement(pointer) }

  /// Goes to another output with everything in place; `nil` where the library cannot, and else whether it did.
  func reopen(named name: String?) -> Bool? {
    let error: s3d_error
    // The shim copies the name before it returns.
    if let name {
      error = unsafe name.withCString { unsafe s3d_device_reopen(pointer, $0) }
    } else {
      error = unsafe s3d_device_reopen(pointer, nil)
    }
    return error == S3D_NOT_IN_LIBRARY ? nil : error == S3D_OK
  }
}

extension ContextHandle {
  /// Whether sources stay as they are when the device goes, so that they can be read afterwards.
  var holdsSources: Bool { unsafe s3d_context_keeps_sources_on_disconnect(pointer) }

  /// Moves a source to a place between two frames, in 1 / 2^32 of one.
  func seek(_ id: UInt32, toFixed fixedFrame: Int64) {
    unsafe s3d_source_seek_exactly(pointer, s3d_source(id: id), fixedFrame)
  }

  /// Has a source seem silent until its gain is handed over again.
  func silence(_ id: UInt32) { unsafe s3d_source_set_gain(pointer, s3d_source(id: id), 0) }
}
