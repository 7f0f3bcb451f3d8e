/// How the library reports outputs that come, go and become the default.
enum OutputEventSource: Hashable, Sendable {
  /// The system reports changes, and the library's lists are correct.
  case live
  /// The package has to poll.
  case unsupported
  /// The system has stopped reporting.
  ///
  /// OpenAL Soft 1.25 gets no events from a restarted PulseAudio server, and keeps the lists of the old one.
  case stale
}

/// The reliability of the library's reports about outputs.
///
/// Pure: no call and no lock.
struct EventReliability: Hashable, Sendable {
  private(set) var eventSource = OutputEventSource.unsupported
  /// The time of the last loss of an output, on the monotonic clock.
  private var lossTime: Int64?

  /// The time after a loss in which events of an ending server may arrive, in nanoseconds.
  static let lastWords: Int64 = 5_000_000_000

  /// Starts trusting the system's events.
  mutating func begin() { eventSource = .live }

  /// Stops trusting events after the loss of an output, because the server may be lost too.
  mutating func doubt(at now: Int64) {
    guard eventSource != .unsupported else { return }
    eventSource = .stale
    lossTime = now
  }

  /// Trusts events again after an event at a time: the server in doubt is there.
  mutating func adoptEvent(at time: Int64) {
    if let lossTime, time - lossTime > Self.lastWords { eventSource = .live }
  }
}
