internal import AudioSupport

/// A closure that a context calls with each diagnostic, until it is cancelled.
final class DiagnosticObserver: Sendable {
  private let handler: Lock<Handler?>

  /// The struct avoids one more wrapper each time that the lock returns the closure.
  private struct Handler: Sendable {
    let call: @Sendable (Diagnostic) -> Void
  }

  init(_ call: @escaping @Sendable (Diagnostic) -> Void) {
    handler = Lock(Handler(call: call))
  }

  func report(_ diagnostic: Diagnostic) {
    let handler = handler.withLock { $0 }
    handler?.call(diagnostic)
  }

  func cancel() {
    var gone: Handler?
    handler.withLock { swap(&$0, &gone) }
    // The captures of the closure are released here, without a lock.
    withExtendedLifetime(gone) {}
  }
}
