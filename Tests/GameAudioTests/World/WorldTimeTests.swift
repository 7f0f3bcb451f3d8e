import Spatial3DTesting
import Testing

@testable import GameAudio

/// The time of a world, and the conversion of frames.
@Suite struct WorldTimeTests {
  private static func time(mixesByFrames: Bool = true) throws -> WorldTime {
    let physics = try OfflineRenderer(format: .mono(sampleRate: 48_000)).context.physics
    return WorldTime(physics: physics, mixesByFrames: mixesByFrames, startsExactly: true)
  }

  @Test func `A conversion keeps the distances in time to the present, and the present itself`() {
    var random = RandomSequence(seed: 7)
    let rates = [8_000, 22_050, 44_100, 48_000, 96_000, 192_000]
    func number(_ limit: Int) -> Int { Int(random.next(upperBound: UInt64(limit))) }
    for _ in 0..<2_000 {
      let (old, new, present) = (rates[number(6)], rates[number(6)], number(1 << 40))
      let conversion = FrameConversion(from: old, to: new, at: present)
      #expect(conversion.converted(conversion.oldPresent) == present)
      let distance = number(1 << 30) - (1 << 29)
      var frame = conversion.oldPresent + distance
      conversion.convert(&frame)
      let seconds = Double(distance) / Double(old)
      #expect(abs(Double(frame - present) / Double(new) - seconds) <= 0.5 / Double(new) + 1e-9)
    }
  }

  @Test func `A missing frame stays missing, and the same rate changes nothing`() {
    let conversion = FrameConversion(from: 48_000, to: 48_000, at: 1_000)
    var (none, some): (Int?, Int?) = (nil, 400)
    conversion.convert(&none)
    conversion.convert(&some)
    #expect(none == nil && some == 400)
  }

  @Test func `The time does not go back at the same rate, unless by a second`() throws {
    let start = try Self.time()
    for (frame, rate, expected, isConverted) in [
      (100_001, 48_000, 100_001, false), (99_999, 48_000, 100_000, false), (52_001, 48_000, 100_000, false),
      (52_000, 48_000, 52_000, false), (99_990, 44_100, 99_990, true),
    ] {
      var (time, physics) = (start, start.physics)
      physics.frame = 100_000
      _ = time.advance(to: physics)
      time.passTick()
      (physics.frame, physics.sampleRate) = (frame, rate)
      let change = time.advance(to: physics)
      #expect(time.now == expected && time.sampleRate == rate && (change.rateChange != nil) == isConverted)
      #expect(!change.hasDistanceModel && time.lastTick == (isConverted ? frame : 100_000))
    }
  }

  @Test func `An open update delays four ticks at a time, and an update that nothing has opened does not close`() throws
  {
    var time = try Self.time()
    time.endUpdate()
    #expect(time.openUpdates == 0 && !time.waitsForUpdate())
    time.beginUpdate()
    for _ in 0..<2 {
      #expect((0..<5).map { _ in time.waitsForUpdate() } == [true, true, true, true, false])
    }
    #expect(time.waitsForUpdate() && time.waitedTicks == 1)
    time.endUpdate()
    #expect(!time.waitsForUpdate() && time.waitedTicks == 0)
  }

  @Test func `Frames and durations are those of the rate`() throws {
    let time = try Self.time()
    #expect(time.frames(ofMilliseconds: 50) == 2_400 && time.frames(in: .milliseconds(50)) == 2_400)
    #expect(time.time(ofFrames: 12_000) == .milliseconds(250))
  }
}
