import Glibc

/// The likeness of two signals for each delay of one against the other.
///
/// It is the sum of the products over the square root of the product of the energies (ISO 3382-1:2009, annex B). It is
/// 1 if the first signal is the second, scaled and delayed by that much.
struct CrossCorrelation {
  /// The likeness for the delays from `-reach` to `reach` frames; 0 for all if a signal is silent.
  private let values: [Double]
  /// The spectrum of the correlation, for delays between frames: the products of the signals' spectra from 0 to half
  /// the rate.
  private let real: [Double]
  private let imaginary: [Double]

  private var reach: Int { values.count / 2 }

  /// The correlation of two signals of one length, over delays of up to a number of frames.
  ///
  /// Computed in the frequency domain, with both signals in one transform.
  init(of first: [Float], with second: [Float], reach: Int) {
    let count = min(first.count, second.count)
    let reach = max(min(reach, count - 1), 0)
    let energy = (first.sumOfSquares(in: 0..<count) * second.sumOfSquares(in: 0..<count)).squareRoot()
    guard energy > 0, energy.isFinite else {
      values = [Double](repeating: 0, count: 2 * reach + 1)
      (real, imaginary) = ([], [])
      return
    }
    // The padding covers the reach, so that no delay wraps around.
    let transform = FourierTransform(ofAtLeast: count + reach + 1)
    let room = [Double](repeating: 0, count: transform.count - count)
    var real = first.prefix(count).map(Double.init) + room
    var imaginary = second.prefix(count).map(Double.init) + room
    transform.forward(&real, &imaginary)
    unsafe crossSpectrum(&real, &imaginary, count: transform.count, scale: 1 / (energy * Double(transform.count)))
    self.real = Array(real[...(transform.count / 2)])
    self.imaginary = Array(imaginary[...(transform.count / 2)])
    transform.inverse(&real, &imaginary)
    values = (-reach...reach).map { real[$0 < 0 ? transform.count + $0 : $0] }
  }

  /// The delay in whole frames with the largest likeness, and that likeness.
  ///
  /// If several delays are equally likely, such as the delays of a tone, the nearest to 0 counts.
  var nearestPeak: (delay: Int, likeness: Double) { nearestPeak(sign: 1) }

  /// The delay with the largest likeness, to a part of a frame, and that likeness.
  ///
  /// The correlation between frames is interpolated from its spectrum, which is exact for signals of that band. Its
  /// slope changes sign at the peak.
  var peak: (delay: Double, likeness: Double) { peak(sign: 1) }

  /// The largest likeness of the first signal with the second, or with the inverted second.
  var largestMagnitude: Double { max(peak(sign: 1).likeness, peak(sign: -1).likeness) }

  private func nearestPeak(sign: Double) -> (delay: Int, likeness: Double) {
    var best = reach
    for distance in 0...reach {
      for index in [reach - distance, reach + distance] where sign * values[index] > sign * values[best] + 1e-9 {
        best = index
      }
    }
    return (best - reach, sign * values[best])
  }

  private func peak(sign: Double) -> (delay: Double, likeness: Double) {
    let nearest = nearestPeak(sign: sign)
    // A smaller likeness is a rounding error.
    guard nearest.likeness > 1e-9 else { return (0, 0) }
    let rises = sign * sum(at: Double(nearest.delay)).slope > 0
    var low = Double(rises ? nearest.delay : nearest.delay - 1)
    var high = low + 1
    for _ in 0..<16 {
      let middle = (low + high) / 2
      if sign * sum(at: middle).slope > 0 { low = middle } else { high = middle }
    }
    let delay = (low + high) / 2
    return (delay, min(sign * sum(at: delay).value, 1))
  }

  /// The correlation and its slope at a delay in frames: the sum over its spectrum.
  private func sum(at delay: Double) -> (value: Double, slope: Double) {
    let step = Double.pi / Double(real.count - 1)
    let turn = (cos(step * delay), sin(step * delay))
    let last = real.count - 1
    // Both arrays have `last + 1` elements.
    func addUp(_ re: UnsafePointer<Double>, _ im: UnsafePointer<Double>) -> (value: Double, slope: Double) {
      var (phase, value, slope, bin) = ((1.0, 0.0), 0.0, 0.0, 0)
      while bin <= last {
        let weight = bin == 0 || bin == last ? 1.0 : 2.0
        let (a, b) = unsafe (re[bin], im[bin])
        value += weight * (a * phase.0 - b * phase.1)
        slope -= weight * Double(bin) * (a * phase.1 + b * phase.0)
        phase = (phase.0 * turn.0 - phase.1 * turn.1, phase.0 * turn.1 + phase.1 * turn.0)
        bin &+= 1
      }
      return (value, slope * step)
    }
    return unsafe addUp(real, imaginary)
  }
}

/// The scaled product of the first spectrum with the conjugate of the second, from the transform of `first + i *
/// second`.
///
/// Both pointers have `count` elements; `index` and its mirror image stay below it.
private func crossSpectrum(
  _ re: UnsafeMutablePointer<Double>,
  _ im: UnsafeMutablePointer<Double>,
  count: Int,
  scale: Double
) {
  var index = 0
  while index <= count / 2 {
    let mirror = (count &- index) % count
    let (a, b, c, d) = unsafe (re[index], im[index], re[mirror], im[mirror])
    let first = (scale * (a + c) / 2, scale * (b - d) / 2)
    let second = ((b + d) / 2, (c - a) / 2)
    let product = (first.0 * second.0 + first.1 * second.1, first.1 * second.0 - first.0 * second.1)
    unsafe re[index] = product.0
    unsafe im[index] = product.1
    unsafe re[mirror] = product.0
    unsafe im[mirror] = -product.1
    index &+= 1
  }
}
