import Glibc

/// The amplitude of one frequency in samples, which should hold whole periods of it.
package func amplitude(at frequency: Double, of samples: [Float], rate: Int) -> Double {
  // Goertzel's algorithm; in unsafe memory, because a checked loop takes debug builds ten times as long.
  let step = 2 * cos(2 * .pi * frequency / Double(rate))
  var (one, two) = (0.0, 0.0)
  unsafe samples.withUnsafeBufferPointer { samples in
    for index in 0..<samples.count {
      let next = unsafe Double(samples[index]) + step * one - two
      two = one
      one = next
    }
  }
  return 2 * max(one * one + two * two - step * one * two, 0).squareRoot() / Double(max(samples.count, 1))
}

/// The same in decibels re full scale.
package func level(at frequency: Double, of samples: [Float], rate: Int) -> Double {
  20 * log10(max(amplitude(at: frequency, of: samples, rate: rate), 1e-12))
}

/// The energy of all samples, in decibels.
package func energy(of samples: [Float]) -> Double {
  var sum = 0.0
  unsafe samples.withUnsafeBufferPointer { samples in
    for index in 0..<samples.count { unsafe sum += Double(samples[index]) * Double(samples[index]) }
  }
  return 10 * log10(max(sum, 1e-24))
}

/// The largest difference of a sample to the one before it, over mixes that follow each other.
package struct StepMeter {
  private var last: Float?

  package init() {}

  /// The largest step of the next mix, the one from the mix before included.
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
