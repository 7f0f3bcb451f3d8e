internal import Glibc

/// A compressor: lowers the level above a threshold, with one gain for all channels.
///
/// The level of the sound, or of a key, gives a gain by the curve. The gain falls with the attack and rises with the
/// release. Source: Giannoulis, Massberg and Reiss (2012), the smooth decoupled detector on the gain in decibels, with
/// one change: the attack filter acts only while the gain falls, so a release of any length has exactly its time.
///
/// The numbers glide. The gain is a line over 8 frames, so the compressor has no latency, and acts at most 8 frames
/// late. Without reduction and make-up the samples stay equal to the bit. The result does not depend on the lengths of
/// the blocks. The state holds levels alone, and samples that are not finite do not count for them.
///
/// Pure: no call, no lock, and no allocation after `init`.
package struct Compressor: Sendable {
  package struct Settings: Hashable, Sendable {
    /// In decibels, -80 to 0.
    package var threshold = -18.0
    /// 1 to 1,000.
    package var ratio = 3.0
    /// In decibels, 0 to 24.
    package var knee = 6.0
    /// The gain behind the compressor in decibels, -24 to 24.
    package var makeup = 0.0
    /// The seconds for 63 % of a reduction in decibels, 0.0001 to 1.
    package var attack = 0.01
    /// The seconds for the return of 63 % of a reduction in decibels, 0.001 to 10.
    package var release = 0.12
    /// The lowest frequency that the detector measures, in hertz, to 0.49 of the rate; 0 for all.
    package var keyHighPass = 0.0

    package init() {}

    func limited() -> Settings {
      var result = self
      result.threshold = threshold.limited(to: -80...0, notANumber: -18)
      result.ratio = ratio.limited(to: 1...1_000, notANumber: 3)
      result.knee = knee.limited(to: 0...24, notANumber: 6)
      result.makeup = makeup.limited(to: -24...24, notANumber: 0)
      result.attack = attack.limited(to: 0.0001...1, notANumber: 0.01)
      result.release = release.limited(to: 0.001...10, notANumber: 0.12)
      result.keyHighPass = keyHighPass.limited(to: 0...200_000, notANumber: 0)
      return result
    }
  }

  package private(set) var settings: Settings
  private let channelCount: Int
  private let sampleRate: Double
  private var detector: LevelDetector
  private var ramp = GainRamp()
  /// Threshold, inverse ratio, knee and make-up.
  private var (threshold, slope, knee, makeup): (Glide, Glide, Glide, Glide)
  private var isGliding = false
  private var curve: CompressionCurve
  private var (attackShare, releaseShare): (Double, Double)
  /// The gain with the release alone, in decibels: the lowest gain of the curve, as it returns.
  private var released = 0.0
  /// The gain with attack and release, in decibels without the make-up: 0 or less.
  package private(set) var reduction = 0.0

  package init(
    _ settings: Settings = Settings(),
    detector kind: LevelDetector.Kind = .rootMeanSquare,
    channelCount: Int,
    keyChannelCount: Int? = nil,
    sampleRate: Int
  ) {
    let settings = settings.limited()
    self.settings = settings
    self.channelCount = ProcessingLimits.channelCount(channelCount)
    self.sampleRate = ProcessingLimits.sampleRate(sampleRate)
    detector = LevelDetector(kind, channelCount: keyChannelCount ?? channelCount, sampleRate: sampleRate)
    detector.setHighPass(settings.keyHighPass)
    (threshold, slope) = (Glide(settings.threshold), Glide(1 / settings.ratio))
    (knee, makeup) = (Glide(settings.knee), Glide(settings.makeup))
    curve = CompressionCurve(threshold: settings.threshold, ratio: settings.ratio, knee: settings.knee)
    attackShare = groupShare(of: settings.attack, sampleRate: self.sampleRate)
    releaseShare = groupShare(of: settings.release, sampleRate: self.sampleRate)
    if settings.makeup != 0 {
      ramp.endGroup(gain: settings.makeup)
      ramp.endGroup(gain: settings.makeup)
    }
  }

  /// Begins to glide to other settings, over so many frames.
  ///
  /// Attack, release and the filter of the key change at once: they change no gain by themselves.
  package mutating func set(_ settings: Settings, over frames: Int) {
    let settings = settings.limited()
    if settings.keyHighPass != self.settings.keyHighPass { detector.setHighPass(settings.keyHighPass) }
    attackShare = groupShare(of: settings.attack, sampleRate: sampleRate)
    releaseShare = groupShare(of: settings.release, sampleRate: sampleRate)
    threshold.move(to: settings.threshold, over: frames)
    slope.move(to: 1 / settings.ratio, over: frames)
    knee.move(to: settings.knee, over: frames)
    makeup.move(to: settings.makeup, over: frames)
    (self.settings, isGliding) = (settings, true)
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
    if isGliding { glide() }
    let target = curve.gain(at: detector.takeLevel())
    released += (target - released) * releaseShare
    if target < released { released = target }
    reduction += released < reduction ? (released - reduction) * attackShare : released - reduction
    // The gain returns to exactly 1, and the samples to themselves. A step of 0.0001 dB is inaudible.
    if target == 0, released > -1e-4 { released = 0 }
    if released == 0, reduction > -1e-4 { reduction = 0 }
    ramp.endGroup(gain: reduction + makeup.value)
  }

  private mutating func glide() {
    threshold.advance(GainRamp.interval)
    slope.advance(GainRamp.interval)
    knee.advance(GainRamp.interval)
    makeup.advance(GainRamp.interval)
    curve = CompressionCurve(threshold: threshold.value, ratio: 1 / slope.value, knee: knee.value)
    isGliding = !(threshold.isSettled && slope.isSettled && knee.isSettled && makeup.isSettled)
  }

  /// Forgets the sound so far.
  package mutating func reset() {
    detector.reset()
    (released, reduction) = (0, 0)
  }
}
