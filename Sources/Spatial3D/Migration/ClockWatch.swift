/// Detects an output that stands still, because its server is gone and the library has not noticed.
///
/// PipeWire 0.3.65 with the PipeWire backend of OpenAL Soft 1.25.2 ends like this: the library reports a connected device,
/// its clock stands still, and a reopening never returns. A clock may stand still for other reasons: a null sink of
/// PulseAudio takes two seconds at once, and a server may be stopped for a while.
///
/// A stream through `pipewire-pulse` 0.3.65 may be silent for good after its server hung on a busy machine: the clock goes
/// on, other streams are audible, and a new stream is audible too. So an output whose server hung is opened again. Pure: no
/// call and no lock.
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
    /// The output goes on after its server hung, and is to be opened again.
    case reopen
  }

  /// Whether an output that stands still is lost, by what the sound servers answer; an output without a server has none
  /// to ask.
  ///
  /// A server that hangs may go on: the library waits for it where it leaves the output.
  static func isLost(after step: Step, _ answer: SoundServers.Answer) -> Bool {
    switch step {
    case .none, .reopen: false
    case .probe: answer == .gone
    case .leave: answer != .hangs
    }
  }

  private var clock: Int64?
  /// When the clock was seen to move, and the last look and probe; `nil` for a clock that has never moved.
  private var movedAt: Int64?
  private var lookedAt: Int64 = 0
  private var probedAt: Int64 = 0
  /// Whether the server hung since the clock last moved.
  private var hasHung = false

  /// Adopts what the server answered while the clock stood still.
  mutating func adopt(_ answer: SoundServers.Answer) {
    if answer == .hangs { hasHung = true }
  }

  /// Leaves out a time in which the clock was not read, and in which the process ran.
  mutating func skip(to time: Int64) { lookedAt = time }

  /// Adopts a reading of the clock, `nil` for an output that may stand still.
  ///
  /// The clock of an output begins at 0. After a while without a look the time counts anew: the process did not run, or
  /// no source played.
  mutating func step(at clock: Int64?, now: Int64) -> Step {
    defer { (self.clock, lookedAt) = (clock, now) }
    guard let clock else {
      movedAt = nil
      return .none
    }
    guard let before = self.clock else {
      (movedAt, probedAt) = (clock > 0 ? now : nil, now)
      return .none
    }
    if clock != before, hasHung {
      (movedAt, probedAt, hasHung) = (now, now, false)
      return .reopen
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
