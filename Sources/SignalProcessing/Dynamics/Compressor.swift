/// A compressor: lowers the level above a threshold, with one gain for all channels.
///
/// The level of the sound, or of a key, gives a gain by the curve. The gain falls with the attack and rises with the
/// release. Source: Giannoulis, Massberg and Reiss (2012), the smooth decoupled detector on the gain in decibels, with
/// one change: the attack filter acts only while the gain falls, so a release of any length has exactly its time.
///
/// The numbers glide. The gain of each 8 frames is a line over the next 8, so the compressor has no latency: the gain
/// begins to move at most 8 frames after a level, and reaches its value at most 16 frames after it. Without reduction
/// and make-up the samples stay equal to the bit. Unusable samples count as 0.
///
/// Pure: no system call, no lock, and no allocation after `init`.
package struct Compressor: SoundProcessor, ~Copyable {
  package private(set) var settings: Settings
  private let sampleRate: Double
  private var keyed: KeyedGain
  /// Threshold, inverse ratio, knee and make-up.
  private var (threshold, slope, knee, makeup): (Glide, Glide, Glide, Glide)
  private var isGliding = false
  private var curve: CompressionCurve
  private var (attackCoefficient, releaseCoefficient): (Double, Double) = (1, 1)
  /// The gain with the release alone, in decibels: the lowest gain of the curve, as it returns.
  private var released = 0.0
  /// The gain with attack and release, in decibels without the make-up: 0 or less.
  private var reduction = 0.0

  /// A compressor; a key has as many channels as the sound unless `keyChannelCount` is given.
  package init(
    _ settings: Settings = Settings(),
    channelCount: Int,
    keyChannelCount: Int? = nil,
    sampleRate: Int
  ) {
    let settings = settings.limited()
    self.settings = settings
    self.sampleRate = ProcessingLimits.sampleRate(sampleRate)
    keyed = KeyedGain(
      settings.detector == .peak ? .peak : .rootMeanSquare,
      channelCount: channelCount,
      keyChannelCount: keyChannelCount,
      sampleRate: sampleRate,
      gain: settings.makeup
    )
    keyed.detector.setHighPass(settings.keyHighPass)
    (threshold, slope) = (Glide(settings.threshold), Glide(1 / settings.ratio))
    (knee, makeup) = (Glide(settings.knee), Glide(settings.makeup))
    curve = CompressionCurve(threshold: settings.threshold, ratio: settings.ratio, knee: settings.knee)
    setTimes()
  }

  package func canGlide(to settings: Settings) -> Bool { settings.detector == self.settings.detector }

  /// Attack, release and the filter of the key change at once: they change no gain by themselves.
  package mutating func set(_ settings: Settings, over frameCount: Int) {
    guard canGlide(to: settings) else { return }
    let settings = settings.limited()
    if settings.keyHighPass != self.settings.keyHighPass { keyed.detector.setHighPass(settings.keyHighPass) }
    threshold.move(to: settings.threshold, over: frameCount)
    slope.move(to: 1 / settings.ratio, over: frameCount)
    knee.move(to: settings.knee, over: frameCount)
    makeup.move(to: settings.makeup, over: frameCount)
    (self.settings, isGliding) = (settings, true)
    setTimes()
  }

  private mutating func setTimes() {
    let lateness = keyed.detector.lateness
    attackCoefficient = GainRamp.coefficient(of: settings.attack, less: lateness.rising, sampleRate: sampleRate)
    releaseCoefficient = GainRamp.coefficient(of: settings.release, less: lateness.falling, sampleRate: sampleRate)
  }

  /// Processes whole frames by the level of as many frames of a key; by their own level without a key.
  package mutating func process(_ samples: inout MutableSpan<Float>, key: Span<Float>?) {
    keyed.checkFrames(of: key, for: samples.count)
    var frame = 0
    while keyed.advance(over: &samples, key: key, from: &frame) { endGroup() }
  }

  private mutating func endGroup() {
    if isGliding { glide() }
    let target = curve.gain(at: keyed.detector.takeLevel())
    released += (target - released) * releaseCoefficient
    if target < released { released = target }
    reduction += released < reduction ? (released - reduction) * attackCoefficient : released - reduction
    // The gain returns to exactly 1, and the samples to themselves. A step of 0.0001 dB is inaudible.
    if target == 0, released > -1e-4 { released = 0 }
    if released == 0, reduction > -1e-4 { reduction = 0 }
    keyed.ramp.endGroup(gain: reduction + makeup.value)
  }

  private mutating func glide() {
    threshold.advance(GainRamp.interval)
    slope.advance(GainRamp.interval)
    knee.advance(GainRamp.interval)
    makeup.advance(GainRamp.interval)
    curve = CompressionCurve(threshold: threshold.value, ratio: 1 / slope.value, knee: knee.value)
    isGliding = !(threshold.isSettled && slope.isSettled && knee.isSettled && makeup.isSettled)
  }

  package func isAtRest(afterSilence frameCount: Int) -> Bool {
    !isGliding && released == 0 && reduction == 0 && keyed.isAtRest(afterSilence: frameCount)
  }

  package mutating func skipSilence(_ frameCount: Int) { keyed.skipSilence(frameCount) }

  package mutating func reset() {
    keyed.reset(gain: settings.makeup)
    threshold.finish()
    slope.finish()
    knee.finish()
    makeup.finish()
    curve = CompressionCurve(threshold: settings.threshold, ratio: settings.ratio, knee: settings.knee)
    (released, reduction, isGliding) = (0, 0, false)
  }

  /// The gain with attack and release, without the make-up: 0 or less.
  package var gainChange: Double { reduction }
}

extension Compressor {
  /// The measure of the level.
  package enum Detector: Hashable, Sendable {
    /// The largest magnitude of each 8 frames.
    ///
    /// Between the crests of a tone the gain returns a little. With the default times and a ratio of 4, the reduction
    /// is smaller than on the curve by 0.25 dB at 50 Hz, and by 0.05 dB from 230 Hz on.
    case peak
    /// The root of the mean square of 10 ms.
    ///
    /// The curve is exact for tones of multiples of 50 Hz. Between them the level has a ripple, and the reduction
    /// follows its crests: with the default times and a ratio of 4 it is larger by 0.6 dB at 70 Hz, 0.4 dB at 125 Hz,
    /// 0.2 dB at 230 Hz, and less than 0.05 dB from 1 kHz on. An attack takes 2 ms at least, and a release 10 ms. From
    /// 4 ms and 20 ms on they take their times within 5 %, for a step of 20 dB.
    case rootMeanSquare
  }

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
    package var detector = Detector.rootMeanSquare
    /// The lowest frequency that the detector measures, in hertz, to 0.49 of the rate; 0 for all.
    package var keyHighPass = 0.0

    package init() {}

    /// The settings with their numbers in the ranges; a number that is not a number becomes the default.
    package func limited() -> Settings {
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
}
