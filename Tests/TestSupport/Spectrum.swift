import Glibc

/// The level of one frequency in an impulse response, in decibels re the impulse.
///
/// The function is not for steady tones: `level(at:)` of Spatial3DTesting measures those under a window, which a
/// response may not have.
package func level(at frequency: Double, of response: [Float], rate: Int) -> Double {
  // Goertzel's algorithm; in unsafe memory, because a checked loop takes debug builds ten times as long.
  let step = 2 * cos(2 * .pi * frequency / Double(rate))
  var (one, two) = (0.0, 0.0)
  unsafe response.withUnsafeBufferPointer { samples in
    for index in 0..<samples.count {
      let next = unsafe Double(samples[index]) + step * one - two
      two = one
      one = next
    }
  }
  return 10 * log10(max(one * one + two * two - step * one * two, 1e-24))
}

/// The energy of all samples, in decibels.
package func energy(of samples: [Float]) -> Double {
  var sum = 0.0
  unsafe samples.withUnsafeBufferPointer { samples in
    for index in 0..<samples.count { unsafe sum += Double(samples[index]) * Double(samples[index]) }
  }
  return 10 * log10(max(sum, 1e-24))
}

/// The largest difference of a sample to the sample before it, over mixes that follow each other.
package struct StepMeter {
  private var last: Float?

  package init() {}

  /// The largest step of the next mix, with the step from the mix before it.
  package mutating func largestStep(of samples: [Float]) -> Double {
    guard let first = samples.first else { return 0 }
    var largest = abs(first - (last ?? first))
    unsafe samples.withUnsafeBufferPointer { samples in
      for index in 1..<samples.count { unsafe largest = max(largest, abs(samples[index] - samples[index - 1])) }
    }
    last = samples.last
    return Double(largest)
  }
}
