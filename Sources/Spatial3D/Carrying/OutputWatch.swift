/// Sees whether another output has become the default, for all devices that follow it.
///
/// Where the library tells, its thread sleeps until then; else it asks at a calm rate, and not while no device was told to follow.
final class OutputWatch: Sendable {
  static let all = OutputWatch()

  /// Nanoseconds between two questions to a library that does not tell.
  private static let period: Int64 = 2_000_000_000

  private final class Reference: Sendable {
    weak let device: AudioDevice?
    init(_ device: AudioDevice) { self.device = device }
  }

  private struct State: Sendable {
    var devices: [Reference] = []
    var isRunning = false
    var isTold = false
  }

  /// Whether the library tells.
  var isTold: Bool { state.withLock { $0.isTold } }

  private let state = Lock(State())
  private let bell = Bell()

  /// Looks after a device from now on, for as long as it lives and follows.
  func watch(_ device: AudioDevice) {
    let devices = state.withLock { $0.devices }
    guard !devices.contains(where: { $0.device === device }) else { return }
    let reference = Reference(device)
    let isFirst = state.withLock { state in
      state.devices.append(reference)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isFirst, !startThread({ self.work() }) { state.withLock { $0.isRunning = false } }
    bell.ring()
  }

  private func work() {
    // The bell is never let go of.
    let isTold = bell.ringsForOutputs()
    state.withLock { $0.isTold = isTold }
    while true {
      let devices = state.withLock { $0.devices }
      let idle = devices.filter { $0.device.map { !$0.follows(whereTold: isTold) } ?? true }
      state.withLock { state in state.devices.removeAll { device in idle.contains { $0 === device } } }
      let isNeeded = devices.count > idle.count
      bell.wait(atMost: isTold || !isNeeded ? nil : Self.period)
      if isNeeded { look() }
    }
  }

  /// Has those look for their output that are not on the default one.
  private func look() {
    let references = state.withLock { $0.devices }
    let name = AudioDevice.defaultOutputName
    for reference in references {
      // Held for no longer than it takes to look.
      guard let device = reference.device, !device.handle.isStandIn else { continue }
      if device.outputChoice.withLock({ $0.knownDefault != name }) { device.keep() }
    }
  }
}
