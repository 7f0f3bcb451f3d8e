/// The memory of a state-variable filter, for one channel.
///
/// The arithmetic is `Double`: a filter of 10 Hz at 384 kHz is as exact as any other.
package struct StateVariableFilter: Hashable, Sendable {
  private var (first, second) = (0.0, 0.0)

  package init() {}

  /// Filters one sample.
  @inline(__always)
  package mutating func next(_ sample: Double, _ c: FilterCoefficients) -> Double {
    let a1 = 1 / (1 + c.g * (c.g + c.k))
    let a2 = c.g * a1
    let difference = sample - second
    let band = a1 * first + a2 * difference
    let low = second + a2 * first + c.g * a2 * difference
    first = 2 * band - first
    second = 2 * low - second
    return c.input * sample + c.band * band + c.low * low
  }

  /// Filters every `stride`th sample, `count` in all, which the caller guarantees.
  ///
  /// A pointer takes two thirds of the time of a span in a build without optimization.
  @unsafe
  mutating func process(_ samples: UnsafeMutablePointer<Float>, count: Int, stride: Int, _ c: FilterCoefficients) {
    let (input, bandShare, lowShare) = (c.input, c.band, c.low)
    let a1 = 1 / (1 + c.g * (c.g + c.k))
    let a2 = c.g * a1
    let a3 = c.g * a2
    var (s1, s2, index, left) = (first, second, 0, count)
    while left > 0 {
      let sample = unsafe Double(samples[index])
      let difference = sample - s2
      let band = a1 * s1 + a2 * difference
      let low = s2 + a2 * s1 + a3 * difference
      s1 = 2 * band - s1
      s2 = 2 * low - s2
      unsafe samples[index] = Float(input * sample + bandShare * band + lowShare * low)
      index &+= stride
      left &-= 1
    }
    (first, second) = (s1, s2)
  }

  /// Filters two neighbouring channels, as two calls of `process(_:count:stride:_:)` do, to the bit.
  ///
  /// An addition waits for the addition before it, so two channels at once take half of the time. The caller
  /// guarantees `count` samples of both channels.
  @unsafe
  static func processPair(
    _ one: inout StateVariableFilter,
    _ other: inout StateVariableFilter,
    _ samples: UnsafeMutablePointer<Float>,
    count: Int,
    stride: Int,
    _ c: FilterCoefficients
  ) {
    let (input, bandShare, lowShare) = (c.input, c.band, c.low)
    let a1 = 1 / (1 + c.g * (c.g + c.k))
    let a2 = c.g * a1
    let a3 = c.g * a2
    var (s1, s2, t1, t2, index, left) = (one.first, one.second, other.first, other.second, 0, count)
    while left > 0 {
      let (sample, second) = unsafe (Double(samples[index]), Double(samples[index &+ 1]))
      let (difference, difference2) = (sample - s2, second - t2)
      let (band, band2) = (a1 * s1 + a2 * difference, a1 * t1 + a2 * difference2)
      let (low, low2) = (s2 + a2 * s1 + a3 * difference, t2 + a2 * t1 + a3 * difference2)
      s1 = 2 * band - s1
      t1 = 2 * band2 - t1
      s2 = 2 * low - s2
      t2 = 2 * low2 - t2
      unsafe samples[index] = Float(input * sample + bandShare * band + lowShare * low)
      unsafe samples[index &+ 1] = Float(input * second + bandShare * band2 + lowShare * low2)
      index &+= stride
      left &-= 1
    }
    (one.first, one.second, other.first, other.second) = (s1, s2, t1, t2)
  }

  /// Filters as `process(_:count:stride:_:)` does, with coefficients that move linearly from `c` to `end`.
  @unsafe
  mutating func process(
    _ samples: UnsafeMutablePointer<Float>,
    count: Int,
    stride: Int,
    _ c: FilterCoefficients,
    to end: FilterCoefficients
  ) {
    let part = 1 / Double(count > 0 ? count : 1)
    let (gStep, kStep) = ((end.g - c.g) * part, (end.k - c.k) * part)
    let inputStep = (end.input - c.input) * part
    let (bandStep, lowStep) = ((end.band - c.band) * part, (end.low - c.low) * part)
    var (g, k, input, bandShare, lowShare) = (c.g, c.k, c.input, c.band, c.low)
    var (s1, s2, index, left) = (first, second, 0, count)
    while left > 0 {
      g += gStep
      k += kStep
      input += inputStep
      bandShare += bandStep
      lowShare += lowStep
      let sample = unsafe Double(samples[index])
      let difference = sample - s2
      let a1 = 1 / (1 + g * (g + k))
      let band = a1 * (s1 + g * difference)
      let low = s2 + g * band
      s1 = 2 * band - s1
      s2 = 2 * low - s2
      unsafe samples[index] = Float(input * sample + bandShare * band + lowShare * low)
      index &+= stride
      left &-= 1
    }
    (first, second) = (s1, s2)
  }

  /// Removes a state that is not finite, and an inaudible state.
  package mutating func clean() {
    let least = ProcessingLimits.smallestState
    let isAudible = first.magnitude >= least || second.magnitude >= least
    if !(isAudible && first.isFinite && second.isFinite) { (first, second) = (0, 0) }
  }

  /// Forgets the sound so far.
  package mutating func reset() { (first, second) = (0, 0) }
}
