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
  private let sampleRate: Double
  private var keyed: KeyedGain
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
    self.sampleRate = ProcessingLimits.sampleRate(sampleRate)
    (threshold, depth) = (Glide(settings.threshold), Glide(settings.depth))
    gain = settings.depth
    keyed = KeyedGain(
      .heldPeak,
      channelCount: channelCount,
      keyChannelCount: keyChannelCount,
      sampleRate: sampleRate,
      gain: settings.depth
    )
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

  /// Processes whole frames by the level of as many frames of a key; by their own level without a key.
  package mutating func process(_ samples: inout MutableSpan<Float>, key: Span<Float>?) {
    keyed.checkFrames(of: key, for: samples.count)
    var frame = 0
    while keyed.advance(over: &samples, key: key, from: &frame) { endGroup() }
  }

  private mutating func endGroup() {
    threshold.advance(GainRamp.interval)
    depth.advance(GainRamp.interval)
    let level = keyed.detector.takeLevel()
    if level >= threshold.value || (isOpen && level >= threshold.value - settings.hysteresis) {
      (isOpen, heldFrames) = (true, 0)
    } else if isOpen {
      heldFrames += GainRamp.interval
      // The level has stayed for its window already.
      isOpen = Double(heldFrames + keyed.detector.windowLength) < settings.hold * sampleRate
    }
    let curve = ExpansionCurve(threshold: threshold.value, ratio: settings.ratio, depth: depth.value)
    let target = isOpen ? 0 : curve.gain(at: level)
    gain += (target - gain) * (target > gain ? attackCoefficient : releaseCoefficient)
    // An open gate keeps the samples, and a closed gate comes to rest. A step of 0.0001 dB is inaudible.
    if (target - gain).magnitude < 1e-4 { gain = target }
    keyed.ramp.endGroup(gain: gain)
  }

  package func isAtRest(afterSilence frameCount: Int) -> Bool {
    guard !isOpen, threshold.isSettled, depth.isSettled else { return false }
    let curve = ExpansionCurve(threshold: threshold.value, ratio: settings.ratio, depth: depth.value)
    return gain == curve.gain(at: LevelDetector.floor) && keyed.isAtRest(afterSilence: frameCount)
  }

  package mutating func skipSilence(_ frameCount: Int) { keyed.skipSilence(frameCount) }

  package mutating func reset() {
    keyed.reset(gain: settings.depth)
    threshold.finish()
    depth.finish()
    (isOpen, heldFrames, gain) = (false, 0, settings.depth)
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
