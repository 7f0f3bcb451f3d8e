internal import CSpatial3DSupport

/// A signal that one thread waits for and any thread sends, also a thread of a C library; it takes no lock.
///
/// It is `Sendable` because the pointer is set once and freed in `deinit` alone, and any thread may call every function
/// with it. A waiting thread retains the semaphore, so that no thread waits by then.
@safe package final class Semaphore: @unchecked Sendable {
  /// The `s3d_semaphore` for C code that signals; valid for as long as this object.
  package let pointer: OpaquePointer

  package init() {
    // A semaphore takes a few bytes; a program that cannot get them cannot go on.
    guard let semaphore = unsafe s3d_semaphore_create() else { fatalError("There is no memory for a semaphore.") }
    unsafe pointer = semaphore
  }

  deinit {
    unsafe s3d_semaphore_destroy(pointer)
  }

  /// Wakes the thread that waits, or lets its next wait return at once.
  package func signal() { unsafe s3d_semaphore_signal(pointer) }

  /// Waits for a signal, for at most a time, or without a limit.
  ///
  /// All signals since the last wait count as one.
  package func wait(atMost nanoseconds: Int64? = nil) {
    _ = unsafe s3d_semaphore_wait(pointer, nanoseconds.map { max($0, 0) } ?? -1)
  }

  /// Waits as one of several threads: each signal wakes one of them.
  package func waitForOne() { unsafe s3d_semaphore_take(pointer) }
}
