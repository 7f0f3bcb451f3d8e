internal import Synchronization

/// A value that one thread at a time may use.
///
/// A `Mutex` with a hand-over that is visible to the thread sanitizer. A thread that had to wait for a `Mutex` gets it
/// from the kernel, which the sanitizer does not observe. The two atomic accesses are plain loads and stores on common
/// processors.
///
/// `Spatial3D` has a `Lock` of its own. The two libraries share nothing but `PCM`, all of which is public. A separate
/// module for these lines would add a call to every property, because the call is not inlined across modules.
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
