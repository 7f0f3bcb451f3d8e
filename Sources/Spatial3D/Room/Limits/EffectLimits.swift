/// The values of effects that the loaded library computes with at a mix's rate, and the nearest values to the others.
///
/// The library derives its filters from an effect's values and the rate. Some values inside OpenAL's ranges make
/// filters with NaN coefficients, unstable filters, or filters that fail an assertion. Pure: no call and no lock.
struct EffectLimits: Equatable, Sendable {
  /// The rate of the mix, in hertz.
  let rate: Double

  /// Metres per second, by which the library limits a decay: its default, which the package leaves as it is.
  static let speedOfSound = 343.3

  /// The least gain that the library accepts for a shelf of a reverb's feedback; `nil` if the library ensures it.
  let leastShelfGain: Double?

  /// Whether the library lengthens a reverb's feedback by the depth of its modulation.
  let modulatesFeedback: Bool

  /// Whether the library keeps the frequencies of shelves below half the rate.
  let clampsFrequencies: Bool

  /// The limits of a version; `nil` is a library other than OpenAL Soft.
  init(version: LibraryVersion?, rate: Double) {
    let version = version ?? LibraryVersion(Int.max, 0, 0)
    let isOld = version < LibraryVersion(1, 20, 0)
    self.rate = rate
    // The assertion is about 0.00001; the library computes with 24 bits.
    leastShelfGain = isOld ? 0.000_010_01 : nil
    modulatesFeedback = !isOld
    clampsFrequencies = version >= LibraryVersion(1, 25, 2)
  }

  /// Whether the library's filters of sources are stable: the filters of occlusion, air and cones, at 5,000 Hz.
  var hasStableFilters: Bool { clampsFrequencies || rate >= Double(Self.lowestStableRate) }

  /// The lowest usual rate of a mix at which those filters are stable in every version.
  ///
  /// 5,000 Hz is less than 0.49 of it.
  static let lowestStableRate = 11_025

  /// The highest frequency of a shelf: the library's limit if it has one.
  var highestShelf: Double { 0.49 * rate }

  /// The highest middle of a peak: its width grows without bound towards half the rate.
  var highestPeak: Double { Self.highestPeak(rate: rate) }

  static func highestPeak(rate: Double) -> Double { 0.48 * rate }
}
