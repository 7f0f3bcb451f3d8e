import Synchronization

/// A value behind a mutex.
///
/// The atomic accesses show the thread sanitizer the hand-over of the mutex, which it does not follow through the
/// kernel. The fuzzer is a package of its own, and `AudioSupport` is no product: it cannot use the lock there.
package struct Lock<Value: ~Copyable>: ~Copyable {
  private let mutex: Mutex<Value>
  private let handover = Atomic(false)

  package init(_ value: consuming sending Value) {
    mutex = Mutex(value)
  }

  /// Runs a closure with the value while no other thread has access.
  package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { value throws(Failure) in
      _ = handover.load(ordering: .acquiring)
      defer { handover.store(true, ordering: .releasing) }
      return try body(&value)
    }
  }
}
