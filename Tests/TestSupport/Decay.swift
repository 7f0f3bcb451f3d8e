import Glibc

/// How long an impulse response takes to fall by 60 dB at middle frequencies, in seconds: the mean of the octaves of 500 and
/// 1,000 Hz, each twice the time from -5 to -35 dB of what is still to come.
///
/// ISO 3382-1, by M. R. Schroeder's backward integration.
package func decayTime(of response: [Float], rate: Int) -> Double {
  let times = [500.0, 1_000].map { decayTime(of: octave(about: $0, of: response, rate: rate), rate: Double(rate)) }
  return times.reduce(0, +) / Double(times.count)
}

/// One octave: two band-pass filters one after the other.
private func octave(about center: Double, of samples: [Float], rate: Int) -> [Double] {
  let w = 2 * Double.pi * center / Double(rate)
  let alpha = sin(w) * sinh(log(2) / 2 * 1 * w / sin(w))
  let (b, a1, a2) = (alpha / (1 + alpha), -2 * cos(w) / (1 + alpha), (1 - alpha) / (1 + alpha))
  var result = samples.map(Double.init)
  unsafe result.withUnsafeMutableBufferPointer { samples in
    for _ in 1...2 {
      var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
      for index in 0..<samples.count {
        let x = unsafe samples[index]
        let y = b * (x - x2) - a1 * y1 - a2 * y2
        (x2, x1, y2, y1) = (x1, x, y1, y)
        unsafe samples[index] = y
      }
    }
  }
  return result
}

private func decayTime(of band: [Double], rate: Double) -> Double {
  var energy = band
  var (last, first) = (0, 0)
  unsafe energy.withUnsafeMutableBufferPointer { energy in
    var sum = 0.0
    for index in (0..<energy.count).reversed() {
      unsafe sum += energy[index] * energy[index]
      unsafe energy[index] = sum
    }
    for index in 0..<energy.count {
      if unsafe energy[index] > sum * pow(10, -0.5) { first = index }
      if unsafe energy[index] > sum * pow(10, -3.5) { last = index }
    }
  }
  return 2 * Double(last - first) / rate
}
