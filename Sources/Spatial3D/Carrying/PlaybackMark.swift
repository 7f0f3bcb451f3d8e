/// Where a source was at a moment: what is left of it on a device that is gone and does not say any more.
///
/// Pure: no call and no lock.
struct PlaybackMark: Hashable, Sendable {
  /// The frame of its buffer or queue, with what is between two of them.
  var frame: Double
  /// Nanoseconds that the mixer had mixed.
  var clock: Int64
  var isPlaying: Bool

  /// What there is to play.
  struct Course: Hashable, Sendable {
    var frameCount: Int
    /// What repeats; empty where nothing does.
    var loopRange = 0..<0

    /// The place some frames after another; `nil` behind the end.
    func frame(_ distance: Double, after start: Double) -> Double? {
      let place = start + max(distance, 0)
      if loopRange.isEmpty { return place < Double(frameCount) ? place : nil }
      guard place >= Double(loopRange.upperBound) else { return place }
      let lap = (place - Double(loopRange.lowerBound)).truncatingRemainder(dividingBy: Double(loopRange.count))
      return Double(loopRange.lowerBound) + lap
    }
  }

  /// Where the source is at a later moment, when it took so many frames of its sound in a second; `nil` where it has ended.
  func frame(at now: Int64, framesPerSecond: Double, on course: Course) -> Double? {
    guard isPlaying else { return frame }
    return course.frame(Double(now - clock) / 1e9 * framesPerSecond, after: frame)
  }
}

/// Where a source was at a moment, and how it goes on.
struct MarkedCourse: Hashable, Sendable {
  var mark: PlaybackMark
  var framesPerSecond: Double
  var course: PlaybackMark.Course
  /// No place is behind this frame.
  var lastFrame = Double.infinity

  /// Where it is at a later moment; `nil` of one that has ended.
  func place(at clock: Int64) -> (frame: Double, isPlaying: Bool)? {
    mark.frame(at: clock, framesPerSecond: framesPerSecond, on: course).map { (min($0, lastFrame), mark.isPlaying) }
  }
}
