internal import AudioSupport

/// Detects a changed default output and the removal of an output, for all devices on outputs.
///
/// With system events, its thread sleeps until one comes; otherwise it polls at a low rate.
final class OutputMonitor: Sendable {
  static let all = OutputMonitor()

  private struct State: Sendable {
    var devices: [Weak<AudioDevice>] = []
    var trust = EventReliability()
    var pace = PollInterval()
    var hasRequestedEvents = false
  }

  /// The library's method of reporting changes.
  var eventSource: OutputEventSource { state.withLock { $0.trust.eventSource } }

  private let state = Lock(State())
  private let loop = BackgroundLoop()

  /// Polls for a device from now on, for as long as it lives.
  func add(_ device: AudioDevice) {
    let reference = Weak(device)
    state.withLock { $0.devices.append(reference) }
    loop.begin(wakes: true) { self.pollOnce() }
  }

  /// Polls at once.
  func poll() { loop.signal() }

  /// Stops trusting events after the loss of an output, because the server that sends them may be lost too.
  func doubt() {
    state.withLock { $0.trust.doubt(at: monotonicTime()) }
    loop.signal()
  }

  private func pollOnce() -> BackgroundLoop.Next {
    let references = state.withLock { $0.devices }
    // A poll of a server that hangs would wait, and all calls of the library with it.
    guard !references.contains(where: { $0.object?.serverAnswer() == .hangs }) else { return .after(Backoff.longest) }
    requestEvents()
    // A device on an output proves that the server is there.
    if let time = OutputEvents.lastTime, references.contains(where: { $0.object?.isOnOutput == true }) {
      state.withLock { $0.trust.adoptEvent(at: time) }
    }
    var probe = OutputProbe(eventSource)
    let start = monotonicTime()
    var gone: Set<ObjectIdentifier> = []
    var isNeeded = false
    for reference in references {
      // The device is retained for one poll, no longer.
      if let isAsked = reference.object?.poll(&probe) {
        isNeeded = isNeeded || isAsked
      } else {
        gone.insert(ObjectIdentifier(reference))
      }
    }
    let wait = state.withLock { state in
      state.devices.removeAll { gone.contains(ObjectIdentifier($0)) }
      return state.pace.next(afterPollOf: monotonicTime() - start, hasFailed: probe.hasFailed)
    }
    return isNeeded ? .after(wait) : .onSignal
  }

  /// Requests the system's events, once.
  private func requestEvents() {
    let isFirst = state.withLock { state in
      defer { state.hasRequestedEvents = true }
      return !state.hasRequestedEvents
    }
    // The library may keep the semaphore: the monitor is never released.
    if isFirst, OutputEvents.signal(loop.semaphore) { state.withLock { $0.trust.begin() } }
  }
}
