import Glibc

extension [Float] {
  /// The signal in an octave band around a frequency in cycles per element; silence for a frequency outside of 0 to
  /// 0.5.
  ///
  /// The filter has zero phase. The band extends from half the square root of two to the square root of two times its
  /// centre; the filter attenuates by 3 dB at both edges.
  func octaveBand(atCyclesPerElement middle: Double) -> [Float] {
    guard middle > 0, middle < 0.5, !isEmpty else { return [Float](repeating: 0, count: count) }
    // A zero-phase filter rings before a sound too. The padding behind the signal, eight periods, keeps that ringing
    // from wrapping around to the end of the signal.
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
