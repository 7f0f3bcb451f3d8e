import Glibc

extension [Float] {
  /// The signal's octave around a frequency in cycles per element; silence for a frequency out of 0 to a half.
  ///
  /// Each frequency keeps its phase. An octave lies between half the root of two and the root of two times its middle,
  /// where the filter takes away 3 dB.
  func octaveBand(atCyclesPerElement middle: Double) -> [Float] {
    guard middle > 0, middle < 0.5, !isEmpty else { return [Float](repeating: 0, count: count) }
    // A filter without phase rings before a sound too. The room behind the signal, eight periods, keeps that from its
    // end.
    let transform = FourierTransform(ofAtLeast: count + Int(Swift.min(8 / middle, Double(count))))
    var real = map(Double.init) + [Double](repeating: 0, count: transform.count - count)
    var imaginary = [Double](repeating: 0, count: transform.count)
    transform.forward(&real, &imaginary)
    for bin in 0...(transform.count / 2) {
      let ratio = Double(bin) / Double(transform.count) / middle
      let distance = ratio == 0 ? Double.infinity : (ratio - 1 / ratio) * 2.0.squareRoot()
      let gain = (1 / (1 + distance * distance * distance * distance * distance * distance)).squareRoot()
      let mirror = (transform.count - bin) % transform.count
      real[bin] *= gain
      imaginary[bin] *= gain
      if mirror != bin {
        real[mirror] *= gain
        imaginary[mirror] *= gain
      }
    }
    transform.inverse(&real, &imaginary)
    let scale = 1 / Double(transform.count)
    return real.prefix(count).map { Float($0 * scale) }
  }
}
