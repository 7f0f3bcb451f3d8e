import Glibc
public import Spatial3D

/// The power of a channel over the frequencies.
///
/// The powers of all bins add up to the channel's mean square, so that levels here and levels of a mix agree.
///
/// Welch, "The use of fast Fourier transform for the estimation of power spectra" (1967): the mean of the spectra of
/// windows that overlap by half, under Hann's window.
public struct Spectrum: Hashable, Sendable {
  /// The distance of two neighbouring bins, in hertz.
  public let binWidth: Double

  /// The mean square in each bin, from 0 Hz in steps of ``binWidth`` to half the sample rate.
  let powers: [Double]

  /// The level of each bin, from 0 Hz in steps of ``binWidth`` to half the sample rate.
  ///
  /// The level of noise in a bin depends on the width of the bins. A tone is spread over three or four bins:
  /// ``level(in:)`` adds them up.
  public var levels: [Decibels] { powers.map(Decibels.init(power:)) }

  /// The level of the channel between two frequencies, in hertz.
  ///
  /// Adds up the power of all bins, and parts of bins, in the range. The range has to extend two bins beyond a tone on
  /// either side to include all of it. A range outside of 0 to half the sample rate gives silence.
  public func level(in frequencies: ClosedRange<Double>) -> Decibels {
    var sum = 0.0
    for (bin, power) in powers.enumerated() {
      // The first and the last bin end at 0 Hz and at half the rate.
      let lowest = max(Double(bin) - 0.5, 0) * binWidth
      let highest = min(Double(bin) + 0.5, Double(powers.count - 1)) * binWidth
      let shared = min(highest, frequencies.upperBound) - max(lowest, frequencies.lowerBound)
      if shared > 0 { sum += power * shared / (highest - lowest) }
    }
    return Decibels(power: sum)
  }

  /// The frequency, in hertz, of the strongest tone; `nil` in silence.
  ///
  /// The error is at most a fiftieth of a bin for a single steady tone. The method is a parabola through the levels of
  /// the strongest bin and its neighbours (Smith and Serra, "PARSHL: an analysis/synthesis program for non-harmonic
  /// sounds based on a sinusoidal representation", 1987).
  public var strongestFrequency: Double? {
    guard let bin = powers.indices.max(by: { powers[$0] < powers[$1] }), powers[bin] > 0 else { return nil }
    guard bin > 0, bin < powers.count - 1 else { return Double(bin) * binWidth }
    let levels = (bin - 1...bin + 1).map { log(max(powers[$0], 1e-300)) }
    let curvature = levels[0] - 2 * levels[1] + levels[2]
    let offset = curvature < 0 ? (levels[0] - levels[2]) / (2 * curvature) : 0
    return (Double(bin) + offset) * binWidth
  }
}
