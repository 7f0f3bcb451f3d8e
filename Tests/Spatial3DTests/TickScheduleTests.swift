import TestSupport
import Testing

@testable import Spatial3D

/// The frames at which a tick is due.
@Suite struct TickScheduleTests {
  @Test func `Each multiple has one tick, and late ones are joined`() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<2_000 {
      let interval = Int.random(in: 1...2_000, using: &random)
      var schedule = TickSchedule(every: interval)
      var frame = Int.random(in: 0...1_000_000, using: &random)
      /// The last multiple that had its tick, or that lay before the first reading.
      var last: Int?
      for _ in 0..<20 {
        let multiple = frame / interval * interval
        let isDue = last.map { multiple > $0 } ?? (frame == multiple)
        if last == nil || isDue { last = multiple }
        let before = schedule.framesUntilNext(at: frame, rate: 48_000)
        let taken = schedule.take(at: frame, rate: 48_000)
        let after = schedule.framesUntilNext(at: frame, rate: 48_000)
        let again = schedule.take(at: frame, rate: 48_000)
        #expect((before <= 0) == isDue && taken == isDue && !again)
        #expect((1...interval).contains(after) && (frame + after) % interval == 0)
        frame += Bool.random(using: &random) ? after : .random(in: 0...(3 * interval), using: &random)
      }
    }
  }

  @Test func `A clock that goes back or changes its rate has the next multiple`() {
    var schedule = TickSchedule(every: 512)
    /// Whether a tick is due, and the frames until the next one.
    func read(_ frame: Int, _ rate: Int) -> [Int] {
      [schedule.take(at: frame, rate: rate) ? 1 : 0, schedule.framesUntilNext(at: frame, rate: rate)]
    }
    #expect(read(5_120, 48_000) == [1, 512])
    // A small step back does not repeat a tick.
    #expect(read(5_000, 48_000) == [0, 632])
    #expect(read(100, 48_000) == [0, 412])
    #expect(read(600, 44_100) == [0, 424])
    #expect(read(1_024, 44_100) == [1, 512])
  }

  @Test(arguments: [Int.min, -1, 0, 1, .max])
  func `Every interval and frame has a result`(interval: Int) {
    for frame in [0, 1, 1 << 50] {
      var schedule = TickSchedule(every: interval)
      let isDue = schedule.take(at: frame, rate: 0)
      let left = schedule.framesUntilNext(at: frame, rate: 0)
      #expect(isDue == (frame % schedule.interval == 0) && left > 0)
    }
  }

  @Test func `A clock stands still after a tenth of a second`() {
    var clock = ClockProgress()
    let readings: [(clock: Int64, now: Int64)] = [
      (5, 0), (5, 100_000_000), (5, 100_000_001), (6, 100_000_002), (6, 200_000_002), (6, 200_000_003),
    ]
    let found = readings.map { clock.read($0.clock, now: $0.now) }
    #expect(found == [.moved, .unchanged, .standsStill, .moved, .unchanged, .standsStill])
  }
}
