internal import Synchronization

/// A value that one thread at a time may use.
///
/// A `Mutex` whose hand-over the thread sanitizer sees too: threads that had to wait for one get it from the kernel, behind
/// the sanitizer's back. The two atomic accesses are plain loads and stores on common processors.
///
/// `Spatial3D` has one like it: the two libraries share nothing but `PCM`, all of which is public, and a module of their own for these
/// lines would put a call that is not inlined on the way of every property.
struct Lock<Value: ~Copyable>: ~Copyable {
  private let mutex: Mutex<Value>
  private let handover = Atomic(false)

  init(_ value: consuming sending Value) {
    mutex = Mutex(value)
  }

  /// Runs a closure with the value while no other thread uses it.
  @inline(__always)
  borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { value throws(Failure) in
      _ = handover.load(ordering: .acquiring)
      defer { handover.store(true, ordering: .releasing) }
      return try body(&value)
    }
  }
}
