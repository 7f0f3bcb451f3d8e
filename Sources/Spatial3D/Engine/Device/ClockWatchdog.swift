internal import AudioSupport

/// Takes outputs as lost that stand still.
///
/// It has a thread of its own, because it opens an output to confirm a loss: that may wait for a server that is stopped.
final class ClockWatchdog: Sendable {
  static let all = ClockWatchdog()

  private struct Watched: Sendable {
    let device: Weak<AudioDevice>
    var watch = ClockWatch()
  }

  private let devices = Lock<[Watched]>([])
  private let loop = BackgroundLoop()

  /// Watches a device for as long as it lives.
  func add(_ device: AudioDevice) {
    let watched = Watched(device: Weak(device))
    devices.withLock { $0.append(watched) }
    loop.begin { self.look() }
  }

  private func look() -> BackgroundLoop.Next {
    for reference in devices.withLock({ $0.map(\.device) }) {
      guard let device = reference.object else {
        devices.withLock { $0.removeAll { $0.device === reference } }
        continue
      }
      let (clock, now) = (device.runningClock, monotonicTime())
      let step = devices.withLock { devices in
        guard let index = devices.firstIndex(where: { $0.device === reference }) else { return ClockWatch.Step.none }
        return devices[index].watch.step(at: clock, now: now)
      }
      guard let clock, step != .none else { continue }
      // A server that is stopped answers once it continues. One that is gone refuses at once.
      let answers = DeviceHandle.openedName(of: nil) != nil
      if step == .leave || !answers { device.leave(standingAt: clock) }
    }
    return devices.withLock { $0.isEmpty } ? .end : .after(ClockWatch.period)
  }
}

extension AudioDevice {
  /// The clock of an output that mixes; `nil` while nothing makes it go on.
  fileprivate var runningClock: Int64? {
    guard isOnOutput, !isSuspended, let context = livingContexts.first else { return nil }
    return context.handle.clock
  }

  /// Takes the output as lost, unless its clock goes on after all.
  fileprivate func leave(standingAt clock: Int64) {
    for _ in 0..<10 {
      guard runningClock == clock else { return }
      Semaphore().wait(atMost: 50_000_000)
    }
    takeStalledOutputAsLost()
  }

  /// Takes the output as lost if it stands still and no output opens: the library would wait without end where it reopens
  /// such a device.
  ///
  /// Waits for a few mixes.
  func checkClock() {
    guard let clock = runningClock else { return }
    for _ in 0..<40 {
      if runningClock != clock { return }
      Semaphore().wait(atMost: 5_000_000)
    }
    if DeviceHandle.openedName(of: nil) == nil { handle.setStalled() }
  }
}
