import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// The logic that detects an output which stands still.
@Suite struct ClockWatchTests {
  @Test(arguments: 1...200)
  func `A clock that stands still is probed each second and left after five, and no other clock`(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var watch = ClockWatch()
    var (clock, now): (Int64, Int64) = (0, 0)
    // The last reading, the time at which a reading differed from the reading before, and the last probe.
    var (last, moved, probed): (Int64?, Int64?, Int64) = (nil, nil, 0)
    for _ in 0..<1_000 {
      now += Int64.random(in: 1...400, using: &random) * 1_000_000
      if Int.random(in: 0..<20, using: &random) < 1 { clock += Int64.random(in: 1...20_000_000, using: &random) }
      let reading = Int.random(in: 0..<100, using: &random) == 0 ? nil : clock
      let step = watch.step(at: reading, now: now)
      if reading == nil {
        moved = nil
      } else if last == nil {
        // A clock above zero has moved before.
        (moved, probed) = (clock > 0 ? now : nil, now)
      } else if reading != last {
        (moved, probed) = (now, now)
      }
      last = reading
      guard reading != nil, let moved, now - probed >= 1_000_000_000 else {
        #expect(step == .none)
        continue
      }
      probed = now
      #expect(step == (now - moved >= 5_000_000_000 ? .leave : .probe))
    }
  }

  @Test func `An output is lost at once if its server is gone, later if it answers, and never if it hangs`() {
    let answers: [SoundServers.Answer] = [.unknown, .gone, .answers, .hangs]
    #expect(answers.filter { ClockWatch.isLost(after: .none, $0) } == [])
    #expect(answers.filter { ClockWatch.isLost(after: .probe, $0) } == [.gone])
    #expect(answers.filter { ClockWatch.isLost(after: .leave, $0) } == [.unknown, .gone, .answers])
  }

  @Test func `A process that has not run for a while counts anew`() {
    var watch = ClockWatch()
    let period = ClockWatch.period
    let pause: Int64 = 9_000_000_000
    let looks: [(Int64, Int64)] = [(1, 0), (2, period), (2, pause)] + (1...4).map { (2, pause + Int64($0) * period) }
    let steps = looks.map { watch.step(at: $0.0, now: $0.1) }
    #expect(steps == [.none, .none, .none, .none, .none, .none, .probe])
  }

  @Test func `An output that answers slowly is left after five seconds all the same`() {
    var watch = ClockWatch()
    var (now, steps): (Int64, [ClockWatch.Step]) = (0, [])
    while now < 8_000_000_000 {
      steps.append(watch.step(at: 1, now: now))
      if steps.last != ClockWatch.Step.none {
        // A probe of two seconds.
        now += 2_000_000_000
        watch.skip(to: now)
      }
      now += ClockWatch.period
    }
    #expect(steps.filter { $0 != .none }.prefix(3) == [.probe, .probe, .leave])
  }

  @Test func `A clock is steady after it has moved for a second, until a look without a move`() {
    var watch = ClockWatch()
    let clocks: [Int64?] = [1, 2, 3, 4, 5, 6, 6, 7, 8, 9, 10, nil, 10, 11, 12, 13, 14]
    let steady = clocks.indices.filter { look in
      let step = watch.step(at: clocks[look], now: Int64(look) * ClockWatch.period)
      #expect(step == .none)
      return watch.isSteady
    }
    #expect(steady == [4, 5, 10, 16])
    watch.skip(to: 17 * ClockWatch.period)
    #expect(!watch.isSteady)
  }

  @Test func `A clock that has never moved is not probed`() {
    var watch = ClockWatch()
    let steps = (0..<100).map { watch.step(at: 0, now: Int64($0) * ClockWatch.period) }
    #expect(steps.allSatisfy { $0 == .none })
  }
}

/// The logic that detects an output whose clock runs at a wrong rate.
@Suite struct ClockRateTests {
  /// The wrong rates that a clock of a rate is found to have, read four times a second.
  private func found(_ looks: Int, seed: UInt64, _ clock: (_ time: Double) -> Double) -> [Double] {
    var random = SplitMix64(seed: seed)
    var rate = ClockRate()
    return (0..<looks).compactMap { look in
      let time = Double(look) * 0.25 + Double.random(in: 0...0.05, using: &random)
      // A mixer runs in steps.
      let steps = (clock(time) / 0.021).rounded(.down) * 0.021
      return rate.step(at: Int64(steps * 1e9), now: Int64(time * 1e9))
    }
  }

  @Test(arguments: [0.5, 44_100 / 48_000.0, 0.94, 1.06, 48_000 / 44_100.0, 2])
  func `A clock that runs at a wrong rate is found within 14 seconds, and once`(rate: Double) throws {
    for seed in 1...200 {
      let found = found(400, seed: UInt64(seed)) { $0 * rate }
      #expect(found.count == 1)
      #expect(abs(try #require(found.first) - rate) < 0.015)
      #expect(self.found(57, seed: UInt64(seed)) { $0 * rate } == found)
    }
  }

