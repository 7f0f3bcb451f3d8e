import TestSupport
import Testing

@testable import GameAudio

/// The position of an emitter in its sound, without a source.
@Suite struct LogicalClockTests {
  /// A source that the mixer advances frame by frame, in fractions of 1/4,096.
  private struct Model {
    let frameCount: Int
    let loop: Range<Int>
    var lapsLeft: Int?
    /// The place, in 1/4,096 of a frame.
    var place = 0
    var laps = 0
    var isOver = false

    mutating func advance(by step: Int) {
      guard !isOver else { return }
      place += step
      while place >= loop.upperBound * 4_096, lapsLeft != 0 {
        place -= loop.count * 4_096
        laps += 1
        lapsLeft = lapsLeft.map { $0 - 1 }
      }
      isOver = place >= frameCount * 4_096
    }
  }

  @Test func `A clock is where a source would be, through loops, changes of the step, pauses and seeks`() {
    var random = SplitMix64(seed: 20)
    for _ in 0..<1_000 {
      let count = Int.random(in: 1...400, using: &random)
      let first = Int.random(in: 0..<count, using: &random)
      let loop = first..<Int.random(in: (first + 1)...count, using: &random)
      let times = Int.random(in: -1...5, using: &random)
      let course = LogicalClock.Course(frameCount: count, loopRange: loop, repeats: Repeats(integerLiteral: times))
      var model = Model(frameCount: count, loop: loop, lapsLeft: times < 0 ? nil : times)
      var step = Int.random(in: 1...40_000, using: &random)
      let start = Int.random(in: 0...1_000_000, using: &random)
      var clock = LogicalClock(course, at: start, step: Double(step) / 4_096)
      for frame in start..<(start + 300) {
        #expect(clock.end.map { frame >= $0 } ?? false == model.isOver)
        if model.isOver { break }
        #expect(clock.place(at: frame) == Double(model.place) / 4_096)
        #expect(clock.laps(at: frame) == model.laps)
        switch Int.random(in: 0..<40, using: &random) {
        case 0: step = .random(in: 1...40_000, using: &random)
        case 1: step = 0
        case 2:
          model.place = Int.random(in: 0..<(count * 4_096), using: &random)
          // Frames behind the loop play once.
          let isBehind = model.place >= loop.upperBound * 4_096
          (model.laps, model.lapsLeft) = (0, isBehind ? 0 : times < 0 ? nil : times)
          clock.seek(to: Double(model.place) / 4_096, at: frame)
          model.advance(by: 0)
        default: break
        }
        clock.setStep(Double(step) / 4_096, at: frame)
        model.advance(by: step)
      }
    }
  }

  @Test func `The place of a source corrects the clock, across the end of a loop`() {
    let course = LogicalClock.Course(frameCount: 1_000, loopRange: 400..<1_000, repeats: .forever)
    for (read, position) in [(999.5, 1_599.5), (400.25, 1_600.25), (999, 1_599)] {
      var clock = LogicalClock(course, at: 0, step: 1)
      clock.adopt(place: read, at: 1_600)
      #expect(clock.position(at: 1_600) == position)
      #expect(clock.position(at: 1_610) == position + 10)
    }
  }

  @Test func `A clock keeps its fraction for a day`() {
    let course = LogicalClock.Course(frameCount: 44_100, repeats: .forever)
    let step = 1.37 * 65_536
    let clock = LogicalClock(course, at: 0, step: step.rounded() / 65_536)
    let day = 48_000 * 86_400
    let exact = (Int(step.rounded()) * day) % (44_100 * 65_536)
    #expect(abs(clock.place(at: day) - Double(exact) / 65_536) < 1e-3)
  }

  @Test func `Every sound has a course`() {
    for (count, loop) in [(0, nil), (-5, nil), (10, 20..<30), (10, 5..<5), (10, 5..<30)] as [(Int, Range<Int>?)] {
      let course = LogicalClock.Course(frameCount: count, loopRange: loop, repeats: .times(.max))
      let clock = LogicalClock(course, at: 5, place: -3, step: -1)
      #expect(clock.place(at: 100) == 0)
      #expect(!(course.length?.isNaN ?? false))
    }
    #expect(LogicalClock(.init(frameCount: 0), at: 7, step: 1).end == 7)
    #expect(LogicalClock(.init(frameCount: 100), at: 7, step: 0).end == nil)
    #expect(LogicalClock(.init(frameCount: 100), at: 7, step: 1).end == 107)
  }

  @Test func `A clock adopts the place of its source in the lap that is nearest, one lap earlier or later`() {
    var random = SplitMix64(seed: 21)
    for _ in 0..<1_000 {
      let first = Int.random(in: 0...50, using: &random)
      let loop = first..<first + Int.random(in: 100...300, using: &random)
      let course = LogicalClock.Course(frameCount: loop.upperBound + 40, loopRange: loop, repeats: .times(5))
      // A position in one of the laps, and a source that is up to 40 frames ahead or behind.
      let position = Int.random(in: loop.lowerBound + 45..<loop.lowerBound + 5 * loop.count, using: &random)
      let real = position + Int.random(in: -40...40, using: &random)
      var clock = LogicalClock(course, at: 0, step: 1)
      clock.adopt(place: course.place(of: Double(real)), at: position)
      #expect(clock.position(at: position) == Double(real))
      #expect(clock.position(at: position + 10) == Double(real + 10))
    }
  }

  @Test func `A clock ends at the first frame at which its sound is over`() {
    let course = LogicalClock.Course(frameCount: 100, repeats: .times(2))
    for (position, step, end) in [
      (0, 1, 300), (299, 1, 1), (300, 1, 0), (299.5, 1, 1), (0, 0.5, 600), (0, 7, 43), (250, 100, 1),
    ] as [(Double, Double, Int)] {
      var clock = LogicalClock(course, at: 0, step: 1)
      clock.seek(to: 0, at: 0)
      clock.setStep(position, at: 0)
      // One frame of the mix leads to the position.
      clock.setStep(step, at: 1)
      #expect(clock.end == 1 + end, "from \(position) by \(step)")
      #expect(clock.position(at: 1 + end) == 300 && clock.position(at: end) < 300 || end == 0)
    }
    #expect(LogicalClock(LogicalClock.Course(frameCount: 100, repeats: .forever), at: 0, step: 1).end == nil)
    var paused = LogicalClock(course, at: 0, step: 1)
    paused.setStep(0, at: 10)
    #expect(paused.end == nil)
  }
}
