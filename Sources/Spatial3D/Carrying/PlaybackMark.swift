/// The position of a source at a time, for use after the loss of its device.
///
/// Pure: no call and no lock.
struct PlaybackMark: Hashable, Sendable {
  /// The frame in its buffer or queue, with a fraction.
  var frame: Double
  /// The mixer's clock at that time, in nanoseconds.
  var clock: Int64
  var isPlaying: Bool

  /// The length and the loop of a source's sound.
  struct Course: Hashable, Sendable {
    var frameCount: Int
    /// The repeated frames; empty without a loop.
    var loopRange = 0..<0

    /// The frame at a distance after another; `nil` behind the end.
    func frame(_ distance: Double, after start: Double) -> Double? {
      let place = start + max(distance, 0)
      if loopRange.isEmpty { return place < Double(frameCount) ? place : nil }
      guard place >= Double(loopRange.upperBound) else { return place }
      let lap = (place - Double(loopRange.lowerBound)).truncatingRemainder(dividingBy: Double(loopRange.count))
      return Double(loopRange.lowerBound) + lap
    }
  }

  /// The frame at a later time, at a number of frames of the sound per second; `nil` after the end.
  func frame(at now: Int64, framesPerSecond: Double, on course: Course) -> Double? {
    guard isPlaying else { return frame }
    return course.frame(Double(now - clock) / 1e9 * framesPerSecond, after: frame)
  }
}

/// The position of a source at a time, and its course from there.
struct MarkedCourse: Hashable, Sendable {
  var mark: PlaybackMark
  var framesPerSecond: Double
  var course: PlaybackMark.Course
  /// The limit of every position.
  var lastFrame = Double.infinity

  /// The position at a later time; `nil` after the end.
  func place(at clock: Int64) -> (frame: Double, isPlaying: Bool)? {
    mark.frame(at: clock, framesPerSecond: framesPerSecond, on: course).map { (min($0, lastFrame), mark.isPlaying) }
  }
}
