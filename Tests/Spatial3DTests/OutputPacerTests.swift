import TestSupport
import Testing

@testable import Spatial3D

/// The pace of a processed device: arithmetic alone.
@Suite struct OutputPacerTests {
  private static let rates = [8_000, 44_100, 48_000, 192_000]
  private static let millisecond: Int64 = 1_000_000

  /// The largest number of frames that were rendered since any moment, above the frames of the time since then.
  private struct Excess {
    let rate: Int
    private(set) var frames = 0.0
    private var last: Int64?

    init(rate: Int) { self.rate = rate }

    mutating func add(_ count: Int, at now: Int64) {
      let passed = Double(now - (last ?? now)) / 1e9 * Double(rate) * 65 / 64
      frames = max(frames - passed, 0) + Double(count)
      last = now
    }
  }

  @Test(arguments: rates)
  func `No sequence of rooms, losses, stalls and suspensions makes a scene faster than time`(rate: Int) {
    var random = SplitMix64(seed: UInt64(rate))
    for sequence in 0..<500 {
      let ahead = rate / 50 * Int.random(in: 1...4, using: &random)
      let margin = sequence % 3 == 0 ? 256 : 0
      var pacer = OutputPacer(rate: rate, ahead: ahead, mostAhead: sequence % 2 == 0 ? 4 * ahead : nil, margin: margin)
      var (excess, now, missed) = (Excess(rate: rate), Int64(sequence) * 1_000_000_007, 0)
      var (isLost, keepsTime) = (false, true)
      for _ in 0..<500 {
        switch Int.random(in: 0..<40, using: &random) {
        case 0: isLost.toggle()
        case 1: keepsTime.toggle()
        case 2: now += Int64.random(in: 0...5_000_000_000, using: &random)
        case 3: missed += Int.random(in: 0...2_000, using: &random)
        default: now += Int64.random(in: 0...15_000_000, using: &random)
        }
        // An output that is about to be lost reports whatever it likes, an empty queue above all.
        let queued = Bool.random(using: &random) ? 0 : Int.random(in: 0...2 * ahead, using: &random)
        let reading = OutputPacer.Reading(queued: queued, missed: missed, pollPeriod: 2_500_000)
        let step = pacer.step(at: now, output: isLost ? nil : reading, keepsTime: keepsTime)
        excess.add(0, at: now)
        switch step {
        case .render:
          excess.add(OutputPacer.block, at: now)
          if isLost || queued >= pacer.threshold { Issue.record("a block without room") }
        case .discard:
          excess.add(OutputPacer.block, at: now)
          if !isLost || !keepsTime { Issue.record("a block that nobody plays") }
        case .wait(let nanoseconds):
          if nanoseconds <= 0 { Issue.record("a wait of \(nanoseconds) ns") }
        }
        if excess.frames > Double(pacer.ahead + OutputPacer.block) + 1 {
          Issue.record("\(excess.frames) frames in excess, of \(pacer.ahead)")
          return
        }
      }
    }
  }

  @Test(arguments: rates) func `An output that takes periods in time never lacks a frame`(rate: Int) {
    var random = SplitMix64(seed: UInt64(rate) + 1)
    for sequence in 0..<50 {
      let period = Int.random(in: 64...2_048, using: &random)
      let ahead = sequence % 4 < 2 ? 2 * period : max(2 * period, rate / 50)
      var pacer = OutputPacer(rate: rate, ahead: ahead, margin: sequence % 2 * 256)
      // The clock of the output is up to 0.5 % faster than the system's, or slower.
      let speed = Double.random(in: 0.995...1.005, using: &random)
      var (queued, rendered, taken, now) = (0, 0, 0, Int64(0))
      func step() -> OutputPacer.Step {
        pacer.step(at: now, output: .init(queued: queued, missed: 0, pollPeriod: 1_000_000), keepsTime: true)
      }
      while case .render = step() { (queued, rendered) = (queued + OutputPacer.block, rendered + OutputPacer.block) }
      for count in 1...2_000 {
        now = Int64(Double(count * period) * 1e9 / Double(rate) / speed)
        guard queued >= period else {
          Issue.record("\(queued) frames of \(period) at \(rate) Hz")
          break
        }
        (queued, taken) = (queued - period, taken + period)
        while case .render = step() { (queued, rendered) = (queued + OutputPacer.block, rendered + OutputPacer.block) }
      }
      #expect(rendered - taken == queued && queued < ahead + OutputPacer.block)
    }
  }

  @Test(arguments: rates) func `Without an output the blocks follow the clock`(rate: Int) {
    var random = SplitMix64(seed: UInt64(rate) + 2)
    var pacer = OutputPacer(rate: rate, ahead: rate / 50)
    var (now, frames) = (Int64(0), 0)
    _ = pacer.step(at: now, output: nil, keepsTime: true)
    while now < 60_000_000_000 {
      now += Int64.random(in: 0...5_000_000, using: &random)
      while case .discard = pacer.step(at: now, output: nil, keepsTime: true) { frames += OutputPacer.block }
    }
    let elapsed = Double(now) / 1e9 * Double(rate)
    // A block of the clock is a fiftieth of a second.
    #expect(Double(frames) <= elapsed && Double(frames + OutputPacer.block + rate / 50) > elapsed)
  }

