internal import AudioSupport

/// The thread that reconnects a device to an output, and its schedule of tries.
final class ReconnectLoop: Sendable {
  private struct State: Sendable {
    var search = OutputSearch()
    var isOver = false
  }

  private let state = Lock(State())
  private let loop = BackgroundLoop()

  /// Whether the thread runs.
  var isRunning: Bool { loop.isRunning }

  /// Starts a thread that tries to reconnect the device until it has an output.
  ///
  /// With `atOnce`, a thread that waits for its next try tries at once.
  func begin(for device: AudioDevice, atOnce: Bool) {
    let reference = Weak(device)
    // The next poll tries again if the system starts no thread.
    loop.begin(wakes: atOnce) { [self] in
      // Only this thread uses the search. The device is retained for one try, no longer.
      var (search, isOver) = state.withLock { ($0.search, $0.isOver) }
      let wait = isOver ? nil : reference.object?.findOutput(&search)
      state.withLock { [search] in $0.search = wait == nil ? OutputSearch() : search }
      return wait.map { .after($0) } ?? .end
    }
  }

  /// Ends the thread, because the device is gone.
  func end() {
    state.withLock { $0.isOver = true }
    loop.signal()
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
