/// The method by which a source repeats a sound a number of times.
///
/// OpenAL repeats forever or not at all. A source repeats until the last lap, in which the world ends the loop. That
/// needs laps that are longer than 0.2 s of the mix. A short sound is therefore queued as often as it plays. Pure: no
/// call and no lock.
struct LoopPlan: Hashable, Sendable {
  /// Whether the source repeats by itself from here.
  var isLooping: Bool
  /// The number of times that the sound is queued; 1 for none but itself.
  var copies = 1

  /// The most copies of a sound in a queue.
  ///
  /// Chosen: 64 copies of a sound below 0.2 s last up to 13 s. OpenAL Soft walks the queue for each read of a position.
  private static let mostCopies = 64

  init(_ clock: LogicalClock, at frame: Int, sampleRate: Int, isStream: Bool) {
    let course = clock.course
    guard let repetitions = course.repetitions else {
      isLooping = true
      return
    }
    isLooping = clock.laps(at: frame) < repetitions
    let isWhole = course.loopRange == 0..<course.frameCount
    // Twice the margin of a source on an output: it ends its loop at most half a lap after the last lap began.
    let isShort = Double(course.loopRange.count) < 0.2 * Double(sampleRate) * max(clock.step, 1)
    guard isLooping, isShort, isWhole, !isStream, repetitions < Self.mostCopies else { return }
    (isLooping, copies) = (false, repetitions + 1)
  }

  /// Whether a source that repeats is to end its loop: it is well inside of the last lap.
  static func isInLastLap(_ clock: LogicalClock, at frame: Int, marginFrames: Int) -> Bool {
    let course = clock.course
    guard let repetitions = course.repetitions, clock.laps(at: frame) >= repetitions else { return false }
    let start = Double(course.loopRange.lowerBound)
    let margin = min(Double(marginFrames) * clock.step, Double(course.loopRange.count) / 2)
    return clock.place(at: frame) - start >= margin
  }
}
