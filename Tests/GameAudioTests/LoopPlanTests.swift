import Testing

@testable import GameAudio

/// How a source repeats a sound, and the moment at which its loop ends.
@Suite struct LoopPlanTests {
  private static func plan(
    _ frames: Int,
    _ loop: Range<Int>? = nil,
    repeats: Repeats,
    step: Double = 1,
    at frame: Int = 0,
    isStream: Bool = false
  ) -> LoopPlan {
    let clock = LogicalClock(.init(frameCount: frames, loopRange: loop, repeats: repeats), at: 0, step: step)
    return LoopPlan(clock, at: frame, sampleRate: 48_000, isStream: isStream)
  }

  @Test func `A short sound is queued as often as it plays, and a long one loops until its last lap`() {
    // A fifth of a second.
    for (frames, step, isShort) in [
      (9_599, 1, true), (9_600, 1, false), (9_599, 0.5, true), (9_600, 0.5, false), (19_199, 2, true),
      (19_200, 2, false),
    ] as [(Int, Double, Bool)] {
      for times in [1, 2, 63] {
        let plan = Self.plan(frames, repeats: .times(times), step: step)
        #expect(plan.copies == (isShort ? times + 1 : 1) && plan.isLooping == !isShort, "\(frames), \(times)")
      }
    }
    let short = 4_800
    #expect(Self.plan(short, repeats: 0) == Self.plan(48_000, repeats: 0))
    #expect(!Self.plan(short, repeats: 0).isLooping && Self.plan(short, repeats: 0).copies == 1)
    for (name, plan) in [
      ("too many", Self.plan(short, repeats: 64)), ("endless", Self.plan(short, repeats: .forever)),
      ("part", Self.plan(short, 0..<4_799, repeats: 2)), ("end", Self.plan(short, 1..<4_800, repeats: 2)),
      ("stream", Self.plan(short, repeats: 2, isStream: true)), ("endless stream", Self.plan(short, repeats: .forever)),
    ] { #expect(plan.isLooping && plan.copies == 1, "\(name)") }
  }

  @Test func `A source loops until the last lap has begun`() {
    for (frame, isLooping) in [(0, true), (48_000, true), (95_999, true), (96_000, false), (143_000, false)] {
      #expect(Self.plan(48_000, repeats: 2, at: frame).isLooping == isLooping, "\(frame)")
    }
  }

  @Test func `The loop of a source ends a margin behind the beginning of the last lap, or in its middle`() {
    func end(_ frames: Int, _ loop: Range<Int>? = nil, repeats: Repeats = 2, step: Double = 1, margin: Int) -> Int? {
      let clock = LogicalClock(.init(frameCount: frames, loopRange: loop, repeats: repeats), at: 0, step: step)
      return (0..<40_000).first { LoopPlan.isInLastLap(clock, at: $0, marginFrames: margin) }
    }
    #expect(end(9_600, margin: 480) == 19_200 + 480)
    #expect(end(9_600, margin: 0) == 19_200)
    #expect(end(9_600, step: 2, margin: 480) == 9_600 + 480)
    #expect(end(9_600, margin: 6_000) == 19_200 + 4_800)
    #expect(end(9_600, 2_000..<5_000, margin: 480) == 5_000 + 3_000 + 480)
    #expect(end(9_600, 2_000..<5_000, margin: 2_000) == 5_000 + 3_000 + 1_500)
    #expect(end(9_600, repeats: .forever, margin: 480) == nil)
  }
}
