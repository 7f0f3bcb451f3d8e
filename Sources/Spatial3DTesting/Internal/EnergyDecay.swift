import Glibc

/// The remaining energy of an impulse response, frame by frame.
struct EnergyDecay {
  /// The energy from each frame to the end; never rises.
  private let energies: [Double]

  /// `nil` for a response without energy, or with samples that are not finite.
  init?(of answer: [Float]) {
    let count = answer.count
    var energies = [Double](repeating: 0, count: count)
    // The index stays below the count of both.
    func addUp(_ samples: UnsafePointer<Float>, into sums: UnsafeMutablePointer<Double>) {
      var (index, sum) = (count &- 1, 0.0)
      while index >= 0 {
        let value = unsafe Double(samples[index])
        sum += value * value
        unsafe sums[index] = sum
        index &-= 1
      }
    }
    unsafe addUp(answer, into: &energies)
    guard let whole = energies.first, whole > 0, whole.isFinite else { return nil }
    self.energies = energies
  }

  /// The number of decibels by which the remaining energy falls before the response ends.
  ///
  /// The level is read after nine tenths of the frames and extrapolated to all of them: the remaining energy always
  /// drops to 0 at the end of a response.
  var fall: Double {
    let start = last(above: 0.999_999)
    let left = energies[start + (energies.count - start) * 9 / 10]
    return -10 * log10(left / energies[0]) / 0.9
  }

  /// The frames in which a line through the decay between two levels in decibels falls by 60 dB.
  ///
  /// `nil` if fewer than two frames lie between the levels.
  func framesPerSixtyDecibels(from upper: Double, to lower: Double) -> Double? {
    let start = last(above: min(pow(10, upper / 10), 0.999_999))
    let end = last(above: pow(10, lower / 10))
    guard end > start + 1 else { return nil }
    // A thousand points of the curve are as accurate as all of them.
    let step = max((end - start) / 1_000, 1)
    var (count, times, levels, products, squares) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for frame in stride(from: start, through: end, by: step) where energies[frame] > 0 {
      let (time, level) = (Double(frame - start), 10 * log10(energies[frame] / energies[0]))
      count += 1
      times += time
      levels += level
      products += time * level
      squares += time * time
    }
    let slope = (count * products - times * levels) / (count * squares - times * times)
    return slope < 0 ? -60 / slope : nil
  }

  /// The last frame at which the remaining energy is above a part of all energy.
  private func last(above part: Double) -> Int {
    let limit = energies[0] * part
    var (low, high) = (0, energies.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if energies[middle] > limit { low = middle } else { high = middle }
    }
    return low
  }
}
