/// The level and the gain of a compressor or a gate: one level for each group of frames, and a line to the next gain.
///
/// The owner sets the gain of the next group from the level, each time that `advance` returns `true`.
struct KeyedGain: ~Copyable {
  private let channelCount: Int
  private let keyChannelCount: Int
  var detector: LevelDetector
  var ramp: GainRamp

  /// A gain that rests, in decibels; a key has as many channels as the sound unless `keyChannelCount` is given.
  init(
    _ kind: LevelDetector.Kind,
    channelCount: Int,
    keyChannelCount: Int?,
    sampleRate: Int,
    gain: Double
  ) {
    self.channelCount = ProcessingLimits.channelCount(channelCount)
    self.keyChannelCount = ProcessingLimits.channelCount(keyChannelCount ?? channelCount)
    let count = max(self.channelCount, self.keyChannelCount)
    detector = LevelDetector(kind, channelCount: count, sampleRate: sampleRate)
    ramp = GainRamp(gain: gain)
  }

  /// Checks once in front of `advance` that a key has a frame for each frame of the sound.
  func checkFrames(of key: Span<Float>?, for sampleCount: Int) {
    guard let key else { return }
    precondition(
      key.count / keyChannelCount >= sampleCount / channelCount,
      "the key has fewer frames than the sound"
    )
  }

  /// Measures the sound, or as many frames of a key, and applies the gain, up to the end of a group.
  ///
  /// Moves `frame` on. Returns `false` at the end of the sound: the group goes on with the next block.
  mutating func advance(over samples: inout MutableSpan<Float>, key: Span<Float>?, from frame: inout Int) -> Bool {
    let frameCount = samples.count / channelCount
    let count = min(ramp.framesLeft, frameCount - frame)
    if let key {
      detector.measure(key, from: frame, count: count, channelCount: keyChannelCount)
    } else {
      detector.measure(samples.span, from: frame, count: count, channelCount: channelCount)
    }
    ramp.apply(to: &samples, from: frame, count: count, channelCount: channelCount)
    frame += count
    return ramp.isAtEnd
  }

  /// Whether silence leaves the level and the gain as they are, after so many silent frames.
  func isAtRest(afterSilence frameCount: Int) -> Bool { ramp.isConstant && detector.isSilent(after: frameCount) }

  mutating func skipSilence(_ frameCount: Int) { detector.skip(groups: ramp.skip(frameCount)) }

  /// Returns the level to silence, and the gain to a resting one in decibels.
  mutating func reset(gain: Double) {
    detector.reset()
    ramp = GainRamp(gain: gain)
  }
}
