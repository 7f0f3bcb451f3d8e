/// The memory of a state-variable filter, for one channel.
///
/// The arithmetic is `Double`: a filter of 10 Hz at 384 kHz is as exact as any other.
struct StateVariableFilter: Hashable, Sendable {
  private var (first, second) = (0.0, 0.0)

  /// The factors of the sums of a frame.
  struct Factors: Sendable {
    let a1, a2, a3, input, band, low: Double

    init(_ c: FilterCoefficients) {
      a1 = 1 / (1 + c.g * (c.g + c.k))
      a2 = c.g * a1
      a3 = c.g * a2
      (input, band, low) = (c.input, c.band, c.low)
    }
  }

  /// Filters one sample.
  @inline(__always)
  mutating func next(_ sample: Double, _ f: Factors) -> Double {
    let difference = sample - second
    let band = f.a1 * first + f.a2 * difference
    let low = second + f.a2 * first + f.a3 * difference
    first = 2 * band - first
    second = 2 * low - second
    return f.input * sample + f.band * band + f.low * low
  }

  /// Filters every `stride`th sample, `count` in all, which the caller guarantees.
  ///
  /// A pointer takes two thirds of the time of a span in a build without optimization.
  @unsafe
  mutating func process(_ samples: UnsafeMutablePointer<Float>, count: Int, stride: Int, _ c: FilterCoefficients) {
    let f = Factors(c)
    let (a1, a2, a3, input, bandGain, lowGain) = (f.a1, f.a2, f.a3, f.input, f.band, f.low)
    var (s1, s2, index, left) = (first, second, 0, count)
    while left > 0 {
      let sample = unsafe Double(samples[index])
      let difference = sample - s2
      let band = a1 * s1 + a2 * difference
      let low = s2 + a2 * s1 + a3 * difference
      s1 = 2 * band - s1
      s2 = 2 * low - s2
      unsafe samples[index] = Float(input * sample + bandGain * band + lowGain * low)
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
    let f = Factors(c)
    let (a1, a2, a3, input, bandGain, lowGain) = (f.a1, f.a2, f.a3, f.input, f.band, f.low)
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
      unsafe samples[index] = Float(input * sample + bandGain * band + lowGain * low)
      unsafe samples[index &+ 1] = Float(input * second + bandGain * band2 + lowGain * low2)
      index &+= stride
      left &-= 1
    }
    (one.first, one.second, other.first, other.second) = (s1, s2, t1, t2)
  }

  /// Filters as `process(_:count:stride:_:)` does, with coefficients on a line.
  ///
  /// The line ends with `end`, `framesLeft` frames after the frame before the first one, and moves by `step`. Each
  /// frame counts from the end, so a line may be cut anywhere. The caller guarantees `count` samples.
  @unsafe
  mutating func process(
    _ samples: UnsafeMutablePointer<Float>,
    count: Int,
    stride: Int,
    to end: FilterCoefficients,
    step: FilterCoefficients,
    framesLeft: Int
  ) {
    var (s1, s2, index, left) = (first, second, 0, count)
    while left > 0 {
      left &-= 1
      let c = end.moved(step, -Double(framesLeft &- count &+ left))
      let sample = unsafe Double(samples[index])
      let difference = sample - s2
      let a1 = 1 / (1 + c.g * (c.g + c.k))
      let band = a1 * (s1 + c.g * difference)
      let low = s2 + c.g * band
      s1 = 2 * band - s1
      s2 = 2 * low - s2
      unsafe samples[index] = Float(c.input * sample + c.band * band + c.low * low)
      index &+= stride
    }
    (first, second) = (s1, s2)
  }

  /// Removes an inaudible state, and a state that is not finite.
  mutating func clean() {
    let least = ProcessingLimits.smallestState
    let isAudible = first.magnitude >= least || second.magnitude >= least
    if !(isAudible && first.isFinite && second.isFinite) { (first, second) = (0, 0) }
  }

  /// Whether silence leaves the state as it is.
  var isSilent: Bool { first == 0 && second == 0 }

  /// Forgets the sound so far.
  mutating func reset() { (first, second) = (0, 0) }
}