  @Test func `A pacer that is held makes up for no time`() {
    var pacer = OutputPacer(rate: 48_000, ahead: 960)
    var (now, frames) = (Int64(0), 0)
    func run(for nanoseconds: Int64) {
      let end = now + nanoseconds
      while now < end {
        now += 1_000_000
        while case .discard = pacer.step(at: now, output: nil, keepsTime: true) { frames += OutputPacer.block }
      }
    }
    run(for: 1_000_000_000)
    for _ in 0..<10 {
      pacer.hold(at: now)
      now += 60_000_000_000
      run(for: 500_000_000)
    }
    // A block and a block of the clock may be left, and a step of the clock at each hold.
    #expect(abs(frames - 6 * 48_000) < 2_000)
  }

  @Test func `The wait of a pacer ends when a block is due`() {
    var pacer = OutputPacer(rate: 48_000, ahead: 960)
    var (now, frames, polls) = (Int64(0), 0, 0)
    while now < 10_000_000_000 {
      polls += 1
      switch pacer.step(at: now, output: nil, keepsTime: true) {
      case .discard: frames += OutputPacer.block
      case .render: Issue.record("there is no output")
      case .wait(let nanoseconds): now += nanoseconds
      }
    }
    #expect(abs(frames - 480_000) < 2_000)
    #expect(polls < 2_500)
  }

  @Test func `Without an output and without keeping time nothing is rendered`() {
    var pacer = OutputPacer(rate: 48_000, ahead: 960)
    for index in 0..<1_000 {
      let step = pacer.step(at: Int64(index) * 5_000_000, output: nil, keepsTime: false)
      #expect(step == .wait(20_000_000))
    }
    // The time that stood still is not made up for.
    #expect(pacer.step(at: 5_000_000_000, output: nil, keepsTime: true) != .discard)
  }

  @Test func `An output that returns is filled at once, and its clock counts from then on`() {
    var pacer = OutputPacer(rate: 48_000, ahead: 960)
    var now: Int64 = 0
    for _ in 0..<1_000 {
      now += 5 * Self.millisecond
      _ = pacer.step(at: now, output: nil, keepsTime: true)
    }
    var queued = 0
    while case .render = pacer.step(at: now, output: .init(queued: queued, missed: 0, pollPeriod: 1), keepsTime: true) {
      queued += OutputPacer.block
    }
    #expect(queued == 1_024)
  }

  @Test func `The second underrun within ten seconds adds ten milliseconds, up to the limit`() {
    var pacer = OutputPacer(rate: 48_000, ahead: 960, mostAhead: 3_840)
    var missed = 0
    func step(at time: Int64, missing frames: Int) -> Int {
      missed += frames
      let reading = OutputPacer.Reading(queued: 9_000, missed: missed, pollPeriod: 1)
      _ = pacer.step(at: time * Self.millisecond, output: reading, keepsTime: true)
      return pacer.ahead
    }
    #expect(step(at: 0, missing: 7) == 960)
    #expect(step(at: 1_000, missing: 100) == 960)
    // Several requests in a row miss frames for one cause.
    #expect(step(at: 1_050, missing: 100) == 960)
    #expect(step(at: 2_000, missing: 0) == 960)
    #expect(step(at: 9_000, missing: 1) == 1_440)
    #expect(step(at: 10_000, missing: 1) == 1_440)
    // More than ten seconds later, an underrun is a first one again.
    #expect(step(at: 20_001, missing: 1) == 1_440)
    #expect(step(at: 30_000, missing: 1) == 1_920)
    for index in 0..<100 { _ = step(at: 40_000 + Int64(index) * 1_000, missing: 1) }
    #expect(pacer.ahead == 3_840)
  }

  @Test func `A given time ahead does not grow with underruns, and grows with the period of an output`() {
    var pacer = OutputPacer(rate: 48_000, ahead: 960)
    for index in 0..<100 {
      let reading = OutputPacer.Reading(queued: 0, missed: index * 100, pollPeriod: 1)
      _ = pacer.step(at: Int64(index) * 1_000_000_000, output: reading, keepsTime: true)
    }
    #expect(pacer.ahead == 960)
    pacer.keepAtLeast(500)
    #expect(pacer.ahead == 960)
    pacer.keepAtLeast(2_048)
    #expect(pacer.ahead == 2_048)
  }

  @Test func `The limits are two periods and 200 milliseconds`() {
    func limits(_ milliseconds: Int?, period: Int) -> AheadLimits {
      AheadLimits(milliseconds.map { .milliseconds($0) }, 48_000, period: period)
    }
    #expect(limits(nil, period: 480).ahead == 960 && limits(nil, period: 480).growth == 3_840)
    #expect(limits(nil, period: 1_024).ahead == 2_048 && limits(nil, period: 4_096).growth == 8_192)
    #expect(limits(1, period: 480).ahead == 960 && limits(30, period: 480).ahead == 1_440)
    #expect(limits(5_000, period: 480).ahead == 9_600 && limits(30, period: 480).growth == nil)
    #expect(limits(1, period: 8_192).ahead == 16_384 && limits(1, period: 8_192).capacity == 16_384)
  }
}
