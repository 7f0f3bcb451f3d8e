import TestSupport
import Testing

@testable import Spatial3D

/// The values behind starts, fades and waits, at their limits.
@Suite struct ScheduleValueTests {
  private func padding(_ length: Int, at time: Int64 = 5) throws -> SilencePadding {
    let renderer = try OfflineRenderer(format: Scenes.mono)
    let buffer = try Scenes.silence(frames: 1, in: renderer.context)
    return SilencePadding(time: time, length: length, buffer: buffer, location: .queue)
  }

  @Test func `A position in the silence is corrected by half a step, a mix ahead, or after the sound's moment`() throws
  {
    let padding = try padding(1_000)
    let cases: [(frame: Double?, left: Int, step: Double, Double?)] = [
      (nil, 100, 2, 800), (nil, 600, 2, 0), (nil, 500, 2, 0), (nil, -5, 2, 1_000), (nil, 0, 2, 1_000),
      (nil, 100, 0, 1_000),
      (800, 100, 2, nil), (800.5, 100, 2, nil), (801, 100, 2, 800), (799.5, 100, 2, nil), (799, 100, 2, 800),
      (500, 99, 2, nil), (500, 100, 2, 800), (0, 600, 2, nil), (2, 600, 2, 0), (0, 100, 0, nil),
      (800, 0, 2, nil), (799, 0, 2, 1_000), (799, -7, 2, 1_000), (799, 1, 2, nil), (1_000, 0, 2, nil),
      (899.9, 0, 1, 1_000),
    ]
    for (frame, left, step, expected) in cases {
      #expect(
        padding.correction(of: frame, left: left, step: step, framesPerMix: 100) == expected,
        "\(String(describing: frame)) \(left) \(step)"
      )
    }
  }

  @Test func `A start has its clock, and one at a requested frame has none`() {
    var start = SourceStart()
    #expect(start.clock == -1 && start.count == 0 && start.frame == nil && start.state == nil && start.nextFrame == nil)
    #expect(start.silence == 0 && !start.isInSilence && start.time == nil && start.wait == nil && start.padding == nil)
    start.begin(at: 5)
    #expect(start.clock == 5 && start.count == 1)
    start.seek(to: 7, isHeld: false)
    #expect(start.clock == -1 && start.frame == 7 && start.nextFrame == 7)
    start.begin(at: 9)
    #expect(start.clock == -1 && start.count == 2 && start.frame == nil)
    start.begin(at: 11)
    #expect(start.clock == 11 && start.count == 3)
    start.seek(to: 8, isHeld: true)
    #expect(start.clock == -1 && start.frame == nil)
    start.seek(to: 1e12, isHeld: false)
    #expect(start.frame == Double(Int32.max))
    start.forgetFrame()
    #expect(start.nextFrame == nil)
  }

  @Test func `A seek of a waiting source is that of its wait`() {
    var (schedule, start) = (StartSchedule(), SourceStart())
    let key = SourceKey(slot: 3, generation: 1)
    #expect(SourceStart.Wait(time: 9).state == .playing && !SourceStart.Wait(time: 9).startsInSilence)
    schedule.add(.init(time: 9), of: key, to: &start)
    start.seek(to: 12, isHeld: false)
    #expect(start.wait?.frame == 12 && start.frame == nil && start.nextFrame == 12)
    check(start.resumeWait(), false)
    start.pauseWait()
    #expect(start.state == .paused)
    start.pauseWait()
    #expect(schedule.nextTime { _ in start.wait } == nil)
    #expect(schedule.due({ _ in start.wait }, at: { _ in true }).isEmpty)
    check(start.resumeWait(), true)
    check(start.state, .playing)
    check(start.resumeWait(), false)
    #expect(schedule.nextTime { _ in start.wait } == 9)
    #expect(schedule.due({ _ in start.wait }, at: { $0 == 9 }) == [key])
    #expect(schedule.due({ _ in start.wait }, at: { $0 != 9 }) == [])
    schedule.add(.init(time: 4), of: key, to: &start)
    #expect(schedule.waiting == [key] && start.wait?.frame == nil)
    schedule.endWait(of: key, in: &start)
    #expect(schedule.waiting == [] && schedule.isEmpty && start.wait == nil)
  }

  @Test func `A source has one silence, and waits for its sound when the silence goes`() throws {
    var (schedule, start) = (StartSchedule(), SourceStart())
    let (key, other) = (SourceKey(slot: 3, generation: 1), SourceKey(slot: 4, generation: 1))
    var second = SourceStart()
    check(schedule.takePadding(of: key, from: &start) == nil, true)
    schedule.add(try padding(100), of: key, to: &start)
    schedule.add(try padding(300, at: 70), of: key, to: &start)
    schedule.add(try padding(50), of: other, to: &second)
    #expect(schedule.padded == [key, other] && start.silence == 300 && !schedule.isEmpty)
    start.enterSilence()
    #expect(start.isInSilence)
    check(schedule.takePadding(of: key, from: &start)?.length, 300)
    #expect(schedule.padded == [other] && start.silence == 0 && !start.isInSilence && start.wait == nil)
    // A wait for the silence becomes one for the sound, in the same state.
    for startsInSilence in [true, false] {
      schedule.add(SourceStart.Wait(time: 30, startsInSilence: startsInSilence, frame: 2), of: key, to: &start)
      start.pauseWait()
      schedule.add(try padding(300, at: 70), of: key, to: &start)
      check(schedule.takePadding(of: key, from: &start)?.time, 70)
      #expect(start.wait?.time == (startsInSilence ? 70 : 30) && start.state == .paused)
      #expect(start.wait?.frame == (startsInSilence ? nil : 2) && start.wait?.startsInSilence == false)
    }
    _ = schedule.takePadding(of: other, from: &second)
    schedule.endWait(of: key, in: &start)
    #expect(schedule.isEmpty)
  }

  @Test func `The number of a schedule is odd during a change and while it is not empty, and differs after each`() {
    let sequence = ScheduleSequence()
    var numbers = [sequence.current]
    sequence.beginChange()
    numbers.append(sequence.current)
    sequence.endChange(isEmpty: true)
    numbers.append(sequence.current)
    sequence.beginChange()
    sequence.endChange(isEmpty: false)
    numbers.append(sequence.current)
    sequence.beginChange()
    numbers.append(sequence.current)
    sequence.endChange(isEmpty: false)
    numbers.append(sequence.current)
    sequence.endChange(isEmpty: true)
    numbers.append(sequence.current)
    sequence.endChange(isEmpty: true)
    numbers.append(sequence.current)
    #expect(numbers == [0, 1, 2, 5, 5, 7, 8, 10])
  }

  @Test func `A fade is linear from its beginning to its end, and has the lower gain of a step`() {
    let fade = SourceFade(from: 1, to: 0.5, begin: 100, duration: 50, then: .stop)
    let gains = [0, 100, 101, 125, 149, 150, 151].map { fade.gain(at: $0) }
    #expect(gains == [1, 1, 0.99, 0.75, 0.51, 0.5, 0.5])
    #expect(fade.call == .stop && fade.end == 150)
    #expect(fade.gain(from: 110, to: 125) == 0.75 && fade.gain(from: 125, to: 110) == 0.75)
    let rising = SourceFade(from: 0, to: 1, begin: 0, duration: 100)
    #expect(rising.gain(from: 25, to: 50) == 0.25 && rising.call == nil)
    for duration in [0, -5, 1] as [Int64] {
      #expect(SourceFade(from: 0, to: 1, begin: 100, duration: duration).end == 101)
    }
    #expect(SourceFade(from: 0, to: 1, begin: 100, duration: .max).end == .max)
    #expect(SourceFade(from: 0, to: 1, begin: 100, duration: .max - 100).end == .max)
    for (milliseconds, rate, frames) in [
      (100, 48_000, 150), (10, 48_000, 64), (42, 48_000, 64), (43, 48_000, 64), (44, 48_000, 66), (341, 48_000, 511),
      (342, 48_000, 512), (5_000, 48_000, 512), (100, 96_000, 300),
    ] {
      let fade = SourceFade(from: 0, to: 1, begin: 1_000, duration: Int64(milliseconds) * 1_000_000)
      #expect(fade.stepLength(at: rate) == frames, "\(milliseconds)")
    }
  }

  @Test func `A short fade takes 64 frames, in mixes of any length`() {
    #expect(ShortFade.length == 64)
    var fade = ShortFade(from: 2)
    #expect(fade.framesLeft == 64 && fade.gain == 2)
    check([0, 16, 1, 40, 7].map { fade.advance(by: $0) }, [2, 1.5, 1.468_75, 0.218_75, 0])
    #expect(fade.framesLeft == 0 && fade.gain == 2)
    check(fade.advance(by: 5), 0)
    check(fade.framesLeft, 0)
  }

  @Test func `A tick comes at the multiples of an interval, from a frame on or after it`() {
    #expect(TickSchedule(every: 1 << 41).interval == 1 << 40 && TickSchedule(every: 0).interval == 1)
    #expect(TickSchedule(every: (1 << 40) - 1).interval == (1 << 40) - 1)
    for (frame, isAfter, left) in [
      (512, false, 0), (512, true, 512), (513, false, 511), (511, true, 1), (0, true, 512),
    ] {
      var schedule = TickSchedule(every: 512)
      schedule.begin(at: frame, rate: 48_000, isAfter: isAfter)
      check(schedule.framesUntilNext(at: frame, rate: 48_000), left)
    }
    var schedule = TickSchedule(every: 100)
    schedule.begin(at: 1_000, rate: 1, isAfter: true)
    // Two intervals back is the same tick, and more is another.
    check(schedule.framesUntilNext(at: 900, rate: 1), 200)
    check(schedule.framesUntilNext(at: 899, rate: 1), 1)
  }
}
