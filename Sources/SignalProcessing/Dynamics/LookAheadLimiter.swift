internal import Glibc

/// A limiter that lowers the gain before a peak arrives, with one gain for all channels.
///
/// A frame needs a gain of ceiling over peak. This gain falls at once, and rises with the release. Then come the
/// least gain of a window, and two moving averages. Their lengths make the gain smooth, and lower it in time: no
/// sample is above the ceiling, for any input. With true peak the window is longer by the interpolator of BS.1770-4,
/// annex 2, so the gain rests around a peak between samples.
///
/// The gains are whole numbers of 2^-32, so that the sums are exact: after the release the gain is exactly 1 again,
/// and the samples are the delayed input to the bit. Unusable samples count as 0.
///
/// Pure: no system call, no lock, and no allocation after `init`.
package struct LookAheadLimiter: SoundProcessor, ~Copyable {
  package private(set) var settings: Settings
  package let latency: Int

  private let channelCount: Int
  private let sampleRate: Double
  private var detector: TruePeakDetector
  private var ceiling: Glide
  /// The ceiling as a factor, until the frames of the present part of the grid have passed.
  private var limit = 1.0
  private var framesOfLimit = 0
  private var releaseCoefficient: Double
  /// The gain with the release, at the newest frame.
  private var released = 1.0
  private var least: SlidingMinimum
  private var (first, second): (MovingSum, MovingSum)
  private let scale: Double
  /// The sound that waits, as a ring of interleaved frames.
  private var line: [Float]
  private var place = 0
  /// The gains of the frames of a chunk: as whole numbers, then as sums of them, and finally as factors.
  private var numbers = [Int](repeating: 0, count: TruePeakDetector.chunk)
  private var gains = [Float](repeating: 1, count: TruePeakDetector.chunk)
  /// The least gain of the last block, 1 without reduction.
  private var leastGain: Float = 1
  /// The frames since the last gain below 1; from the length of all windows on, no window holds this gain.
  private var framesWithoutReduction: Int
  private let windowLength: Int

  /// A gain of 1 as a whole number.
  private static let one = 1 << 32

  package init(_ settings: Settings = Settings(), channelCount: Int, sampleRate: Int) {
    let (settings, rate) = (settings.limited(), ProcessingLimits.sampleRate(sampleRate))
    self.settings = settings
    (self.channelCount, self.sampleRate) = (ProcessingLimits.channelCount(channelCount), rate)
    detector = TruePeakDetector(channelCount: self.channelCount, sampleRate: Int(rate))
    let extra = settings.isTruePeak ? detector.interpolatorLength - 1 : 0
    // Chosen: with less than four lengths of the interpolator, the gain is not constant enough over one of them.
    let shortest = extra > 0 ? 4 * detector.interpolatorLength : 2
    let length = max(Int((settings.lookAhead * rate).rounded()), shortest)
    latency = length - 1 + extra
    // A frame leaves the line `latency` frames after it came. Its gain is an average over the `length` newest
    // windows. The oldest window begins after the last frame that counts for a peak around the frame, and the newest
    // still holds the frame.
    windowLength = latency + 1 + length
    framesWithoutReduction = windowLength
    self.least = SlidingMinimum(length: latency + 1, initial: Self.one)
    // Two averages rise more smoothly than one, from a slope of 0: the gain is then nearly constant over the few
    // frames of a peak. Together they are as long as one.
    let half = (length + 1) / 2
    first = MovingSum(length: half, initial: Self.one)
    second = MovingSum(length: length + 1 - half, initial: Self.one * half)
    scale = 1 / (Double(Self.one) * Double(half) * Double(length + 1 - half))
    line = Array(repeating: 0, count: latency * self.channelCount)
    ceiling = Glide(settings.ceiling)
    releaseCoefficient = Self.coefficient(settings.release, rate)
  }

  private static func coefficient(_ release: Double, _ rate: Double) -> Double { 1 - exp(-1 / (release * rate)) }

  /// A look-ahead of its own changes the latency.
  package func canGlide(to settings: Settings) -> Bool {
    settings.isTruePeak == self.settings.isTruePeak && settings.limited().lookAhead == self.settings.lookAhead
  }

  /// The ceiling glides; the release changes at once.
  package mutating func set(_ settings: Settings, over frameCount: Int) {
    guard canGlide(to: settings) else { return }
    self.settings = settings.limited()
    ceiling.move(to: self.settings.ceiling, over: frameCount)
    releaseCoefficient = Self.coefficient(self.settings.release, sampleRate)
    framesOfLimit = 0
  }

  package mutating func process(_ samples: inout MutableSpan<Float>, key: Span<Float>?) {
    let frameCount = samples.count / channelCount
    leastGain = 1
    var frame = 0
    while frame < frameCount {
      // The ceiling has one value for each part of a grid of chunks, wherever blocks end.
      if framesOfLimit == 0 { beginLimit() }
      let count = min(framesOfLimit, frameCount - frame)
      let hasGains = measure(samples.span, from: frame, count: count)
      delay(&samples, from: frame, count: count, hasGains: hasGains)
      framesOfLimit -= count
      frame += count
    }
  }

  private mutating func beginLimit() {
    framesOfLimit = TruePeakDetector.chunk
    // The lower of both ends of a glide.
    let before = ceiling.value
    ceiling.advance(framesOfLimit)
    // A gain and a product are rounded up by less than 2^-23 together.
    limit = pow(10, min(before, ceiling.value) / 20) * (1 - 0x1p-22)
  }

  /// Computes the gains of the frames that leave the line; returns whether one of them may be below 1.
  private mutating func measure(_ samples: Span<Float>, from frame: Int, count: Int) -> Bool {
    detector.begin(count: count, peak: 0)
    for channel in 0..<channelCount {
      detector.measure(
        samples,
        from: frame,
        count: count,
        channel: channel,
        above: Float(limit),
        isBetweenSamples: settings.isTruePeak
      )
    }
    let largest = Double(detector.largestPeak(of: count))
    if largest <= limit, released == 1, framesWithoutReduction >= windowLength { return false }
    computeGains(count)
    return true
  }

  private mutating func computeGains(_ count: Int) {
    let (coefficient, one, limit, peaks) = (releaseCoefficient, Double(Self.one), limit, detector.peaks)
    var (released, framesWithoutReduction, index) = (released, framesWithoutReduction, 0)
    while index < count {
      released += (1 - released) * coefficient
      // The gain returns to exactly 1. A step of 0.00001 dB is inaudible.
      if released > 0.999_999 { released = 1 }
      let peak = Double(peaks[index])
      if peak > limit, limit / peak < released { released = limit / peak }
      numbers[index] = Int(released * one)
      framesWithoutReduction = released < 1 ? 0 : framesWithoutReduction &+ 1
      index &+= 1
    }
    (self.released, self.framesWithoutReduction) = (released, framesWithoutReduction)
    least.process(&numbers, count: count)
    first.process(&numbers, count: count)
    second.process(&numbers, count: count)
    index = 0
    while index < count {
      let gain = Float(Double(numbers[index]) * scale)
      gains[index] = gain
      if gain < leastGain { leastGain = gain }
      index &+= 1
    }
  }

  /// Exchanges the frames for the frames that leave the line, and applies the gains to the latter.
  private mutating func delay(_ samples: inout MutableSpan<Float>, from frame: Int, count: Int, hasGains: Bool) {
    let (first, stride, end) = (place, channelCount, line.count)
    place = (first + count * stride) % end
    // The samples are `count` whole frames from `frame` on, the line is a ring of `end` samples, and there is a gain
    // for each frame of a chunk.
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      unsafe line.withUnsafeMutableBufferPointer { line in
        unsafe gains.withUnsafeBufferPointer { gains in
          guard let start = samples.baseAddress, let line = line.baseAddress, let gains = gains.baseAddress else {
            return
          }
          for channel in 0..<stride {
            let samples = unsafe start + (frame * stride + channel)
            var (index, place, slot) = (0, 0, first + channel)
            if slot >= end { slot -= end }
            while index < count {
              let leaving = unsafe line[slot]
              unsafe line[slot] = samples[place].usable
              unsafe samples[place] = hasGains ? leaving * gains[index] : leaving
              index &+= 1
              place &+= stride
              slot &+= stride
              if slot >= end { slot &-= end }
            }
          }
        }
      }
    }
  }

  package func isAtRest(afterSilence frameCount: Int) -> Bool {
    ceiling.isSettled && released == 1 && framesWithoutReduction >= windowLength
      && frameCount >= latency + detector.interpolatorLength
  }

  /// The gain is 1 and the line is silent: no position in them changes a sample.
  package mutating func skipSilence(_ frameCount: Int) { leastGain = 1 }

  package mutating func reset() {
    detector.reset()
    ceiling.finish()
    least.reset()
    first.reset()
    second.reset()
    (released, place, framesOfLimit, leastGain, framesWithoutReduction) = (1, 0, 0, 1, windowLength)
    for index in line.indices { line[index] = 0 }
  }

  package var tail: Int { latency }

  /// The change by the least gain of the last call of `process`, which a chain calls for each 512 frames at most.
  package var gainChange: Double { leastGain < 1 ? 20 * log10(max(Double(leastGain), 1e-30)) : 0 }
}

extension LookAheadLimiter {
  package struct Settings: Hashable, Sendable {
    /// The highest level that comes out, in decibels re full scale, -60 to 0.
    package var ceiling = -1.0
    /// Whether the ceiling holds between samples as well, by the meter of BS.1770-4.
    ///
    /// That meter looks at four points for each sample. Between them a sound below 20 kHz passes the ceiling by at most
    /// 0.4 dB, and white noise up to half of the rate by more.
    package var isTruePeak = true
    /// The seconds by which the gain begins to fall before a peak, 0.0005 to 0.02; 48 frames at least with true peak.
    package var lookAhead = 0.0015
    /// The seconds in which 63 % of the gain returns, 0.01 to 5.
    package var release = 0.08

    package init() {}

    func limited() -> Settings {
      var result = self
      result.ceiling = ceiling.limited(to: -60...0, notANumber: -1)
      result.lookAhead = lookAhead.limited(to: 0.0005...0.02, notANumber: 0.0015)
      result.release = release.limited(to: 0.01...5, notANumber: 0.08)
      return result
    }
  }
}
