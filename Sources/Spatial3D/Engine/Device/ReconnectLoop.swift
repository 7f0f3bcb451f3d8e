internal import AudioSupport

/// The thread that reconnects a device to an output, and its schedule of tries.
final class ReconnectLoop: Sendable {
  private struct State: Sendable {
    var isRunning = false
    var isAskedAgain = false
    var isOver = false
  }

  private let state = Lock(State())
  private let semaphore = Semaphore()

  /// Whether the thread runs.
  var isRunning: Bool { state.withLock { $0.isRunning } }

  /// Starts a thread that tries to reconnect the device until it has an output.
  ///
  /// With `atOnce`, a thread that waits for its next try tries at once.
  func begin(for device: AudioDevice, atOnce: Bool) {
    let isFirst = state.withLock { state in
      if state.isRunning { state.isAskedAgain = true }
      defer { state.isRunning = true }
      return !state.isRunning
    }
    let reference = Weak(device)
    // The next poll tries again.
    if isFirst, !startThread({ [self] in run(reference) }) { state.withLock { $0.isRunning = false } }
    if atOnce, !isFirst { semaphore.signal() }
  }

  /// Ends the thread, because the device is gone.
  func end() {
    state.withLock { $0.isOver = true }
    semaphore.signal()
  }

  private func run(_ reference: Weak<AudioDevice>) {
    var search = OutputSearch()
    while !state.withLock({ $0.isOver }) {
      // The device is retained for one try, no longer.
      guard let wait = reference.object?.findOutput(&search) else {
        let isDone = state.withLock { state in
          defer { state.isAskedAgain = false }
          if !state.isAskedAgain { state.isRunning = false }
          return !state.isAskedAgain
        }
        if isDone { return }
        search = OutputSearch()
        continue
      }
      semaphore.wait(atMost: wait)
    }
  }
}

/// The state of a search for an output, from one try to the next.
///
/// Pure: no call and no lock.
struct OutputSearch: Hashable, Sendable {
  var backoff = Backoff()
  /// The `generation` of the device at which all sources were paused.
  ///
  /// They are paused once: a player may resume them before there is an output.
  var pausedGeneration: Int?
  /// The time at which a changed default output was first found, on the monotonic clock.
  private var changeTime: Int64?

  /// The nanoseconds until it is certain whether the default has changed or the output was taken away; `nil` after that
  /// time.
  ///
  /// A system reports a changed default output before the removal.
  mutating func doubt(at now: Int64) -> Int64? {
    let start = changeTime ?? now
    changeTime = start
    let left = start + Backoff.shortest - now
    return left > 0 ? left : nil
  }
}

/// The time before each try: doubled each time, from 100 ms to 2 s.
///
/// Pure: no call and no lock.
struct Backoff: Hashable, Sendable {
  static let shortest: Int64 = 100_000_000
  static let longest: Int64 = 2_000_000_000

  private var following = shortest

  /// Returns the nanoseconds to wait now.
  mutating func next() -> Int64 {
    defer { following = min(following * 2, Self.longest) }
    return following
  }
}
