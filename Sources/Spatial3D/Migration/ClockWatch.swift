/// Detects an output that stands still, because its server is gone and the library has not noticed.
///
/// PipeWire 0.3.65 with the PipeWire backend of OpenAL Soft 1.25.2 ends like this: the library reports a connected
/// device, its clock stands still, and a reopening never returns. A clock may stand still for other reasons: a null
/// sink of PulseAudio takes two seconds at once, and a server may be stopped for a while.
///
/// Pure: no call and no lock.
struct ClockWatch: Sendable {
  /// The time between two looks, in nanoseconds.
  static let period: Int64 = 250_000_000
  /// How long a clock stands still before a probe, and between two probes.
  static let limit: Int64 = 1_000_000_000
  /// How long a clock stands still before the output is lost, although the server is not known to be gone.
  static let longLimit: Int64 = 5_000_000_000

  /// The action that follows a reading of the clock.
  enum Step: Hashable, Sendable {
    case none
    /// A probe: an output that stands still is lost if its server is gone.
    case probe
    /// The output is lost, unless the clock goes on after all, or its server hangs.
    case leave
  }

  /// Whether an output that stands still is lost, by what the sound servers answer; an output without a server has none
  /// to ask.
  ///
  /// A server that hangs may go on: the library waits for it where it leaves the output.
  static func isLost(after step: Step, _ answer: SoundServers.Answer) -> Bool {
    switch step {
    case .none: false
    case .probe: answer == .gone
    case .leave: answer != .hangs
    }
  }

  private var clock: Int64?
  /// When the clock was seen to move, and the last look and probe; `nil` for a clock that has never moved.
  private var movedAt: Int64?
  private var lookedAt: Int64 = 0
  private var probedAt: Int64 = 0
  /// The number of successive looks that found the clock moved.
  private var moveCount = 0

  /// Whether the clock has moved for a second: a server that hung may stop again after its first answer.
  var isSteady: Bool { moveCount >= Self.limit / Self.period }

  /// Leaves out a time in which the clock was not read, and in which the process ran.
  mutating func skip(to time: Int64) { (lookedAt, moveCount) = (time, 0) }

  /// Takes a reading of the clock, `nil` for an output that may stand still.
  ///
  /// The clock of an output begins at 0. After a while without a look the time counts anew: the process did not run, or
  /// no source played.
  mutating func step(at clock: Int64?, now: Int64) -> Step {
    moveCount = clock != nil && self.clock != nil && clock != self.clock ? moveCount + 1 : 0
    defer { (self.clock, lookedAt) = (clock, now) }
    guard let clock else {
      movedAt = nil
      return .none
    }
    guard let before = self.clock else {
      (movedAt, probedAt) = (clock > 0 ? now : nil, now)
      return .none
    }
    if clock != before || movedAt != nil && now - lookedAt > 2 * Self.period {
      (movedAt, probedAt) = (now, now)
      return .none
    }
    guard let movedAt, now - probedAt >= Self.limit else { return .none }
    probedAt = now
    return now - movedAt >= Self.longLimit ? .leave : .probe
  }
}
