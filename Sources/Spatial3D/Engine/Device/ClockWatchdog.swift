internal import AudioSupport
internal import Synchronization

/// Takes outputs as lost that stand still while a source plays, and opens outputs again.
///
/// An output is opened again if its clock runs at a wrong rate, and if its clock goes on after its server hung.
///
/// It has a thread of its own, because it asks a server and opens outputs again, which may wait. The thread ends while
/// no source plays, so that an idle game wakes no thread.
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

  /// Whether the thread runs.
  var isRunning: Bool { loop.isRunning }

  /// Watches a device for as long as it lives.
  func add(_ device: AudioDevice) {
    let watched = Watched(device: Weak(device))
    devices.withLock { devices in
      devices.removeAll { $0.device.object == nil }
      devices.append(watched)
    }
  }

  /// Starts the thread ahead of a start of a source, under the lock of its context, and behind the end of a suspension.
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
    // Ahead of the clock: after a move, the finding about the clock of the old output is outdated.
    let selection = device.outputSelection.withLock { $0 }
    let (clock, now) = (device.runningClock, monotonicTime())
    let (step, rate, isSteady) = devices.withLock { devices -> (ClockWatch.Step, Double?, Bool) in
      guard let index = devices.firstIndex(where: { $0.device === reference }) else { return (.none, nil, false) }
      let step = devices[index].watch.step(at: clock, now: now)
      return (step, devices[index].rate.step(at: clock, now: now), devices[index].watch.isSteady)
    }
    if let rate {
      device.reopen(runningAt: rate)
    } else if let clock, step != .none {
      let answer = device.serverAnswer()
      if answer == .hangs { device.outputSelection.withLock { $0.storeHang(true, after: selection.generation) } }
      if ClockWatch.isLost(after: step, answer) { device.leave(standingAt: clock, after: selection.generation) }
    } else if isSteady, selection.hasHung {
      device.reopenAfterHang()
    } else {
      return
    }
    // A probe and a reopening may take long, and no clock was read meanwhile.
    let later = monotonicTime()
    devices.withLock { devices in
      for index in devices.indices {
        devices[index].watch.skip(to: later)
        devices[index].rate.skip(to: later)
      }
    }
  }
}

extension AudioDevice {
  fileprivate var hasPlayingSource: Bool {
    // The source of a processed device's mix is the shim's, and no source of the context.
    if !isSuspended, playedMix.withLock({ $0 })?.object?.isPlayingOnOutput == true { return true }
    return livingContexts.contains { $0.withState { state in state.hasPlayingSource } }
  }

  /// The clock of an output that mixes; `nil` while nothing makes it go on.
  fileprivate var runningClock: Int64? {
    guard isOnOutput, !isSuspended, let context = livingContexts.first else { return nil }
    return context.handle.clock
  }

  /// Takes the output as lost, unless its clock goes on after all.
  fileprivate func leave(standingAt clock: Int64, after generation: Int) {
    for _ in 0..<10 {
      guard runningClock == clock else { return }
      Semaphore().wait(atMost: 50_000_000)
    }
    takeStalledOutputAsLost(after: generation) { runningClock == clock }
  }

  /// Takes the output as lost if it stands still and its server is gone: the library would wait without end if it
  /// reopened the device.
  ///
  /// Waits for a few mixes. Without a server on this machine to ask, it tries to open an output.
  func checkClock() {
    guard let clock = runningClock else { return }
    for _ in 0..<40 {
      if runningClock != clock { return }
      Semaphore().wait(atMost: 5_000_000)
    }
    switch serverAnswer() {
    case .gone: handle.setStalled()
    case .unknown where OutputProbe.mayBeOpened(name) && DeviceHandle.openedName(of: nil) == nil: handle.setStalled()
    case .unknown, .answers, .hangs: break
    }
  }
}

extension AudioDevice {
  /// Starts the thread that notices an output which stands still, ahead of the start of a source.
  func beginWatchingClock() { if isMixedByLibrary { ClockWatchdog.all.begin() } }
}
