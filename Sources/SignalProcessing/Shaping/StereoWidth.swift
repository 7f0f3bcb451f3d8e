internal import Glibc

/// Width, balance and gain of a stereo sound, by its middle and its side.
///
/// A sound of other channels gets the gain alone. Numbers glide. Without a change, the samples stay equal to the bit.
/// It has no memory: a sample that is not finite spoils its frame alone.
///
/// Pure: no call, no lock, and no allocation after `init`.
package struct StereoWidth: Sendable {
  package struct Settings: Hashable, Sendable {
    /// The gain of the side: 0 is mono, 1 changes nothing, 2 is the most.
    package var width = 1.0
    /// -1 is the left channel alone, 1 the right channel alone.
    package var balance = 0.0
    /// In decibels, -80 to 24.
    package var gain = 0.0

    package init() {}
  }

  private let channelCount: Int
  /// The shares of the two channels in each of them: own left, other left, own right, other right.
  private var shares: (Glide, Glide, Glide, Glide)

  package init(_ settings: Settings = Settings(), channelCount: Int) {
    self.channelCount = ProcessingLimits.channelCount(channelCount)
    let values = Self.values(settings)
    shares = (Glide(values.0), Glide(values.1), Glide(values.2), Glide(values.3))
  }

  private static func values(_ settings: Settings) -> (Double, Double, Double, Double) {
    let width = settings.width.limited(to: 0...2, notANumber: 1)
    let balance = settings.balance.limited(to: -1...1, notANumber: 0)
    let gain = pow(10, settings.gain.limited(to: -80...24, notANumber: 0) / 20)
    let (left, right) = (gain * min(1 - balance, 1), gain * min(1 + balance, 1))
    let (own, other) = ((1 + width) / 2, (1 - width) / 2)
    return (left * own, left * other, right * own, right * other)
  }

  /// Begins to glide to other settings, over so many frames.
  package mutating func set(_ settings: Settings, over frames: Int) {
    let values = Self.values(settings)
    shares.0.move(to: values.0, over: frames)
    shares.1.move(to: values.1, over: frames)
    shares.2.move(to: values.2, over: frames)
    shares.3.move(to: values.3, over: frames)
  }

  private var present: (Float, Float, Float, Float) {
    (Float(shares.0.value), Float(shares.1.value), Float(shares.2.value), Float(shares.3.value))
  }

  /// Processes whole frames.
  package mutating func process(_ samples: inout MutableSpan<Float>) {
    let frameCount = samples.count / channelCount
    var frame = 0
    while frame < frameCount {
      // Chosen: lines of 32 frames.
      let count = min(32, frameCount - frame)
      let before = present
      shares.0.advance(count)
      shares.1.advance(count)
      shares.2.advance(count)
      shares.3.advance(count)
      let after = present
      if before != (1, 0, 1, 0) || after != before { apply(before, after, to: &samples, from: frame, count: count) }
      frame += count
    }
  }

  private func apply(
    _ before: (Float, Float, Float, Float),
    _ after: (Float, Float, Float, Float),
    to samples: inout MutableSpan<Float>,
    from frame: Int,
    count: Int
  ) {
    var place = frame * channelCount
    for index in 1...count {
      let share = Float(index) / Float(count)
      let (a, d) = (before.0 + (after.0 - before.0) * share, before.2 + (after.2 - before.2) * share)
      if channelCount == 2 {
        let (b, c) = (before.1 + (after.1 - before.1) * share, before.3 + (after.3 - before.3) * share)
        let (left, right) = (samples[place], samples[place + 1])
        samples[place] = a * left + b * right
        samples[place + 1] = d * right + c * left
      } else {
        // Without a balance both sums are the gain.
        let gain = max(a + before.1 + (after.1 - before.1) * share, d + before.3 + (after.3 - before.3) * share)
        for channel in 0..<channelCount { samples[place + channel] *= gain }
      }
      place += channelCount
    }
  }
}
