/// Whether a thread looks for an output in place of one that is gone, and when it is to try again.
final class OutputKeeper: Sendable {
  private struct State: Sendable {
    var isRunning = false
    var isAskedAgain = false
    var isOver = false
  }

  private let state = Lock(State())
  private let bell = Bell()

  /// Whether there is a thread that keeps a device.
  var isRunning: Bool { state.withLock { $0.isRunning } }

  /// Has a device kept by a thread of its own, for as long as its output is gone; one that waits for its next try tries at once where
  /// there is a reason.
  func begin(for device: AudioDevice, atOnce: Bool) {
    let isFirst = state.withLock { state in
      if state.isRunning { state.isAskedAgain = true }
      defer { state.isRunning = true }
      return !state.isRunning
    }
    let reference = Reference(device)
    // Tried again where somebody looks again.
    if isFirst, !startThread({ [self] in run(reference) }) { state.withLock { $0.isRunning = false } }
    if atOnce, !isFirst { bell.ring() }
  }

  /// The device is gone.
  func end() {
    state.withLock { $0.isOver = true }
    bell.ring()
  }

  private func run(_ reference: Reference) {
    var search = OutputSearch()
    while !state.withLock({ $0.isOver }) {
      // Held for one try, no longer.
      guard let wait = reference.device?.findOutput(&search) else {
        let isDone = state.withLock { state in
          defer { state.isAskedAgain = false }
          if !state.isAskedAgain { state.isRunning = false }
          return !state.isAskedAgain
        }
        if isDone { return }
        search = OutputSearch()
        continue
      }
      bell.wait(atMost: wait)
    }
  }

  private final class Reference: Sendable {
    weak let device: AudioDevice?
    init(_ device: AudioDevice) { self.device = device }
  }
}

/// What is remembered from one try to find an output to the next.
///
/// Pure: no call and no lock.
struct OutputSearch: Hashable, Sendable {
  var backoff = Backoff()
  /// After how many turns of the device all was paused, which is done once: a player may have it play on before there is an output.
  var pausedTurns: Int?
  /// When a default output was first seen that is another, on the monotonic clock.
  private var changeTime: Int64?

  /// How long to wait until it is sure that the output was left and not taken away, where that makes a difference: a system tells of
  /// another default output first; `nil` where it has been waited for.
  mutating func doubt(at now: Int64) -> Int64? {
    let start = changeTime ?? now
    changeTime = start
    let left = start + Backoff.shortest - now
    return left > 0 ? left : nil
  }
}

/// How long to wait before each try: twice as long as before the last, from 100 ms to 2 s.
///
/// Pure: no call and no lock.
struct Backoff: Hashable, Sendable {
  static let shortest: Int64 = 100_000_000
  static let longest: Int64 = 2_000_000_000

  private var following = shortest

  /// Nanoseconds to wait now.
  mutating func next() -> Int64 {
    defer { following = min(following * 2, Self.longest) }
    return following
  }
}
