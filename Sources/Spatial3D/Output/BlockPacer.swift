/// The schedule of a silent device's mix: whole blocks, at the rate of the system's clock.
///
/// All times are nanoseconds of a clock that is never set back.
struct BlockPacer: Sendable {
  /// The number of blocks in a second of the mix.
  static let blocksPerSecond = 50

  private var rate = 0
  /// The time at which the first counted frame was due.
  private var start: Int64?
  /// The number of frames taken since `start`; less than a second's.
  private var taken = 0
  /// The running time until the clock was held.
  private var held: Int64 = 0

  /// Runs the clock, from the time at which it was held.
  mutating func run(at now: Int64) {
    if start == nil { start = now - held }
  }

  /// Holds the clock, to the nanosecond.
  mutating func hold(at now: Int64) {
    guard let start else { return }
    held = now - start
    self.start = nil
  }

  /// Takes the frames of a block that is due: all or none.
  ///
  /// If the clock is late by more than a second, it skips the oldest frames. A process that was stopped for an hour
  /// does not mix an hour, and a slow process is late by a second at most. A change of the rate counts from now on.
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

  /// Returns frames that were taken last and not mixed: they are still due.
  mutating func giveBack(_ frames: Int) { taken -= frames }

  /// The time until the next frames are due; `nil` while the clock is held.
  func wait(at now: Int64) -> Int64? {
    guard let start, rate > 0 else { return nil }
    let next = taken + max(rate / Self.blocksPerSecond, 1)
    let nanoseconds = (Int64(next) * 1_000_000_000 + Int64(rate) - 1) / Int64(rate)
    return max(start + nanoseconds - now, 0)
  }
}
