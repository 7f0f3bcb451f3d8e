internal import AudioSupport

/// Detects a changed default output and the removal of an output, for all devices on outputs.
///
/// With system events, its thread sleeps until one comes; otherwise it polls at a low rate.
final class OutputMonitor: Sendable {
  static let all = OutputMonitor()

  private struct State: Sendable {
    var devices: [Weak<AudioDevice>] = []
    var isRunning = false
    var trust = EventReliability()
  }

  /// The library's way of reporting changes.
  var eventSource: OutputEventSource { state.withLock { $0.trust.eventSource } }

  private let state = Lock(State())
  private let semaphore = Semaphore()

  /// Polls for a device from now on, for as long as it lives.
  func add(_ device: AudioDevice) {
    let reference = Weak(device)
    let isFirst = state.withLock { state in
      state.devices.append(reference)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isFirst, !startThread({ self.work() }) { state.withLock { $0.isRunning = false } }
    semaphore.signal()
  }

  /// Polls at once.
  func poll() { semaphore.signal() }

  /// Stops trusting events after the loss of an output, because the server that sends them may be lost too.
  func doubt() {
    state.withLock { $0.trust.doubt(at: monotonicTime()) }
    semaphore.signal()
  }

  private func work() {
    // The library may keep the signal: it is never released.
    if OutputEvents.signal(semaphore) { state.withLock { $0.trust.begin() } }
    var pace = PollInterval()
    while true {
      let references = state.withLock { $0.devices }
      // A device on an output proves that the server is there.
      if let time = OutputEvents.lastTime, references.contains(where: { $0.object?.isOnOutput == true }) {
        state.withLock { $0.trust.adoptEvent(at: time) }
      }
      let eventSource = eventSource
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
      state.withLock { state in state.devices.removeAll { gone.contains(ObjectIdentifier($0)) } }
      let wait = pace.next(afterLookOf: monotonicTime() - start, hasFailed: probe.hasFailed)
      semaphore.wait(atMost: isNeeded ? wait : nil)
    }
  }
}
