/// Waits for a value that another thread delivers, once.
///
/// The continuation orders the two threads, which the thread sanitizer does not observe. It observes the lock.
///
/// - Parameter begin: Starts the work, with the closure that delivers its value.
/// - Returns: The value.
package func receive<Value: Sendable>(_ begin: (@escaping @Sendable (Value) -> Void) -> Void) async -> Value {
  let delivery = Delivery<Value>()
  await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
    begin { value in
      delivery.value.withLock { $0 = value }
      continuation.resume()
    }
  }
  // Never called: the closure stores the value before it resumes the continuation, and a second call of the closure
  // traps at the continuation.
  guard let value = delivery.value.withLock({ $0.take() }) else { fatalError("There is no value behind its delivery.") }
  return value
}

/// The value of one delivery, made by the receiver.
private final class Delivery<Value: Sendable>: Sendable {
  let value = Lock<Value?>(nil)
}
