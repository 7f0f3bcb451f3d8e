/// The position of an emitter in its sound, computed from the frames of the mix.
///
/// A virtual emitter has no source that could be asked. Its clock counts in the step that the mixer has: the position
/// is then exact to the fraction of a frame, also after hours. All positions count from the start of the sound and go
/// on through its repetitions; ``place(of:)`` folds them into the sound.
///
/// Pure: no call and no lock.
struct LogicalClock: Hashable, Sendable {
  /// The frames of the sound that an emitter plays, and the part that it repeats.
  struct Course: Hashable, Sendable {
    let frameCount: Int
    /// The frames that repeat, inside of the sound; those before it play once at the start, those after it at the end.
    let loopRange: Range<Int>
    /// The number of repetitions that the program has asked for; -1 without an end.
    private let times: Int32
    /// The number of repetitions of this playback: behind the loop, only those that are over.
    private let limit: Int32

    /// The largest number of repetitions.
    static let mostRepetitions = Int(Int32.max)

    init(frameCount: Int, loopRange: Range<Int>? = nil, repeats: Repeats = .times(0)) {
      let frameCount = max(frameCount, 0)
      let range = (loopRange ?? 0..<frameCount).clamped(to: 0..<frameCount)
      self.frameCount = frameCount
      self.loopRange = range.isEmpty ? 0..<frameCount : range
      times =
        switch repeats {
        case .times(let count): Int32(clamping: max(count, 0))
        case .forever: -1
        }
      limit = times
    }

    private init(_ course: Course, repetitions: Int) {
      (frameCount, loopRange, times) = (course.frameCount, course.loopRange, course.times)
      limit = Int32(clamping: repetitions)
    }

    /// The number of repetitions of this playback; `nil` without an end.
    var repetitions: Int? { limit < 0 ? nil : Int(limit) }

    /// The number of repetitions that the program has asked for.
    var repeats: Repeats { times < 0 ? .forever : .times(Int(times)) }

    /// The course of a playback at an offset in the sound, after a number of laps, and the position of that offset.
    ///
    /// Frames behind the loop play once, to the end: no lap follows them.
    func entered(at place: Double, after laps: Int) -> (course: Course, position: Double) {
      let own = Course(self, repetitions: Int(times))
      guard place < Double(loopRange.upperBound) else {
        return (Course(self, repetitions: laps), max(place, 0) + Double(laps) * Double(loopRange.count))
      }
      let over = min(laps, own.repetitions ?? .max)
      return (own, max(place, 0) + Double(over) * Double(loopRange.count))
    }

    /// The position at which the sound is over; `nil` without an end.
    var length: Double? {
      if loopRange.isEmpty { return 0 }
      return repetitions.map { Double(frameCount) + Double($0) * Double(loopRange.count) }
    }

    /// How often the sound has started over at a position.
    func laps(at position: Double) -> Int {
      guard !loopRange.isEmpty, position >= Double(loopRange.upperBound) else { return 0 }
      let laps = ((position - Double(loopRange.lowerBound)) / Double(loopRange.count)).rounded(.down)
      return min(Int(laps), repetitions ?? .max)
    }

    /// The frame of the sound at a position, with a fraction.
    func place(of position: Double) -> Double {
      max(position - Double(laps(at: position)) * Double(loopRange.count), 0)
    }
  }

  private(set) var course: Course
  /// The frame of the mix at which ``position`` was in force.
  private var anchor: Int
  private var position: Double
  /// The frames of the sound for one frame of the mix; 0 while the emitter is paused.
  private(set) var step: Double

  /// A clock that starts at a frame of the mix, at an offset in the sound.
  init(_ course: Course, at frame: Int, place: Double = 0, step: Double) {
    (self.course, position) = course.entered(at: place, after: 0)
    anchor = frame
    self.step = max(step, 0)
  }

