internal import Glibc

/// Width, balance and gain of a stereo sound, by its middle and its side.
///
/// A sound with another number of channels gets the gain alone. Width and balance glide as numbers, and the gain in
/// decibels. Without a change, the samples stay equal to the bit. A sample that is not finite, or beyond ±1e25, counts
/// as 0.
///
/// Pure: no system call, no lock, and no allocation after `init`.
package struct StereoWidth: ~Copyable, SoundProcessor {
  package struct Settings: Hashable, Sendable {
    /// The gain of the side: 0 is mono, 1 changes nothing, 2 is the most.
    package var width = 1.0
    /// -1 is the left channel alone, 1 the right channel alone.
    package var balance = 0.0
    /// In decibels, -80 to 24.
    package var gain = 0.0

    package init() {}

    func limited() -> Settings {
      var result = self
      result.width = width.limited(to: 0...2, notANumber: 1)
      result.balance = balance.limited(to: -1...1, notANumber: 0)
      result.gain = gain.limited(to: -80...24, notANumber: 0)
      return result
    }
  }

  package private(set) var settings: Settings

  private let channelCount: Int
  private var (width, balance, gain): (Glide, Glide, Glide)
  /// The shares of the two channels in each of them; with other channels, `left` is the gain.
  private var (left, rightInLeft, right, leftInRight): (GlideLine, GlideLine, GlideLine, GlideLine)
  /// The frames since the last point of the grid.
  private var phase = 0

  /// The frames from one point of the glides to the next.
  ///
  /// Chosen: below a millisecond.
  private static let grid = 32

  package init(_ settings: Settings = Settings(), channelCount: Int) {
    let settings = settings.limited()
    self.settings = settings
    self.channelCount = ProcessingLimits.channelCount(channelCount)
    (width, balance, gain) = (Glide(settings.width), Glide(settings.balance), Glide(settings.gain))
    let line = GlideLine(0, grid: Self.grid)
    (left, rightInLeft, right, leftInRight) = (line, line, line, line)
    jump()
  }

  /// The shares for the present settings, in the order of the lines.
  private var shares: (Double, Double, Double, Double) {
    let gain = gain.value == 0 ? 1 : pow(10, gain.value / 20)
    guard channelCount == 2 else { return (gain, 0, gain, 0) }
    let (leftGain, rightGain) = (gain * min(1 - balance.value, 1), gain * min(1 + balance.value, 1))
    let (own, other) = ((1 + width.value) / 2, (1 - width.value) / 2)
    return (leftGain * own, leftGain * other, rightGain * own, rightGain * other)
  }

  private mutating func jump() {
    let shares = shares
    left.jump(to: shares.0)
    rightInLeft.jump(to: shares.1)
    right.jump(to: shares.2)
    leftInRight.jump(to: shares.3)
  }

  /// Begins to glide to other settings, over so many frames.
  package mutating func set(_ settings: Settings, over frameCount: Int) {
    self.settings = settings.limited()
    width.move(to: self.settings.width, over: frameCount)
    balance.move(to: self.settings.balance, over: frameCount)
    gain.move(to: self.settings.gain, over: frameCount)
    if frameCount <= 0 { jump() }
  }

  private mutating func beginLines() {
    let isSettled = width.isSettled && balance.isSettled && gain.isSettled
    if isSettled, left.isSettled, rightInLeft.isSettled, right.isSettled, leftInRight.isSettled { return }
    width.advance(Self.grid)
    balance.advance(Self.grid)
    gain.advance(Self.grid)
    let shares = shares
    left.move(to: shares.0)
    rightInLeft.move(to: shares.1)
    right.move(to: shares.2)
    leftInRight.move(to: shares.3)
  }

  /// Whether the present lines keep the samples.
  private var isIdentity: Bool {
    left.start == 1 && left.end == 1 && right.start == 1 && right.end == 1 && rightInLeft.start == 0
      && rightInLeft.end == 0 && leftInRight.start == 0 && leftInRight.end == 0
  }

  /// Processes whole frames.
  package mutating func process(_ samples: inout MutableSpan<Float>, key: Span<Float>?) {
    let (frameCount, stride) = (samples.count / channelCount, channelCount)
    // Reads and writes whole frames of the span.
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard let start = samples.baseAddress else { return }
      var frame = 0
      while frame < frameCount {
        if phase == 0 { beginLines() }
        let count = min(Self.grid - phase, frameCount - frame)
        let values = unsafe start + frame * stride
        if isIdentity {
          for index in 0..<count * stride { unsafe values[index] = values[index].usable }
        } else if stride == 2 {
          unsafe mix(values, count: count)
        } else {
          unsafe amplify(values, count: count)
        }
        phase = (phase + count) % Self.grid
        frame += count
      }
    }
  }

  /// Processes frames with two channels, up to the next point of the grid at most.
  @unsafe
  private func mix(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    let (a, b, c, d, phase) = (left, rightInLeft, right, leftInRight, phase)
    let (aStep, bStep, cStep, dStep) = (a.step, b.step, c.step, d.step)
    var index = 0
    while index < count {
      let frame = Float(phase &+ index &+ 1)
      let (left, right) = unsafe (samples[2 &* index].usable, samples[2 &* index &+ 1].usable)
      unsafe samples[2 &* index] = (a.start + aStep * frame) * left + (b.start + bStep * frame) * right
      unsafe samples[2 &* index &+ 1] = (c.start + cStep * frame) * right + (d.start + dStep * frame) * left
      index &+= 1
    }
  }

  /// Processes frames with any number of channels by the gain, up to the next point of the grid at most.
  @unsafe
  private func amplify(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    let (line, step, stride, phase) = (left, left.step, channelCount, phase)
    for index in 0..<count {
      let gain = line.start + step * Float(phase &+ index &+ 1)
      for place in index * stride..<(index + 1) * stride {
        unsafe samples[place] = samples[place].usable * gain
      }
    }
  }

  package func isAtRest(afterSilence frameCount: Int) -> Bool {
    width.isSettled && balance.isSettled && gain.isSettled && left.isSettled && rightInLeft.isSettled
      && right.isSettled && leftInRight.isSettled
  }

  package mutating func skipSilence(_ frameCount: Int) { phase = (phase + frameCount) % Self.grid }

  /// Rests at its settings: it has no memory of sound.
  package mutating func reset() {
    (width, balance, gain) = (Glide(settings.width), Glide(settings.balance), Glide(settings.gain))
    phase = 0
    jump()
  }
}
