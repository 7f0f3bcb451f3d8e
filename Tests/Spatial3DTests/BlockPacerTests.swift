import TestSupport
import Testing

@testable import Spatial3D

/// The schedule of a silent device's blocks: arithmetic alone.
@Suite struct BlockPacerTests {
  private static let rates = [8_000, 11_025, 22_050, 44_100, 48_000, 96_000, 192_000]

  @Test(arguments: rates) func `An hour of polls at random times returns an hour of frames in whole blocks`(rate: Int) {
    var random = SplitMix64(seed: UInt64(rate))
    var clock = BlockPacer()
    let start: Int64 = 86_400_000_000_000 * 300
    clock.run(at: start)
    #expect(clock.takeDue(at: start, rate: rate) == 0)
    var (now, total) = (start, 0)
    let block = rate / BlockPacer.blocksPerSecond
    while now < start + 3_600_000_000_000 {
      now += Int64.random(in: 0...900_000_000, using: &random)
      let frames = clock.takeDue(at: now, rate: rate)
      total += frames
      #expect(frames % block == 0)
      // The total is never ahead, and less than a block behind.
      let elapsed = Double(now - start) / 1e9 * Double(rate)
      #expect(Double(total) <= elapsed)
      #expect(Double(total + block) > elapsed)
    }
  }

  @Test(arguments: rates)
  func `A block is due after the returned wait and not a nanosecond earlier`(rate: Int) throws {
    var clock = BlockPacer()
    var now: Int64 = 7
    clock.run(at: now)
    _ = clock.takeDue(at: now, rate: rate)
    for _ in 0..<5_000 {
      let wait = try #require(clock.wait(at: now))
      var earlier = clock
      #expect(earlier.takeDue(at: now + wait - 1, rate: rate) == 0)
      now += wait
      #expect(clock.takeDue(at: now, rate: rate) == rate / BlockPacer.blocksPerSecond)
    }
  }

  @Test func `A pacer counts the time before a hold and not the time of the hold`() {
    var random = SplitMix64(seed: 5)
    var clock = BlockPacer()
    var (now, ran, total): (Int64, Int64, Int) = (1_000, 0, 0)
    clock.run(at: now)
    _ = clock.takeDue(at: now, rate: 48_000)
    for _ in 0..<5_000 {
      let run = Int64.random(in: 0...30_000_000, using: &random)
      now += run
      ran += run
      if Bool.random(using: &random) { total += clock.takeDue(at: now, rate: 48_000) }
      clock.hold(at: now)
      clock.hold(at: now + 5)
      #expect(clock.wait(at: now) == nil)
      now += Int64.random(in: 0...10_000_000_000, using: &random)
      #expect(clock.takeDue(at: now, rate: 48_000) == 0)
      clock.run(at: now)
      clock.run(at: now + 5)
    }
    total += clock.takeDue(at: now, rate: 48_000)
    #expect(total == Int(ran * 48 / 1_000_000) / 960 * 960)
  }

  @Test func `A pacer catches up with one second at most`() {
    var clock = BlockPacer()
    clock.run(at: 0)
    _ = clock.takeDue(at: 0, rate: 48_000)
    #expect(clock.takeDue(at: 1_000_000_000, rate: 48_000) == 48_000)
    let hour: Int64 = 3_600_000_000_000
    #expect(clock.takeDue(at: hour, rate: 48_000) == 48_000)
    #expect(clock.takeDue(at: hour + 19_999_999, rate: 48_000) == 0)
    #expect(clock.takeDue(at: hour + 20_000_000, rate: 48_000) == 960)
  }

  @Test func `A new rate applies from the next poll`() {
    var clock = BlockPacer()
    clock.run(at: 0)
    _ = clock.takeDue(at: 0, rate: 48_000)
    #expect(clock.takeDue(at: 500_000_000, rate: 8_000) == 0)
    #expect(clock.takeDue(at: 1_000_000_000, rate: 8_000) == 4_000)
    #expect(clock.takeDue(at: 2_000_000_000, rate: 0) == 0)
  }

  @Test(arguments: rates) func `A mixer slower than real time is at most one second behind`(rate: Int) {
    var clock = BlockPacer()
    var (now, total): (Int64, Int) = (0, 0)
    clock.run(at: now)
    _ = clock.takeBlock(at: now, rate: rate)
    let block = rate / BlockPacer.blocksPerSecond
    for _ in 1...5_000 {
      let frames = clock.takeBlock(at: now, rate: rate)
      #expect(frames == 0 || frames == block)
      total += frames
      // A block takes twice its own duration.
      now += frames > 0 ? 40_000_000 : 1_000_000
    }
    // The device mixed all the time, and still lost some blocks.
    #expect(abs(Double(total) / Double(block) - Double(now) / 40_000_000) < 60)
    // Once the device is fast enough, it has a second at most to catch up with.
    var late = 0
    while case let frames = clock.takeBlock(at: now, rate: rate), frames > 0 { late += frames }
    #expect((rate - 2 * block...rate).contains(late))
  }

  @Test(arguments: rates) func `Returned frames are due again`(rate: Int) {
    var random = SplitMix64(seed: UInt64(rate))
    var clock = BlockPacer()
    var (now, ran, total): (Int64, Int64, Int) = (0, 0, 0)
    clock.run(at: now)
    _ = clock.takeBlock(at: now, rate: rate)
    let block = rate / BlockPacer.blocksPerSecond
    for _ in 0..<5_000 {
      let run = Int64.random(in: 0...30_000_000, using: &random)
      now += run
      ran += run
      while case let frames = clock.takeBlock(at: now, rate: rate), frames > 0 {
        let mixed = Bool.random(using: &random) ? frames : Int.random(in: 0..<frames, using: &random)
        total += mixed
        clock.giveBack(frames - mixed)
        if mixed < frames {
          clock.hold(at: now)
          now += 1_000
          clock.run(at: now)
        }
        let elapsed = Double(ran) / 1e9 * Double(rate)
        #expect(Double(total) <= elapsed + 1e-3)
      }
    }
    #expect(Double(total + block) + 1e-3 > Double(ran) / 1e9 * Double(rate))
  }
}

extension BlockPacer {
  /// The frames of all blocks that are due.
  fileprivate mutating func takeDue(at now: Int64, rate: Int) -> Int {
    var due = 0
    while case let frames = takeBlock(at: now, rate: rate), frames > 0 { due += frames }
    return due
  }
}
