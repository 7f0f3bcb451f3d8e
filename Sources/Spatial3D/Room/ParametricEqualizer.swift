/// One band of an equaliser, which raises or lowers a part of the spectrum.
///
/// Apple's counterparts are `ALC_ASA_REVERB_EQ_FREQ`, `ALC_ASA_REVERB_EQ_BANDWITH` and `ALC_ASA_REVERB_EQ_GAIN`.
public struct ParametricEqualizer: Hashable, Sendable {
  /// The middle of the band, in hertz.
  ///
  /// Range: 10 to 20,000, clamped. Default: 800.
  public var frequency: Float

  /// The width of the band between the frequencies with half of the decibels, in octaves.
  ///
  /// Range: 0.05 to 4, clamped. Default: 3.
  public var bandwidth: Float

  /// The level in the middle of the band.
  ///
  /// Range: -18 to 18 dB, clamped. Default: 0.
  public var level: Decibels

  /// A band; with a level of 0 it has no effect.
  public init(frequency: Float = 800, bandwidth: Float = 3, level: Decibels = 0) {
    self.frequency = frequency
    self.bandwidth = bandwidth
    self.level = level
  }
}

extension ParametricEqualizer: Clampable {
  var isFinite: Bool { frequency.isFinite && bandwidth.isFinite && level.rawValue.isFinite }

  var clamped: ParametricEqualizer {
    ParametricEqualizer(
      frequency: frequency.clamped(to: 10...20_000),
      bandwidth: bandwidth.clamped(to: 0.05...4),
      level: level.clamped(to: -18...18)
    )
  }
}
