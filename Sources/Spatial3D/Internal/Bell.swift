internal import CSpatial3DShim

/// What one thread waits for and any thread rings, the library's too; it takes no lock.
///
/// The pointer is set once and freed in `deinit` alone, when nobody waits any more, as waiting holds the bell: that is why it
/// is `Sendable`.
@safe final class Bell: @unchecked Sendable {
  let pointer: OpaquePointer

  init() {
    // A few bytes; where there are none, nothing of a program goes on.
    guard let bell = unsafe s3d_semaphore_create() else { fatalError("There is no memory for a semaphore.") }
    unsafe pointer = bell
  }

  deinit {
    unsafe s3d_semaphore_destroy(pointer)
  }

  func ring() { unsafe s3d_semaphore_signal(pointer) }

  /// Waits for a ring, at most for a time, or for ever.
  ///
  /// All rings since the last wait are one.
  func wait(atMost nanoseconds: Int64? = nil) {
    _ = unsafe s3d_semaphore_wait(pointer, nanoseconds.map { max($0, 0) } ?? -1)
  }

  /// Has the library ring when outputs come, go, or become the default; `false` where it does not tell.
  ///
  /// Once for a process. The bell is to be kept for ever.
  func ringsForOutputs() -> Bool { unsafe s3d_subscribe_to_output_events(pointer) }

  /// When the library rang for outputs last, on the monotonic clock.
  static var outputsRang: Int64? {
    let time = s3d_time_of_last_output_event()
    return time == 0 ? nil : time
  }

  /// The same for one of several waiters: each ring wakes one of them.
  func waitForOne() { unsafe s3d_semaphore_take(pointer) }
}

/// Nanoseconds since some moment.
func monotonicTime() -> Int64 { s3d_monotonic_time() }

/// What tells the calling thread from the others that there are.
func thisThread() -> UInt { s3d_this_thread() }

/// Runs a closure on a thread of its own; `false` where there is none to be had.
func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  final class Start: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  // Retained for the thread, which releases it; or here where there is none.
  let start = unsafe Unmanaged.passRetained(Start(body))
  let isStarted = unsafe s3d_thread_start(
    { argument in
      // The shim hands over the argument as it got it, once.
      guard let argument = unsafe argument else { return }
      unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
    },
    start.toOpaque()
  )
  if !isStarted { unsafe start.release() }
  return isStarted
}
