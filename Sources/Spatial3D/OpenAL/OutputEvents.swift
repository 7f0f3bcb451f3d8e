internal import AudioSupport
internal import CSpatial3DShim

/// The library's events about outputs that are added, are removed, or become the default.
enum OutputEvents {
  /// Lets the library signal a semaphore at each event; returns `false` where the library has no such events.
  ///
  /// Call this once per process, and never release the semaphore.
  static func signal(_ semaphore: Semaphore) -> Bool { unsafe s3d_subscribe_to_output_events(semaphore.pointer) }

  /// The time of the last event, on the monotonic clock; `nil` before the first.
  static var lastTime: Int64? {
    let time = s3d_time_of_last_output_event()
    return time == 0 ? nil : time
  }
}