  @Test(arguments: 1...500)
  func `A clock whose output fills buffers, stands still and lacks the processor is not wrong`(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    // Sound that is lost or mixed ahead at random times, by up to two seconds.
    let jumps = (0..<12).map { _ in
      (time: Double.random(in: 0...100, using: &random), by: Double.random(in: -2...0.4, using: &random))
    }
    func clock(_ time: Double) -> Double {
      // The clock never goes back: it stands still instead.
      var (value, last) = (0.0, 0.0)
      for jump in jumps.sorted(by: { $0.time < $1.time }) where jump.time < time {
        value += jump.time - last
        last = jump.time + (jump.by < 0 ? min(-jump.by, time - jump.time) : 0)
        value += max(jump.by, 0)
      }
      return value + max(time - last, 0)
    }
    #expect(found(400, seed: UInt64(seed), clock).isEmpty)
  }

  @Test(arguments: [(0.9, 0.9149, true), (0.9, 0.9151, false), (1.1, 1.1149, true), (1.1, 1.1151, false)])
  func `Windows have to agree within 1.5 percent`(first: Double, last: Double, isFound: Bool) {
    var rate = ClockRate()
    var (clock, found): (Int64, [Double]) = (0, [])
    // Three windows of the first rate, and one of the last.
    for look in 0...48 {
      if look > 0 { clock += Int64(250e6 * (look <= 36 ? first : last)) }
      if let wrong = rate.step(at: clock, now: Int64(look) * 250_000_000) { found.append(wrong) }
    }
    #expect(found.count == (isFound ? 1 : 0))
    #expect(found.allSatisfy { abs($0 - (first + last) / 2) < 1e-6 })
  }

  @Test func `A rate that is wrong again after it was right is found again`() {
    let found = found(400, seed: 1) { $0 < 30 ? $0 * 0.9 : $0 < 60 ? $0 - 3 : 57 + ($0 - 60) * 0.9 }
    #expect(found.count == 2)
  }

  @Test func `A clock that stands still has no rate, however long it does`() {
    var rate = ClockRate()
    let found = (0..<800).compactMap { look in
      // It runs for a minute, stands still for two minutes, and goes on.
      let time = look < 240 ? look : look < 720 ? 240 : look - 480
      return rate.step(at: Int64(time) * 250_000_000, now: Int64(look) * 250_000_000)
    }
    #expect(found.isEmpty)
  }

  @Test func `The time of a suspension does not count`() {
    var rate = ClockRate()
    let found = (0..<400).compactMap { look in
      let isSuspended = look % 40 < 8
      return rate.step(
        at: isSuspended ? nil : Int64(look - look / 40 * 8) * 250_000_000,
        now: Int64(look) * 250_000_000
      )
    }
    #expect(found.isEmpty)
  }
}

/// Outputs whose mixer stands still, which the library does not report.
@Suite(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"), .hangLimit)
struct StalledOutputTests {
  @Test(arguments: [[], [.deviceReopening]] as [DisabledFeatures])
  func `An output that stands still is lost, and its sounds go on at another`(disabled: DisabledFeatures) async throws {
    let device = AudioDevice(handle: try DeviceHandle(opening: nil, disabling: disabled))
    let context = try AudioContext(device: device)
    let events = Lock<[ContextEvent.Kind]>([])
    let token = context.observe { event in events.withLock { $0.append(event.kind) } }
    let source = try Scenes.noise(in: context)
    let start = context.clock
    // The watchdog has to see the clock move once.
    let seen = start + .nanoseconds(4 * ClockWatch.period)
    try await eventually("the clock goes on") { context.clock > seen }
    // The library's own pause, of which neither it nor the package reports anything.
    device.handle.stopTime()
    try await eventually("the loss is reported") { events.withLock { $0.contains(.deviceLost) } }
    try await eventually("the return is reported") { events.withLock { $0.contains(.deviceReturned) } }
    #expect(events.withLock { $0 } == [.deviceLost, .deviceReturned])
    let later = context.clock
    try await eventually("the clock goes on at the new output") { context.clock > later }
    #expect(source.state == .playing)
    withExtendedLifetime(token) {}
  }

  @Test func `An output that stands still before a source plays is lost when one plays`() async throws {
    let context = try AudioContext()
    let events = Lock<[ContextEvent.Kind]>([])
    let token = context.observe { event in events.withLock { $0.append(event.kind) } }
    let start = context.clock
    try await eventually("the clock goes on") { context.clock > start }
    context.device.handle.stopTime()
    let source = try Scenes.noise(in: context)
    try await eventually("the return is reported") { events.withLock { $0.contains(.deviceReturned) } }
    #expect(events.withLock { $0 } == [.deviceLost, .deviceReturned])
    #expect(source.state == .playing)
    withExtendedLifetime(token) {}
  }

  @Test func `A suspended output may stand still`() async throws {
    let context = try AudioContext()
    guard context.capabilities.contains(.suspension) else { return }
    let source = try Scenes.noise(in: context)
    let start = context.clock
    try await eventually("the clock goes on") { context.clock > start }
    context.suspend(.freeze)
    // Longer than the watchdog lets a clock stand still.
    try await Task.sleep(for: .nanoseconds(ClockWatch.longLimit + 6 * ClockWatch.period))
    #expect(!context.device.handle.isPlaceholder && context.device.handle.isConnected)
    context.resume()
    let later = context.clock
    try await eventually("the clock goes on after the suspension") { context.clock > later }
    #expect(source.state == .playing)
  }
}
