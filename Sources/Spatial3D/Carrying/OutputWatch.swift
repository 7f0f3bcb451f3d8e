/// Sees whether another output has become the default, and whether one was taken away, for all devices on outputs.
///
/// Where the library tells, its thread sleeps until then; else it asks at a calm rate.
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

  /// How the library tells.
  var hearing: OutputHearing { state.withLock { $0.trust.hearing } }

  private let state = Lock(State())
  private let bell = Bell()

  /// Looks after a device from now on, for as long as it lives.
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

  /// Looks at once.
  func look() { bell.ring() }

  /// An output was lost, and perhaps its server with it, who has told the library of all others.
  func doubt() {
    state.withLock { $0.trust.doubt(at: monotonicTime()) }
    bell.ring()
  }

  private func work() {
    // The bell is never let go of.
    if bell.ringsForOutputs() { state.withLock { $0.trust.begin() } }
    var pace = OutputPace()
    while true {
      let references = state.withLock { $0.devices }
      // Who is on an output knows whether the server is there.
      if let time = Bell.outputsRang, references.contains(where: { $0.device?.isOnOutput == true }) {
        state.withLock { $0.trust.hear(at: time) }
      }
      let hearing = hearing
      var look = OutputLook(hearing)
      let start = monotonicTime()
      var gone: Set<ObjectIdentifier> = []
      var isNeeded = false
      for reference in references {
        // Held for no longer than it takes to look.
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
