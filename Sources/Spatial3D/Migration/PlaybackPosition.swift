/// The position of a source at a time, for use after the loss of its device.
///
/// Pure: no call and no lock.
struct PlaybackPosition: Hashable, Sendable {
  /// The frame in its buffer or queue, with a fraction.
  var frame: Double
  /// The mixer's clock at that time, in nanoseconds.
  var clock: Int64
  var isPlaying: Bool

  /// The length and the loop of a source's sound.
  struct Extent: Hashable, Sendable {
    var frameCount: Int
    /// The repeated frames; empty without a loop.
    var loopRange = 0..<0

    /// The frame at a distance after another; `nil` behind the end.
    func frame(_ distance: Double, after start: Double) -> Double? {
      let position = start + max(distance, 0)
      if loopRange.isEmpty { return position < Double(frameCount) ? position : nil }
      guard position >= Double(loopRange.upperBound) else { return position }
      let lap = (position - Double(loopRange.lowerBound)).truncatingRemainder(dividingBy: Double(loopRange.count))
      return Double(loopRange.lowerBound) + lap
    }
  }

  /// The frame at a later time, at a number of frames of the sound per second; `nil` after the end.
  func frame(at now: Int64, framesPerSecond: Double, over extent: Extent) -> Double? {
    guard isPlaying else { return frame }
    return extent.frame(Double(now - clock) / 1e9 * framesPerSecond, after: frame)
  }
}

/// The last known playback of a source on a device that may be lost.
struct RecordedPlayback: Sendable {
  var sound: QueuedSound
  var isStream = false
  /// The position of the source; `nil` if it neither plays nor is paused.
  var position: PlaybackPosition?
  /// The frame of the next start, if it was set while the device was lost.
  var nextStart: Double?

  var extent: PlaybackPosition.Extent { .init(frameCount: isStream ? Int.max / 2 : sound.frameCount) }
}

/// The position of a source after a recorded one.
struct Extrapolation: Hashable, Sendable {
  var position: PlaybackPosition
  var framesPerSecond: Double
  var extent: PlaybackPosition.Extent
  /// The limit of every position.
  var lastFrame = Double.infinity

  /// The position at a later time; `nil` after the end.
  func position(at clock: Int64) -> (frame: Double, isPlaying: Bool)? {
    let frame = position.frame(at: clock, framesPerSecond: framesPerSecond, over: extent)
    return frame.map { (min($0, lastFrame), position.isPlaying) }
  }
}
