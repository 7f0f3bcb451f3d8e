import TestSupport
import Testing

@testable import Spatial3D

/// When a silent device mixes how much: arithmetic alone.
@Suite struct SilentClockTests {
  private static let rates = [8_000, 11_025, 22_050, 44_100, 48_000, 96_000, 192_000]

  @Test(arguments: rates) func `An hour of looks at any time is an hour of frames, in whole blocks`(rate: Int) {
    var random = SplitMix64(seed: UInt64(rate))
    var clock = SilentClock()
    let start: Int64 = 86_400_000_000_000 * 300
    clock.run(at: start)
    #expect(clock.takeFrames(at: start, rate: rate) == 0)
    var (now, total) = (start, 0)
    let block = rate / SilentClock.blocksPerSecond
    while now < start + 3_600_000_000_000 {
      now += Int64.random(in: 0...900_000_000, using: &random)
      let frames = clock.takeFrames(at: now, rate: rate)
      total += frames
      #expect(frames % block == 0)
      // Never ahead, and less than a block behind.
      let elapsed = Double(now - start) / 1e9 * Double(rate)
      #expect(Double(total) <= elapsed)
      #expect(Double(total + block) > elapsed)
    }
  }

  @Test(arguments: rates)
  func `Who waits as long as is said finds one block, and a nanosecond earlier none`(rate: Int) throws {
    var clock = SilentClock()
    var now: Int64 = 7
    clock.run(at: now)
    _ = clock.takeFrames(at: now, rate: rate)
    for _ in 0..<5_000 {
      let wait = try #require(clock.wait(at: now))
      var earlier = clock
      #expect(earlier.takeFrames(at: now + wait - 1, rate: rate) == 0)
      now += wait
      #expect(clock.takeFrames(at: now, rate: rate) == rate / SilentClock.blocksPerSecond)
    }
  }

  @Test func `Time that is held does not count, and what ran before does`() {
    var random = SplitMix64(seed: 5)
    var clock = SilentClock()
    var (now, ran, total): (Int64, Int64, Int) = (1_000, 0, 0)
    clock.run(at: now)
    _ = clock.takeFrames(at: now, rate: 48_000)
    for _ in 0..<5_000 {
      let run = Int64.random(in: 0...30_000_000, using: &random)
      now += run
      ran += run
      if Bool.random(using: &random) { total += clock.takeFrames(at: now, rate: 48_000) }
      clock.hold(at: now)
      clock.hold(at: now + 5)
      #expect(clock.wait(at: now) == nil)
      now += Int64.random(in: 0...10_000_000_000, using: &random)
      #expect(clock.takeFrames(at: now, rate: 48_000) == 0)
      clock.run(at: now)
      clock.run(at: now + 5)
    }
    total += clock.takeFrames(at: now, rate: 48_000)
    #expect(total == Int(ran * 48 / 1_000_000) / 960 * 960)
  }

  @Test func `Of what is late by more than a second, a second is caught up with`() {
    var clock = SilentClock()
    clock.run(at: 0)
    _ = clock.takeFrames(at: 0, rate: 48_000)
    #expect(clock.takeFrames(at: 1_000_000_000, rate: 48_000) == 48_000)
    let hour: Int64 = 3_600_000_000_000
    #expect(clock.takeFrames(at: hour, rate: 48_000) == 48_000)
    #expect(clock.takeFrames(at: hour + 19_999_999, rate: 48_000) == 0)
    #expect(clock.takeFrames(at: hour + 20_000_000, rate: 48_000) == 960)
  }

  @Test func `A new rate counts from when it is seen`() {
    var clock = SilentClock()
    clock.run(at: 0)
    _ = clock.takeFrames(at: 0, rate: 48_000)
    #expect(clock.takeFrames(at: 500_000_000, rate: 8_000) == 0)
    #expect(clock.takeFrames(at: 1_000_000_000, rate: 8_000) == 4_000)
    #expect(clock.takeFrames(at: 2_000_000_000, rate: 0) == 0)
  }
}
