internal import AudioSupport

/// The closure of ``AudioContext/onDiagnostic``.
///
/// The struct avoids one more wrapper each time that the lock returns the closure.
struct DiagnosticHandler: Sendable {
  var call: (@Sendable (Diagnostic) -> Void)?
}

extension AudioContext {
  /// The game's handler of each ``Diagnostic``; `nil`, the default, writes them to standard error.
  ///
  /// A tool beside the game uses ``observeDiagnostics(_:)``. The context calls the handler on the thread of the cause,
  /// which may be any, and without a lock held. A handler that holds its context, or a source of it, keeps both alive.
  public var onDiagnostic: (@Sendable (Diagnostic) -> Void)? {
    get { diagnosticHandler.withLock { $0 }.call }
    set {
      // The old handler is released after the lock, because what it held may report in turn.
      var handler = DiagnosticHandler(call: newValue)
      diagnosticHandler.withLock { swap(&$0, &handler) }
    }
  }

  /// Calls a closure with each diagnostic from now on, until the token is released.
  ///
  /// It is for tools beside the game, such as a console: the game's own handler is ``onDiagnostic``. The closure is
  /// called after that handler, on the thread of the cause, without a lock held. Without a handler the context also
  /// writes the diagnostic to standard error.
  public func observeDiagnostics(_ handler: @escaping @Sendable (Diagnostic) -> Void) -> NotificationToken {
    let handler = CancellableHandler(handler)
    diagnosticObservers.withLock { $0.append(handler) }
    return NotificationToken(in: self) { context in
      context?.diagnosticObservers.withLock { $0.removeAll { $0 === handler } }
      handler.cancel()
    }
  }

  /// Reports that a sound is not audible from its source's position, once for each sound.
  func report(unplaced sound: MultichannelWarning) {
    if sound.takeFirstReport() { report(.notPlaced(sound)) }
  }

  package func report(_ diagnostic: Diagnostic) {
    if let handler = onDiagnostic {
      handler(diagnostic)
    } else {
      logToStandardError("Spatial3D: \(diagnostic)")
    }
    for observer in diagnosticObservers.withLock({ $0 }) { observer.call(diagnostic) }
  }

  func report(unusable listener: Listener, _ parts: ListenerProperties) {
    let told: [(ListenerProperties, String, String)] = [
      (.position, "position", listener.position.inWords),
      (.velocity, "velocity", listener.velocity.inWords),
      (.orientation, "orientation", "a forward direction without a finite length"),
      (.gain, "gain", listener.gain.inWords),
    ]
    for (part, name, value) in told where parts.contains(part) {
      report(.unusable(name, of: "the listener", value: value))
    }
  }
}
