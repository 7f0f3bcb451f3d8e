/// Detects a changed default output and the removal of an output, for all devices on outputs.
///
/// With system events, its thread sleeps until one comes; otherwise it polls at a low rate.
final class OutputWatch: Sendable {
  static let all = OutputWatch()

  private final class Reference: Sendable {
    weak let device: AudioDevice?
    init(_ device: AudioDevice) { self.device = device }
  }

  private struct State: Sendable {
    var devices: [Reference] = []
    var isRunning = false
    var trust = OutputTrust()
  }

  /// The library's way of reporting changes.
  var hearing: OutputHearing { state.withLock { $0.trust.hearing } }

  private let state = Lock(State())
  private let bell = Bell()

  /// Polls for a device from now on, for as long as it lives.
  func watch(_ device: AudioDevice) {
    let reference = Reference(device)
    let isFirst = state.withLock { state in
      state.devices.append(reference)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isFirst, !startThread({ self.work() }) { state.withLock { $0.isRunning = false } }
    bell.ring()
  }

  /// Polls at once.
  func look() { bell.ring() }

  /// Stops trusting events after the loss of an output, because the server that sends them may be lost too.
  func doubt() {
    state.withLock { $0.trust.doubt(at: monotonicTime()) }
    bell.ring()
  }

  private func work() {
    // The library may keep the signal: it is never released.
    if bell.ringsForOutputs() { state.withLock { $0.trust.begin() } }
    var pace = OutputPace()
    while true {
      let references = state.withLock { $0.devices }
      // A device on an output proves that the server is there.
      if let time = Bell.outputsRang, references.contains(where: { $0.device?.isOnOutput == true }) {
        state.withLock { $0.trust.hear(at: time) }
      }
      let hearing = hearing
      var look = OutputLook(hearing)
      let start = monotonicTime()
      var gone: Set<ObjectIdentifier> = []
      var isNeeded = false
      for reference in references {
        // The device is retained for one poll, no longer.
        if let isAsked = reference.device?.look(&look) {
          isNeeded = isNeeded || isAsked
        } else {
          gone.insert(ObjectIdentifier(reference))
        }
      }
      state.withLock { state in state.devices.removeAll { gone.contains(ObjectIdentifier($0)) } }
      let wait = pace.next(afterLookOf: monotonicTime() - start, hasFailed: look.hasFailed)
      bell.wait(atMost: isNeeded ? wait : nil)
    }
  }
}
