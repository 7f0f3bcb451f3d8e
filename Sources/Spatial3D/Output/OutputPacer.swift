/// The pace of a processed device: when its mixing thread renders a block, and for whom.
///
/// While the output is connected, a block is due where the output has fewer frames left than the ``threshold``. Without
/// an output, blocks are due by the system's clock. An allowance limits both: from any moment on, the frames of all
/// blocks are at most 65/64 of the frames of the time that has passed, and `ahead` and a block more. A scene therefore
/// never runs faster than the system's time, whatever an output reports that is about to be lost. The excess of 1/64 is
/// for outputs whose clock is faster than the system's.
///
/// Pure: no call and no lock. All times are nanoseconds of a clock that is never set back.
struct OutputPacer: Sendable {
  /// The next action of the mixing thread.
  enum Step: Hashable, Sendable {
    /// Render a block that the output plays.
    case render
    /// Render a block that nobody plays, because there is no output.
    case discard
    /// Wait for some nanoseconds, or for a signal.
    case wait(Int64)
  }

  /// The state of a connected output.
  struct Reading: Hashable, Sendable {
    /// The number of frames that the output has not taken yet.
    var queued: Int
    /// The number of frames so far that the output has asked for, and that were not there.
    var missed: Int
    /// The time after which a wait reads the output again.
    var pollPeriod: Int64
  }

  /// The number of frames of a block.
  static let block = 512

  /// The longest time between a loss and a step behind it that the clock makes up for: a replacement of the lost output
  /// may hold up the mixing thread.
  private static let longestGap: Int64 = 100_000_000

  /// How long the mixing thread waits where nothing is due without an output.
  private static let longestWait: Int64 = 20_000_000

  let rate: Int
  /// How many frames are rendered ahead of the output, on average or at least.
  private(set) var ahead: Int
  private let margin: Int
  private var growth: AheadGrowth?
  private var clock = BlockPacer()
  private var runsByClock = false
  /// The frames of the clock that are due and not rendered.
  private var due = 0
  /// The nanoseconds of the mix that may be rendered at `allowanceTime`.
  private var allowance: Int64
  private var allowanceTime: Int64?

  /// A pacer that keeps some frames ahead; `mostAhead` lets it grow, up to that number.
  ///
  /// The next block is due `margin` frames below `ahead`: with half a block, `ahead` is the average.
  init(rate: Int, ahead: Int, mostAhead: Int? = nil, margin: Int = 0) {
    self.rate = rate
    self.ahead = ahead
    self.margin = margin
    growth = mostAhead.map { AheadGrowth(step: max(rate / 100, 1), most: $0) }
    allowance = Self.duration(of: ahead + Self.block, rate)
  }

  /// How many frames the output has left where the next block is due; at least half of `ahead`, and so a period.
  var threshold: Int { max(ahead - margin, ahead / 2) }

  /// Keeps at least some frames ahead from now on.
  mutating func keepAtLeast(_ frames: Int) {
    if frames > ahead { grow(to: frames) }
  }

  /// Holds time, which stands still until the next step.
  mutating func hold(at now: Int64) {
    clock.hold(at: now)
    allowanceTime = nil
  }

  /// The next step; `output` is `nil` while no output is connected, and time then goes on if `keepsTime` is set.
  mutating func step(at now: Int64, output: Reading?, keepsTime: Bool) -> Step {
    let last = allowanceTime
    accrue(at: now)
    guard let output else {
      growth?.forget()
      if !runsByClock { beginClock(at: max(last ?? now, now - Self.longestGap)) }
      return stepByClock(at: now, keepsTime: keepsTime)
    }
    runsByClock = false
    if let wanted = growth?.ahead(from: ahead, missed: output.missed, at: now) { grow(to: wanted) }
    let excess = output.queued - threshold
    guard excess < 0 else { return .wait(max(Self.duration(of: excess, rate), output.pollPeriod)) }
    return take() ? .render : .wait(untilAllowed)
  }

  private mutating func beginClock(at start: Int64) {
    (clock, due, runsByClock) = (BlockPacer(), 0, true)
    clock.run(at: start)
    _ = clock.takeBlock(at: start, rate: rate)
  }

  private mutating func stepByClock(at now: Int64, keepsTime: Bool) -> Step {
    guard keepsTime else {
      clock.hold(at: now)
      return .wait(Self.longestWait)
    }
    clock.run(at: now)
    // The clock skips frames that are late by more than a second: a slow machine does not make up for them.
    while due < Self.block, case let frames = clock.takeBlock(at: now, rate: rate), frames > 0 { due += frames }
    guard due >= Self.block else { return .wait(min(clock.wait(at: now) ?? Self.longestWait, Self.longestWait)) }
    guard take() else { return .wait(untilAllowed) }
    due -= Self.block
    return .discard
  }

  // MARK: The allowance

  private static func duration(of frames: Int, _ rate: Int) -> Int64 { Int64(frames) * 1_000_000_000 / Int64(rate) }

  private var blockDuration: Int64 { (Int64(Self.block) * 1_000_000_000 + Int64(rate) - 1) / Int64(rate) }

  private mutating func accrue(at now: Int64) {
    let most = Self.duration(of: ahead + Self.block, rate)
    let passed = min(max(now - (allowanceTime ?? now), 0), 1_000_000_000)
    allowance = min(allowance + passed + passed / 64, most)
    allowanceTime = now
  }

  private mutating func take() -> Bool {
    guard allowance >= blockDuration else { return false }
    allowance -= blockDuration
    return true
  }

  private var untilAllowed: Int64 { blockDuration - allowance }

  private mutating func grow(to frames: Int) {
    allowance += Self.duration(of: frames - ahead, rate)
    ahead = frames
  }
}

/// The growth of the time that a processed device renders ahead, on a machine whose mixing thread is often late.
///
/// The second underrun within ten seconds adds a step. Pure: no call and no lock.
struct AheadGrowth: Hashable, Sendable {
  /// Underruns this near to each other have one cause.
  private static let oneCause: Int64 = 100_000_000
  private static let period: Int64 = 10_000_000_000

  let step: Int
  let most: Int
  private var missed: Int?
  private var lastUnderrun: Int64?

  init(step: Int, most: Int) { (self.step, self.most) = (step, most) }

  /// The number of frames from now on; `nil` for no change.
  mutating func ahead(from present: Int, missed now: Int, at time: Int64) -> Int? {
    defer { missed = now }
    guard let missed, now > missed else { return nil }
    guard let last = lastUnderrun, time - last <= Self.period else {
      lastUnderrun = time
      return nil
    }
    guard time - last >= Self.oneCause else { return nil }
    lastUnderrun = nil
    return present < most ? min(present + step, most) : nil
  }

  /// Does not compare the next number with an earlier one, because the output is another.
  mutating func forget() { missed = nil }
}
