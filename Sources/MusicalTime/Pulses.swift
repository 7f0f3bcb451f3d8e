/// The pulse, the unit in which a tempo map counts positions, and its conversion to beats.
///
/// A pulse is a fixed fraction of a beat: 9 ps at 120 beats a minute. The number of pulses in a beat is
/// 2¹⁴ · 3³ · 5³ · 7 · 11 · 13, so halves to sixteenths of a beat, thousandths, and the ticks of the usual resolutions
/// of MIDI files, such as 96, 480 and 960 to a beat, are whole numbers of pulses. The `Double` nearest to one of these
/// fractions has exactly its number of pulses, for the first 131,072 beats: 18 hours at 120 beats a minute.
enum Pulses {
  /// The number of pulses in a beat.
  static let perBeat: Int128 = 55_351_296_000

  /// The last position that is counted, 10⁸ beats: 19 months at 120 beats a minute.
  ///
  /// Its negative is the first position. Both fit 64 bits.
  static let last = 100_000_000 * perBeat

  /// The pulse that is nearest to a position in beats, clamped to the range.
  ///
  /// A value that is not a number counts as 0.
  static func nearest(toBeat beat: Double) -> Int128 {
    guard !beat.isNaN else { return 0 }
    // Whole beats apart, so that the product with the rest is exact to far less than a pulse.
    let beat = min(max(beat, -1e8), 1e8)
    let whole = Int(beat)
    let rest = (beat - Double(whole)) * Double(Int(perBeat))
    // A conversion truncates. It needs no function of the C library, as rounding does: this module does not link one.
    return Int128(whole) * perBeat + Int128(Int(rest < 0 ? rest - 0.5 : rest + 0.5))
  }

  /// The position of a pulse of the range, in beats.
  static func beat(of pulse: Int128) -> Double { Double(Int(pulse)) / Double(Int(perBeat)) }

  /// A position within the range.
  static func clamped(_ pulse: Int128) -> Int128 { min(max(pulse, -last), last) }
}

extension Int128 {
  /// The quotient, rounded towards minus infinity, by a divisor above 0.
  func flooredQuotient(by divisor: Int128) -> Int128 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// The value times `factor` over `divisor`, rounded to the nearest integer, and halves up.
  ///
  /// The result and twice the product of factor and divisor must fit 127 bits. The product of value and factor may be
  /// larger.
  func scaled(by factor: Int128, over divisor: Int128) -> Int128 {
    let whole = flooredQuotient(by: divisor)
    let rest = self - whole * divisor
    return whole * factor + (2 * rest * factor + divisor) / (2 * divisor)
  }
}