  /// The position at a frame of the mix, at most the end.
  func position(at frame: Int) -> Double {
    let now = position + Double(max(frame - anchor, 0)) * step
    return min(now, course.length ?? now)
  }

  /// The frame of the sound at a frame of the mix, with a fraction.
  func place(at frame: Int) -> Double { course.place(of: position(at: frame)) }

  /// How often the sound has started over at a frame of the mix.
  func laps(at frame: Int) -> Int { course.laps(at: position(at: frame)) }

  /// The first frame of the mix at which the sound is over; `nil` where it never is.
  var end: Int? {
    guard let length = course.length else { return nil }
    if position >= length { return anchor }
    let frames = ((length - position) / step).rounded(.up)
    return frames < 1e15 ? anchor + Int(frames) : nil
  }

  /// Goes on with another step from a frame of the mix on; 0 pauses.
  mutating func setStep(_ step: Double, at frame: Int) {
    guard step != self.step else { return }
    (position, anchor) = (position(at: frame), max(frame, anchor))
    self.step = max(step, 0)
  }

  /// Goes on with another number of repetitions, at the same offset in the sound.
  ///
  /// Laps that are over count against it. If they are more than it allows, the present lap is the last one.
  mutating func setRepeats(_ repeats: Repeats, at frame: Int) {
    let now = position(at: frame)
    let new = Course(frameCount: course.frameCount, loopRange: course.loopRange, repeats: repeats)
    (course, position) = new.entered(at: course.place(of: now), after: course.laps(at: now))
    anchor = max(frame, anchor)
  }

  /// Goes on with another course, at the same position.
  mutating func setCourse(_ course: Course, at frame: Int) {
    guard course != self.course else { return }
    (position, anchor) = (position(at: frame), max(frame, anchor))
    self.course = course
  }

  /// Goes on at the same position, in frames that are counted otherwise.
  mutating func rebase(from old: Int, to new: Int) { (position, anchor) = (position(at: old), new) }

  /// Goes on at another offset in the sound from a frame of the mix on, in the first lap.
  mutating func seek(to place: Double, at frame: Int) {
    (course, position) = course.entered(at: place, after: 0)
    anchor = frame
  }

  /// Goes on with other samples of the sound from a frame of the mix on, at an offset in the same lap.
  ///
  /// An offset inside of the loop stays inside: the new loop may be half a frame shorter than the old loop.
  mutating func change(to course: Course, place: Double, at frame: Int) {
    let isInLoop = self.place(at: frame) < Double(self.course.loopRange.upperBound)
    let end = course.loopRange.upperBound
    let place = isInLoop && place >= Double(end) ? Double(end - 1) : place
    (self.course, position) = course.entered(at: place, after: laps(at: frame))
    anchor = max(frame, anchor)
  }

  /// Takes over the offset in the sound that a source has at a frame of the mix, in the nearest lap.
  mutating func adopt(place: Double, at frame: Int) {
    let count = Double(course.loopRange.count)
    let computed = position(at: frame)
    let laps = course.laps(at: computed)
    // The source may have started over a frame earlier or later than computed.
    let nearby = (max(laps - 1, 0)...(laps + 1)).map { place + Double($0) * count }
    let nearest = nearby.min { abs($0 - computed) < abs($1 - computed) } ?? place
    (position, anchor) = (min(nearest, course.length ?? nearest), frame)
  }

  /// Takes over the offset in the sound that a late source has at a frame of the mix, in the last lap that is not ahead
  /// of the clock.
  mutating func adoptDelay(place: Double, at frame: Int) {
    let count = Double(course.loopRange.count)
    let computed = position(at: frame)
    // Rounding must not cost a lap. An offset ahead of the loop is played once.
    let passed = ((computed + 1 - place) / max(count, 1)).rounded(.down)
    let laps = place < Double(course.loopRange.lowerBound) ? 0 : min(max(passed, 0), Double(course.laps(at: computed)))
    let late = place + laps * count
    (position, anchor) = (min(late, course.length ?? late), frame)
  }
}
