/// A gate: lowers the level of a sound below a threshold, with one gain for all channels.
///
/// The gate opens when the level reaches the threshold. It stays open until the level has been lower than the
/// threshold less the hysteresis for the hold time. The gain of a closed gate comes from the curve of an expander. It
/// rises with the attack, and falls with the release.
///
/// The level is the largest magnitude of the last 10 ms, so the half-waves of a voice do not move the gain. The gain
/// begins to move at most 8 frames after a level, and there is no latency. An open gate keeps the samples to the bit.
/// Unusable samples count as 0.
///
/// Pure: no system call, no lock, and no allocation after `init`.
package struct Gate: SoundProcessor, ~Copyable {
  package private(set) var settings: Settings
  private let channelCount: Int
  private let keyChannelCount: Int
  private let sampleRate: Double
  private var detector: LevelDetector
  private var ramp: GainRamp
  private var (attackCoefficient, releaseCoefficient): (Double, Double) = (1, 1)
  private var (threshold, depth): (Glide, Glide)
  /// The frames since the level was high enough to stay open.
  private var heldFrames = 0
  package private(set) var isOpen = false
  /// The gain in decibels: 0 for an open gate.
  private var gain: Double

  /// A gate that is closed; a key has as many channels as the sound unless `keyChannelCount` is given.
  package init(
    _ settings: Settings = Settings(),
    channelCount: Int,
    keyChannelCount: Int? = nil,
    sampleRate: Int
  ) {
    let settings = settings.limited()
    self.settings = settings
    self.channelCount = ProcessingLimits.channelCount(channelCount)
    self.keyChannelCount = ProcessingLimits.channelCount(keyChannelCount ?? channelCount)
    self.sampleRate = ProcessingLimits.sampleRate(sampleRate)
    let count = max(self.channelCount, self.keyChannelCount)
    detector = LevelDetector(.heldPeak, channelCount: count, sampleRate: sampleRate)
    (threshold, depth) = (Glide(settings.threshold), Glide(settings.depth))
    gain = settings.depth
    ramp = GainRamp(gain: gain)
    setTimes()
  }

  /// The gain moves to the settings with attack and release; threshold and depth glide as well.
  package mutating func set(_ settings: Settings, over frameCount: Int) {
    self.settings = settings.limited()
    threshold.move(to: self.settings.threshold, over: frameCount)
    depth.move(to: self.settings.depth, over: frameCount)
    setTimes()
  }

  private mutating func setTimes() {
    attackCoefficient = GainRamp.coefficient(of: settings.attack, less: 0, sampleRate: sampleRate)
    releaseCoefficient = GainRamp.coefficient(of: settings.release, less: 0, sampleRate: sampleRate)
  }

  package mutating func process(_ samples: inout MutableSpan<Float>) { process(&samples, optionalKey: nil) }

  /// Processes whole frames by the level of as many frames of a key.
  package mutating func process(_ samples: inout MutableSpan<Float>, key: Span<Float>) {
    precondition(
      key.count / keyChannelCount >= samples.count / channelCount,
      "the key has fewer frames than the sound"
    )
    process(&samples, optionalKey: key)
  }

  private mutating func process(_ samples: inout MutableSpan<Float>, optionalKey key: Span<Float>?) {
    let frameCount = samples.count / channelCount
    var frame = 0
    while frame < frameCount {
      let count = min(ramp.framesLeft, frameCount - frame)
      if let key {
        detector.measure(key, from: frame, count: count, channelCount: keyChannelCount)
      } else {
        detector.measure(samples.span, from: frame, count: count, channelCount: channelCount)
      }
      ramp.apply(to: &samples, from: frame, count: count, channelCount: channelCount)
      if ramp.isAtEnd { endGroup() }
      frame += count
    }
  }

  private mutating func endGroup() {
    threshold.advance(GainRamp.interval)
    depth.advance(GainRamp.interval)
    let level = detector.takeLevel()
    if level >= threshold.value || (isOpen && level >= threshold.value - settings.hysteresis) {
      (isOpen, heldFrames) = (true, 0)
    } else if isOpen {
      heldFrames += GainRamp.interval
      // The level has stayed for its window already.
      isOpen = Double(heldFrames + detector.windowLength) < settings.hold * sampleRate
    }
    let curve = ExpansionCurve(threshold: threshold.value, ratio: settings.ratio, depth: depth.value)
    let target = isOpen ? 0 : curve.gain(at: level)
    gain += (target - gain) * (target > gain ? attackCoefficient : releaseCoefficient)
    // An open gate keeps the samples. A step of 0.0001 dB is inaudible.
    if target == 0, gain > -1e-4 { gain = 0 }
    ramp.endGroup(gain: gain)
  }

  package mutating func reset() {
    detector.reset()
    threshold.finish()
    depth.finish()
    (isOpen, heldFrames, gain) = (false, 0, settings.depth)
    ramp = GainRamp(gain: gain)
  }

  package var gainChange: Double { gain }
}

extension Gate {
  package struct Settings: Hashable, Sendable {
    /// In decibels, -100 to 0.
    package var threshold = -50.0
    /// The lowest gain in decibels, -120 to 0.
    package var depth = -60.0
    /// 1 to 100.
    package var ratio = 10.0
    /// In decibels, 0 to 24.
    package var hysteresis = 4.0
    /// The seconds for 63 % of a change of the gain in decibels: 0.0001 to 1, and for the release to 10.
    package var (attack, release): (Double, Double) = (0.001, 0.15)
    /// In seconds, 0.01 to 10: the level itself stays for 10 ms.
    package var hold = 0.1

    package init() {}

    func limited() -> Settings {
      var result = self
      result.threshold = threshold.limited(to: -100...0, notANumber: -50)
      result.depth = depth.limited(to: -120...0, notANumber: -60)
      result.ratio = ratio.limited(to: 1...100, notANumber: 10)
      result.hysteresis = hysteresis.limited(to: 0...24, notANumber: 4)
      result.attack = attack.limited(to: 0.0001...1, notANumber: 0.001)
      result.release = release.limited(to: 0.001...10, notANumber: 0.15)
      result.hold = hold.limited(to: 0.01...10, notANumber: 0.1)
      return result
    }
  }
}
