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
    /// The position in the sound, in 1/4,096 of a frame.
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
    let readings: [(frame: Int, place: Double, position: Double)] = [
      (1_600, 999.5, 1_599.5), (1_600, 400.25, 1_600.25), (1_600, 999, 1_599), (1_599, 400.25, 1_600.25),
      (999, 400.5, 1_000.5), (1_000, 999.5, 999.5), (3, 2.5, 2.5),
    ]
    for (frame, read, position) in readings {
      var clock = LogicalClock(course, at: 0, step: 1)
      clock.adopt(place: read, at: frame)
      #expect(clock.position(at: frame) == position)
      #expect(clock.position(at: frame + 10) == position + 10)
    }
  }

  @Test
  func `A clock that adopts the place of a source is at the nearest position of that place, and at most at the end`() {
    var random = SplitMix64(seed: 21)
    for _ in 0..<2_000 {
      let course = Self.course(using: &random)
      let end = course.length ?? Double(course.frameCount + 5 * course.loopRange.count)
      let (frame, step) = (Int.random(in: 0...4_000, using: &random), Double.random(in: 0.1...2, using: &random))
      var clock = LogicalClock(course, at: 0, step: step)
      let computed = clock.position(at: frame)
      let distance = Double(course.loopRange.count) / 2.1
      let real = computed + Double.random(in: -distance...distance, using: &random)
      // Outside of the loop, and behind the last lap, a frame of the sound has one position.
      let isInLoop = course.loopRange.contains(Int(course.place(of: computed)))
      guard isInLoop, real >= 0, course.loopRange.contains(Int(course.place(of: real))), real < end else { continue }
      clock.adopt(place: course.place(of: real), at: frame)
      #expect(abs(clock.position(at: frame) - real) < 1e-6)
      #expect(abs(clock.position(at: frame + 7) - min(real + 7 * step, course.length ?? .infinity)) < 1e-6)
      clock.adopt(place: Double(course.frameCount) + 1e6, at: frame)
      #expect(course.length.map { clock.position(at: frame) <= $0 } ?? true)
    }
  }

  private static func course(using random: inout SplitMix64) -> LogicalClock.Course {
    let count = Int.random(in: 1...400, using: &random)
    let first = Int.random(in: 0..<count, using: &random)
    let loop = first..<Int.random(in: (first + 1)...count, using: &random)
    let times = Int.random(in: -1...5, using: &random)
    return LogicalClock.Course(frameCount: count, loopRange: loop, repeats: Repeats(integerLiteral: times))
  }

  @Test func `Another number of repetitions counts the laps that are over, and other samples keep the lap`() {
    var random = SplitMix64(seed: 22)
    for _ in 0..<3_000 {
      let course = Self.course(using: &random)
      let start = Int.random(in: 0...1_000, using: &random)
      var clock = LogicalClock(course, at: start, step: Double(Int.random(in: 1...8, using: &random)) / 4)
      let frame = start + Int.random(in: -10...900, using: &random)
      let (place, laps, step) = (clock.place(at: frame), clock.laps(at: frame), clock.step)
      let isBehind = place >= Double(course.loopRange.upperBound)
      let times = Int.random(in: -1...6, using: &random)
      if Bool.random(using: &random) {
        clock.setRepeats(Repeats(integerLiteral: times), at: frame)
        #expect(clock.place(at: frame) == place)
        #expect(clock.laps(at: frame) == (isBehind || times < 0 ? laps : min(laps, times)))
        #expect(clock.course.repeats == Repeats(integerLiteral: times))
        let over = isBehind ? laps : times < 0 ? nil : max(laps, times)
        let left = over.map { Double(course.frameCount) - place + Double(($0 - laps) * course.loopRange.count) }
        let begin = max(frame, start)
        #expect(clock.end == left.map { begin + Int(($0 / step).rounded(.up)) })
      } else {
        let other = Self.course(using: &random)
        let target = Double.random(in: Double(other.loopRange.lowerBound)..<Double(other.frameCount), using: &random)
        clock.change(to: other, place: target, at: frame)
        let end = other.loopRange.upperBound
        let expected = !isBehind && target >= Double(end) ? Double(end - 1) : target
        #expect(abs(clock.place(at: frame) - expected) < 1e-9)
        let isBehind = isBehind && target >= Double(other.loopRange.upperBound)
        #expect(clock.laps(at: frame) == (isBehind ? laps : min(laps, other.repetitions ?? .max)) || laps > 0)
        #expect(clock.course.frameCount == other.frameCount && clock.course.repeats == other.repeats)
        // It goes on from the later one of its beginning and of the change.
        #expect(clock.position(at: max(frame, start) + 1) >= clock.position(at: max(frame, start)))
        #expect(clock.position(at: max(frame, start)) == clock.position(at: frame))
      }
    }
  }

  @Test func `A loop goes on where its newer samples are half a frame shorter`() {
    // 830 frames of 44,100 Hz are 903.4 frames of 48,000 Hz.
    var clock = LogicalClock(.init(frameCount: 830, repeats: .forever), at: 0, place: 829.8, step: 0)
    clock.change(to: .init(frameCount: 903, repeats: .forever), place: 829.8 * 48_000 / 44_100, at: 10)
    #expect(clock.end == nil && clock.course.length == nil && clock.place(at: 10) < 903)
    // Frames behind the loop stay behind it, and play once.
    clock = LogicalClock(.init(frameCount: 830, loopRange: 0..<800, repeats: .forever), at: 0, place: 810, step: 1)
    clock.change(to: .init(frameCount: 903, loopRange: 0..<871, repeats: .forever), place: 881.6, at: 0)
    #expect(clock.place(at: 0) == 881.6 && clock.end == 22)
  }

  @Test func `A change before the beginning of a clock leaves the beginning`() {
    let course = LogicalClock.Course(frameCount: 100)
    let changes: [(String, (inout LogicalClock) -> Void)] = [
      ("step", { $0.setStep(2, at: 20) }), ("repetitions", { $0.setRepeats(1, at: 20) }),
      ("course", { $0.setCourse(.init(frameCount: 90), at: 20) }),
      ("samples", { $0.change(to: .init(frameCount: 90), place: 0, at: 20) }),
    ]
    for (name, change) in changes {
      var clock = LogicalClock(course, at: 50, step: 1)
      change(&clock)
      #expect(clock.position(at: 50) == 0 && clock.position(at: 51) == (name == "step" ? 2 : 1), "\(name)")
      clock = LogicalClock(course, at: 10, step: 1)
      change(&clock)
      let expected: [String: Double] = ["step": 12, "repetitions": 11, "course": 11, "samples": 1]
      #expect(clock.position(at: 21) == expected[name], "\(name)")
    }
    var clock = LogicalClock(course, at: 10, step: 1)
    clock.rebase(from: 30, to: 1_000)
    #expect(clock.position(at: 1_000) == 20 && clock.position(at: 1_010) == 30)
    clock.setStep(-1, at: 1_010)
    #expect(clock.step == 0 && clock.position(at: 2_000) == 30)
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
    #expect(LogicalClock(.init(frameCount: 100), at: 7, place: 100, step: 0).end == 7)
    #expect(LogicalClock(.init(frameCount: 100), at: 7, place: 40, step: 1).end == 67)
    let last = LogicalClock.Course(frameCount: 100, loopRange: 99..<200, repeats: 2)
    #expect(last.loopRange == 99..<100 && last.length == 102)
    #expect(LogicalClock.Course(frameCount: 100, loopRange: 100..<200, repeats: 2).loopRange == 0..<100)
  }
}
