/// When a silent device mixes how many frames: whole blocks, at the rate of the system's clock.
///
/// All times are nanoseconds of a clock that is never set back.
struct SilentClock: Sendable {
  /// How many blocks a second of the mix has.
  static let blocksPerSecond = 50

  private var rate = 0
  /// When the first of the frames was due that are counted.
  private var start: Int64?
  /// How many frames were taken since then; less than a second's.
  private var taken = 0
  /// For how long it had run when it was held.
  private var held: Int64 = 0

  /// Lets it run, from where it was held.
  mutating func run(at now: Int64) {
    if start == nil { start = now - held }
  }

  /// Holds it, to the nanosecond.
  mutating func hold(at now: Int64) {
    guard let start else { return }
    held = now - start
    self.start = nil
  }

  /// How many frames of a block are due, which then were taken: all or none.
  ///
  /// Of what is late by more than a second, the oldest is left out: a process that was stopped for an hour does not mix an hour, and
  /// one that mixes more slowly than time goes by is not later and later. A change of the rate counts from now on.
  mutating func takeBlock(at now: Int64, rate: Int) -> Int {
    guard let start, rate > 0 else { return 0 }
    guard rate == self.rate else {
      (self.rate, self.start, taken) = (rate, now, 0)
      return 0
    }
    let block = max(rate / Self.blocksPerSecond, 1)
    let second: Int64 = 1_000_000_000
    let late = now - start - Int64(taken) * second / Int64(rate)
    let first = late > second ? start + late - second : start
    self.start = first
    guard Int64(taken + block) * second <= (now - first) * Int64(rate) else { return 0 }
    taken += block
    if taken >= rate {
      taken -= rate
      self.start = first + second
    }
    return block
  }

  /// Puts frames back that were taken last and not mixed: they are due still.
  mutating func giveBack(_ frames: Int) { taken -= frames }

  /// After how long the next frames are due; `nil` while it is held.
  func wait(at now: Int64) -> Int64? {
    guard let start, rate > 0 else { return nil }
    let next = taken + max(rate / Self.blocksPerSecond, 1)
    let nanoseconds = (Int64(next) * 1_000_000_000 + Int64(rate) - 1) / Int64(rate)
    return max(start + nanoseconds - now, 0)
  }
}
