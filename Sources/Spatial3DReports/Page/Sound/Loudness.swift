import Glibc
import PCM

/// The integrated loudness of a mono or stereo mix in LUFS, as in ITU-R BS.1770-4; minus infinity for a silent mix.
func loudness(of samples: [Float], format: PCMFormat) -> Double {
  let channels = format.channelCount
  let step = format.sampleRate / 10
  guard step > 0 else { return -.infinity }
  // The sum over the channels of the mean square of each tenth of a second.
  var powers = [Double](repeating: 0, count: samples.count / channels / step)
  for channel in 0..<channels {
    var shelf = Biquad.shelf(sampleRate: Double(format.sampleRate))
    var highPass = Biquad.highPass(sampleRate: Double(format.sampleRate))
    // The index of the last sample is below the number of steps, times their frames, times the channels.
    unsafe samples.withUnsafeBufferPointer { samples in
      var index = channel
      for part in powers.indices {
        var sum = 0.0
        var left = step
        while left > 0 {
          let value = highPass.filter(shelf.filter(unsafe Double(samples[index])))
          sum += value * value
          index &+= channels
          left &-= 1
        }
        powers[part] += sum / Double(step)
      }
    }
  }
  // Blocks of 0.4 seconds, one every tenth; a shorter mix is one block.
  let blocks =
    powers.count < 4
    ? [powers.reduce(0, +) / Double(max(powers.count, 1))]
    : (0...powers.count - 4).map { powers[$0..<$0 + 4].reduce(0, +) / 4 }
  let heard = blocks.filter { level(ofPower: $0) > -70 }
  guard !heard.isEmpty else { return -.infinity }
  let gate = level(ofPower: heard.reduce(0, +) / Double(heard.count)) - 10
  let counted = heard.filter { level(ofPower: $0) > gate }
  return level(ofPower: counted.reduce(0, +) / Double(counted.count))
}

private func level(ofPower power: Double) -> Double { -0.691 + 10 * log10(power) }

/// A filter of the second order.
private struct Biquad {
  let b0, b1, b2, a1, a2: Double
  var state1 = 0.0
  var state2 = 0.0

  mutating func filter(_ input: Double) -> Double {
    let output = b0 * input + state1
    state1 = b1 * input - a1 * output + state2
    state2 = b2 * input - a2 * output
    return output
  }

  /// The first filter of BS.1770, for a head in the way of the sound, at any sample rate.
  static func shelf(sampleRate: Double) -> Biquad {
    let (k, q) = (tan(.pi * 1681.974450955533 / sampleRate), 0.7071752369554196)
    let high = pow(10, 3.999843853973347 / 20)
    let middle = pow(high, 0.4996667741545416)
    let a0 = 1 + k / q + k * k
    return Biquad(
      b0: (high + middle * k / q + k * k) / a0,
      b1: 2 * (k * k - high) / a0,
      b2: (high - middle * k / q + k * k) / a0,
      a1: 2 * (k * k - 1) / a0,
      a2: (1 - k / q + k * k) / a0
    )
  }

  /// The second filter of BS.1770, at any sample rate.
  static func highPass(sampleRate: Double) -> Biquad {
    let (k, q) = (tan(.pi * 38.13547087602444 / sampleRate), 0.5003270373238773)
    let a0 = 1 + k / q + k * k
    return Biquad(b0: 1, b1: -2, b2: 1, a1: 2 * (k * k - 1) / a0, a2: (1 - k / q + k * k) / a0)
  }
}
