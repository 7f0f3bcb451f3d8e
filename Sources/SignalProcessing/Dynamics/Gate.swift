/// A gate: lowers the level of a sound below a threshold, with one gain for all channels.
///
/// The gate opens when the level reaches the threshold. It stays open until the level has been lower than the
/// threshold less the hysteresis for the hold time. The gain of a closed gate comes from the curve of an expander. It
/// rises with the attack, and falls with the release.
///
/// An open gate keeps the samples to the bit. The result does not depend on the lengths of the blocks, and the state
/// holds levels alone: samples that are not finite do not count for them.
///
/// Pure: no call, no lock, and no allocation after `init`.
package struct Gate: Sendable {
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
    /// In seconds, 0.01 to 10: a shorter time would close the gate between the half-waves of a low voice.
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

  package private(set) var settings: Settings
  private let channelCount: Int
  private let sampleRate: Double
  private var detector: LevelDetector
  private var ramp = GainRamp()
  private var (attackShare, releaseShare): (Double, Double)
  private var (threshold, depth): (Glide, Glide)
  private var heldFrames = 0
  package private(set) var isOpen = false
  /// The gain in decibels: 0 for an open gate.
  package private(set) var gain: Double

  /// A gate that is closed.
  package init(
    _ settings: Settings = Settings(),
    channelCount: Int,
    keyChannelCount: Int? = nil,
    sampleRate: Int
  ) {
    let settings = settings.limited()
    self.settings = settings
    self.channelCount = ProcessingLimits.channelCount(channelCount)
    self.sampleRate = ProcessingLimits.sampleRate(sampleRate)
    detector = LevelDetector(.peak, channelCount: keyChannelCount ?? channelCount, sampleRate: sampleRate)
    attackShare = groupShare(of: settings.attack, sampleRate: self.sampleRate)
    releaseShare = groupShare(of: settings.release, sampleRate: self.sampleRate)
    (threshold, depth) = (Glide(settings.threshold), Glide(settings.depth))
    gain = settings.depth
    ramp.endGroup(gain: gain)
    ramp.endGroup(gain: gain)
  }

  /// Changes the settings.
  ///
  /// The gain moves to them with attack and release; threshold and depth glide as well.
  package mutating func set(_ settings: Settings, over frames: Int) {
    let settings = settings.limited()
    self.settings = settings
    attackShare = groupShare(of: settings.attack, sampleRate: sampleRate)
    releaseShare = groupShare(of: settings.release, sampleRate: sampleRate)
    threshold.move(to: settings.threshold, over: frames)
    depth.move(to: settings.depth, over: frames)
  }

  /// Processes whole frames, which are the key as well.
  package mutating func process(_ samples: inout MutableSpan<Float>) {
    let frameCount = samples.count / channelCount
    var frame = 0
    while frame < frameCount {
      let count = min(ramp.framesLeft, frameCount - frame)
      detector.measure(samples.span, from: frame, count: count)
      apply(to: &samples, from: frame, count: count)
      frame += count
    }
  }

  /// Processes whole frames by the level of as many frames of a key.
  package mutating func process(_ samples: inout MutableSpan<Float>, key: Span<Float>) {
    let frameCount = samples.count / channelCount
    var frame = 0
    while frame < frameCount {
      let count = min(ramp.framesLeft, frameCount - frame)
      detector.measure(key, from: frame, count: count)
      apply(to: &samples, from: frame, count: count)
      frame += count
    }
  }

  private mutating func apply(to samples: inout MutableSpan<Float>, from frame: Int, count: Int) {
    ramp.apply(to: &samples, from: frame, count: count, channelCount: channelCount)
    guard ramp.isAtEnd else { return }
    threshold.advance(GainRamp.interval)
    depth.advance(GainRamp.interval)
    let level = detector.takeLevel()
    if level >= threshold.value || (isOpen && level >= threshold.value - settings.hysteresis) {
      (isOpen, heldFrames) = (true, 0)
    } else if isOpen {
      heldFrames += GainRamp.interval
      isOpen = Double(heldFrames) < settings.hold * sampleRate
    }
    let curve = ExpansionCurve(threshold: threshold.value, ratio: settings.ratio, depth: depth.value)
    let target = isOpen ? 0 : curve.gain(at: level)
    gain += (target - gain) * (target > gain ? attackShare : releaseShare)
    // An open gate keeps the samples. A step of 0.0001 dB is inaudible.
    if target == 0, gain > -1e-4 { gain = 0 }
    ramp.endGroup(gain: gain)
  }

  /// Forgets the sound so far.
  package mutating func reset() {
    detector.reset()
    (isOpen, heldFrames, gain) = (false, 0, depth.value)
  }
}
