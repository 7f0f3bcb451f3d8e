internal import CSpatial3DShim

/// A signal that one thread waits for and any thread sends, also a thread of the library; it takes no lock.
///
/// It is `Sendable` because the pointer is set once and freed in `deinit` alone. A waiting thread retains the signal,
/// so that no thread waits by then.
@safe final class Bell: @unchecked Sendable {
  let pointer: OpaquePointer

  init() {
    // A semaphore takes a few bytes; a program that cannot get them cannot go on.
    guard let bell = unsafe s3d_semaphore_create() else { fatalError("There is no memory for a semaphore.") }
    unsafe pointer = bell
  }

  deinit {
    unsafe s3d_semaphore_destroy(pointer)
  }

  func ring() { unsafe s3d_semaphore_signal(pointer) }

  /// Waits for the signal, at most for a time, or for ever.
  ///
  /// All signals since the last wait count as one.
  func wait(atMost nanoseconds: Int64? = nil) {
    _ = unsafe s3d_semaphore_wait(pointer, nanoseconds.map { max($0, 0) } ?? -1)
  }

  /// Subscribes the signal to outputs that come, go, or become the default; `false` where the library does not report
  /// them.
  ///
  /// Call this once per process, and never release the signal.
  func ringsForOutputs() -> Bool { unsafe s3d_subscribe_to_output_events(pointer) }

  /// The time of the library's last signal about outputs, on the monotonic clock.
  static var outputsRang: Int64? {
    let time = s3d_time_of_last_output_event()
    return time == 0 ? nil : time
  }

  /// Waits as one of several threads: each signal wakes one of them.
  func waitForOne() { unsafe s3d_semaphore_take(pointer) }
}

/// Nanoseconds since an arbitrary start.
func monotonicTime() -> Int64 { s3d_monotonic_time() }

/// A number that is different for each running thread.
func thisThread() -> UInt { s3d_this_thread() }

/// Runs a closure on a thread of its own; returns `false` where the system starts none.
func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  final class Start: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  // The thread releases it; this function does if there is no thread.
  let start = unsafe Unmanaged.passRetained(Start(body))
  let isStarted = unsafe s3d_thread_start(
    { argument in
      // The shim passes the argument on unchanged, once.
      guard let argument = unsafe argument else { return }
      unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
    },
    start.toOpaque()
  )
  if !isStarted { unsafe start.release() }
  return isStarted
}
