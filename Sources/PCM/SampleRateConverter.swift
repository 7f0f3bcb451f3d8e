/// A change of sample rate by a polyphase filter, in one direction through a sound.
///
/// The first output frame is at the time of the first input frame: the converter has no delay. Silence surrounds the
/// sound. The number of output frames is the number of input frames times the ratio, rounded to the nearest. The frames
/// do not depend on the sizes of the blocks in which they are converted, to the bit.
///
/// The filter keeps frequencies up to 0.9 of the lower Nyquist frequency within 0.1 dB, and lowers images and aliases
/// by more than 90 dB. A sample that is not a finite number, or is beyond ±1e25, counts as silence, and so does a
/// sample within ±1e-25.
///
/// Pure: no call and no lock. Time for each output frame and channel: 128 multiplications, or 128 for each input frame
/// to a lower rate; twice as many for a ratio of large numbers.
package struct SampleRateConverter: Sendable {
  package let ratio: RateRatio
  package let channelCount: Int

  private let filter: ResamplingFilter
  /// The whole input frames from an output frame to the next, and the rest in units of the output rate.
  private let step: (whole: Int, rest: Int)
  /// The output rate in least whole numbers.
  private let denominator: Int

  /// The input frames that are needed, each channel in a part of its own.
  private var held: [Float]
  /// The frames that a part has room for, and the frames in it.
  private let capacity: Int
  private var heldCount: Int
  /// The first frame in `held` that the next output frame needs.
  private var place = 0
  /// The position of the next output frame behind its input frame, in units of the output rate.
  private var rest = 0

  private var inputCount = 0
  private var outputCount = 0
  private var hasEnded = false

  /// The input frames that are taken at once, or more.
  private static let blockSize = 4_096

  /// A converter for one direction through a sound.
  ///
  /// - Parameters:
  ///   - ratio: The two rates, above 0; only their ratio counts.
  ///   - channelCount: The number of interleaved channels, above 0.
  ///   - filter: The filter of the ratio's shape; it may be shared.
  package init(_ ratio: RateRatio, channelCount: Int, filter: ResamplingFilter) {
    precondition(ratio.input > 0 && ratio.output > 0 && channelCount > 0)
    precondition(filter.shape == ResamplingFilter.Shape(ratio), "the filter is of another ratio")
    (self.ratio, self.channelCount, self.filter) = (ratio, channelCount, filter)
    let unit = ratio.unit
    step = (unit.input / unit.output, unit.input % unit.output)
    denominator = unit.output
    // Room for twice the filter: frames then move to the beginning seldom enough.
    capacity = 2 * filter.shape.tapCount + Self.blockSize
    held = [Float](repeating: 0, count: capacity * channelCount)
    // The silence before the sound.
    heldCount = filter.shape.tapCount / 2 - 1
  }

  /// A converter with a filter of its own.
  package init(_ ratio: RateRatio, channelCount: Int) {
    let filter = ResamplingFilter(ResamplingFilter.Shape(ratio))
    self.init(ratio, channelCount: channelCount, filter: filter)
  }

  /// Converts whole frames, and appends as many output frames as have room; returns the number of frames taken.
  ///
  /// An empty input stands for the end: the calls then append the rest, and nothing once there is no more. If frames
  /// are left over, the output is full.
  package mutating func append(_ samples: Span<Float>, to output: inout OutputSpan<Float>) -> Int {
    if samples.isEmpty { hasEnded = true }
    let (limit, inputFrames) = (hasEnded ? ratio.converted(inputCount) : .max, samples.count / channelCount)
    var taken = 0
    while outputCount < limit {
      appendFrames(upTo: limit, to: &output)
      guard output.freeCapacity >= channelCount, outputCount < limit else { break }
      removeUsed()
      if hasEnded {
        holdSilence()
      } else {
        let count = min(capacity - heldCount, inputFrames - taken)
        guard count > 0 else { break }
        hold(samples.extracting(taken * channelCount..<(taken + count) * channelCount), count)
        taken += count
      }
    }
    return taken
  }

  /// Moves the frames that are still needed to the beginning.
  private mutating func removeUsed() {
    guard place > 0 else { return }
    let count = heldCount - place
    for start in stride(from: 0, to: held.count, by: capacity) {
      for index in 0..<count { held[start + index] = held[start + place + index] }
    }
    (place, heldCount) = (0, count)
  }

  /// Takes input frames.
  private mutating func hold(_ samples: Span<Float>, _ count: Int) {
    for channel in 0..<channelCount {
      let start = channel * capacity + heldCount
      for index in 0..<count {
        let sample = samples[index * channelCount + channel]
        // False for what is not a number. Smaller samples would slow the processor down.
        let isUsable = abs(sample) >= 1e-25 && abs(sample) <= 1e25
        held[start + index] = isUsable ? sample : 0
      }
    }
    heldCount += count
    inputCount += count
  }

  /// Takes the silence behind the sound.
  private mutating func holdSilence() {
    for start in stride(from: 0, to: held.count, by: capacity) {
      for index in heldCount..<capacity { held[start + index] = 0 }
    }
    heldCount = capacity
  }

  /// Appends the output frames whose input frames are held.
  private mutating func appendFrames(upTo limit: Int, to output: inout OutputSpan<Float>) {
    let (tapCount, phaseCount) = (filter.shape.tapCount, filter.shape.phaseCount)
    var (place, rest) = (place, rest)
    var room = min(output.freeCapacity / channelCount, limit - outputCount)
    outputCount += room
    unsafe held.withUnsafeBufferPointer { held in
      unsafe filter.coefficients.withUnsafeBufferPointer { coefficients in
        // The arrays have elements, as the number of taps is above 0.
        guard let held = held.baseAddress, let coefficients = coefficients.baseAddress else { return }
        while room > 0, place + tapCount <= heldCount {
          // A table without interpolation has a phase for each unit of the output rate.
          var (phase, fraction) = (rest, Float(0))
          if filter.shape.isInterpolated {
            let position = rest * phaseCount
            phase = position / denominator
            fraction = Float(Double(position % denominator) / Double(denominator))
          }
          let row = unsafe coefficients + phase * tapCount
          for channel in 0..<channelCount {
            // `place + tapCount` is within the part of the channel, and the phase within the table; the table has
            // one phase more if it is interpolated.
            let frames = unsafe held + (channel * capacity + place)
            var sum = unsafe Self.product(frames, row, tapCount)
            if fraction > 0 {
              sum += unsafe (Self.product(frames, row + tapCount, tapCount) - sum) * fraction
            }
            output.append(sum)
          }
          place += step.whole
          rest += step.rest
          if rest >= denominator {
            rest -= denominator
            place += 1
          }
          room -= 1
        }
      }
    }
    outputCount -= room
    (self.place, self.rest) = (place, rest)
  }

  /// The sum of the products of two lists of numbers; their count is a multiple of 8.
  ///
  /// An addition to a sum waits for the addition before, so there are eight sums. Vector types take two thirds of the
  /// time, but nine times as long in a build without optimization. Both forms add the same numbers in the same order.
  @inline(__always)
  private static func product(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ count: Int) -> Float {
    var index = 0
    // Both lists have at least `count` numbers, so the indices are in bounds and do not overflow.
    #if DEBUG
      var (s0, s1, s2, s3) = (Float(0), Float(0), Float(0), Float(0))
      var (s4, s5, s6, s7) = (Float(0), Float(0), Float(0), Float(0))
      while index < count {
        unsafe s0 += a[index] * b[index]
        unsafe s1 += a[index &+ 1] * b[index &+ 1]
        unsafe s2 += a[index &+ 2] * b[index &+ 2]
        unsafe s3 += a[index &+ 3] * b[index &+ 3]
        unsafe s4 += a[index &+ 4] * b[index &+ 4]
        unsafe s5 += a[index &+ 5] * b[index &+ 5]
        unsafe s6 += a[index &+ 6] * b[index &+ 6]
        unsafe s7 += a[index &+ 7] * b[index &+ 7]
        index &+= 8
      }
      return ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))
    #else
      var sums = SIMD8<Float>()
      while index < count {
        let first = unsafe UnsafeRawPointer(a + index).loadUnaligned(as: SIMD8<Float>.self)
        let second = unsafe UnsafeRawPointer(b + index).loadUnaligned(as: SIMD8<Float>.self)
        sums += first * second
        index &+= 8
      }
      let four = sums.lowHalf + sums.highHalf
      let two = four.lowHalf + four.highHalf
      return two.x + two.y
    #endif
  }
}
