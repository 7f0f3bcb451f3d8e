internal import AudioSupport
internal import Synchronization

/// Takes outputs as lost that stand still while a source plays, and opens outputs again that run at a wrong rate.
///
/// It has a thread of its own, because it opens an output to confirm a loss: that may wait for a server that is stopped.
/// The thread ends while no source plays, so that an idle game wakes no thread.
final class ClockWatchdog: Sendable {
  static let all = ClockWatchdog()

  private struct Watched: Sendable {
    let device: Weak<AudioDevice>
    var watch = ClockWatch()
    var rate = ClockRate()
  }

  private let devices = Lock<[Watched]>([])
  private let loop = BackgroundLoop()
  private let isWatching = Atomic(false)

  /// Watches a device for as long as it lives.
  func add(_ device: AudioDevice) {
    let watched = Watched(device: Weak(device))
    devices.withLock { $0.append(watched) }
  }

  /// Starts the thread ahead of a start of a source, under the lock of its context.
  func begin() {
    guard !isWatching.load(ordering: .sequentiallyConsistent) else { return }
    loop.begin { self.look() }
  }

  private func look() -> BackgroundLoop.Next {
    // A source that starts from here on either finds this false and asks for another look, or is found to play below:
    // the look takes the lock under which the source starts.
    isWatching.store(false, ordering: .sequentiallyConsistent)
    var isNeeded = false
    for reference in devices.withLock({ $0.map(\.device) }) {
      guard let device = reference.object else {
        devices.withLock { $0.removeAll { $0.device === reference } }
        continue
      }
      guard device.hasPlayingSource else { continue }
      isNeeded = true
      look(at: device, reference)
    }
    guard isNeeded else { return .end }
    isWatching.store(true, ordering: .sequentiallyConsistent)
    return .after(ClockWatch.period)
  }

  private func look(at device: AudioDevice, _ reference: Weak<AudioDevice>) {
    let (clock, now) = (device.runningClock, monotonicTime())
    let (step, rate) = devices.withLock { devices -> (ClockWatch.Step, Double?) in
      guard let index = devices.firstIndex(where: { $0.device === reference }) else { return (.none, nil) }
      return (devices[index].watch.step(at: clock, now: now), devices[index].rate.step(at: clock, now: now))
    }
    if let rate { device.reopen(runningAt: rate) }
    guard let clock, step != .none else { return }
    // A server that is stopped answers once it continues. One that is gone refuses at once.
    let answers = DeviceHandle.openedName(of: nil) != nil
    if step == .leave || !answers { device.leave(standingAt: clock) }
  }
}

extension AudioDevice {
  fileprivate var hasPlayingSource: Bool {
    livingContexts.contains { $0.withState { state in state.hasPlayingSource } }
  }

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
