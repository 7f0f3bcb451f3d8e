public import Synchronization

/// A value that one thread at a time may use.
///
/// The lock is a `Mutex` with a hand-over that the thread sanitizer detects. A waiting thread gets a `Mutex` from the
/// kernel, which the sanitizer does not observe. The two atomic accesses are plain loads and stores on common
/// processors. Other modules inline the call, because each property of a source takes a lock.
@frozen @usableFromInline
package struct Lock<Value: ~Copyable>: ~Copyable {
  @usableFromInline let mutex: Mutex<Value>
  @usableFromInline let handover = Atomic(false)

  @inlinable
  package init(_ value: consuming sending Value) {
    mutex = Mutex(value)
  }

  /// Runs a closure with the value while no other thread uses it.
  @inlinable @inline(__always)
  package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { value throws(Failure) in
      _ = handover.load(ordering: .acquiring)
      defer { handover.store(true, ordering: .releasing) }
      return try body(&value)
    }
  }

  /// Ends the use of a copy that this thread has read without the lock, before its last reference goes.
  ///
  /// A thread that changes the value afterwards finds arrays that nobody shares, and writes to them without a copy. The
  /// reference counts order that write behind the reads of the copy, which the sanitizer does not observe. A thread
  /// that has the lock before this call still shares the arrays, and writes to a copy.
  package borrowing func endCopy() { withLock { _ in } }
}
