import Glibc

/// How much of the energy of an answer is still to come, frame by frame.
struct EnergyDecay {
  /// The energy from each frame on to the end; falls or stays.
  private let energies: [Double]

  /// `nil` for an answer without energy, or with samples that are not finite.
  init?(of answer: [Float]) {
    let count = answer.count
    // Each index below the count is written once, from the end.
    let energies = unsafe [Double](unsafeUninitializedCapacity: count) { energies, initializedCount in
      unsafe answer.withUnsafeBufferPointer { answer in
        guard let samples = answer.baseAddress, let to = energies.baseAddress else { return }
        var (index, sum) = (count &- 1, 0.0)
        while index >= 0 {
          let value = unsafe Double(samples[index])
          sum += value * value
          unsafe to[index] = sum
          index &-= 1
        }
      }
      initializedCount = count
    }
    guard let whole = energies.first, whole > 0, whole.isFinite else { return nil }
    self.energies = energies
  }

  /// How many decibels the energy to come falls by before the answer ends.
  ///
  /// Read at nine tenths of the fall and told for all of it, as the end of an answer takes all energy down to nothing.
  var fall: Double {
    let start = last(above: 0.999_999)
    let left = energies[start + (energies.count - start) * 9 / 10]
    return -10 * log10(left / energies[0]) / 0.9
  }

  /// How many frames a line through a part of the decay takes to fall by 60 dB; `nil` where it has no two frames.
  func framesPerSixtyDecibels(_ range: DecayRange) -> Double? {
    let start = last(above: min(pow(10, range.bounds.upper / 10), 0.999_999))
    let end = last(above: pow(10, range.bounds.lower / 10))
    guard end > start + 1 else { return nil }
    // A thousand places of the curve are as good as all of them.
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

  /// The last frame from which more than a part of all energy is to come.
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
