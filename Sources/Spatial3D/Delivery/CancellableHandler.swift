internal import AudioSupport

/// A closure that a context calls until it is cancelled.
final class CancellableHandler<Argument>: Sendable {
  private let handler: Lock<Handler?>

  /// The struct avoids one more wrapper each time that the lock returns the closure.
  private struct Handler: Sendable {
    let call: @Sendable (Argument) -> Void
  }

  init(_ call: @escaping @Sendable (Argument) -> Void) {
    handler = Lock(Handler(call: call))
  }

  func call(_ argument: Argument) {
    let handler = handler.withLock { $0 }
    handler?.call(argument)
  }

  func cancel() {
    var gone: Handler?
    handler.withLock { swap(&$0, &gone) }
    // The captures of the closure are released here, without a lock.
    withExtendedLifetime(gone) {}
  }
}
