internal import Glibc

/// The low-pass filter of a change of sample rate: a windowed sinc, with its coefficients at many phases.
///
/// The pass band ends at 0.9 of the lower Nyquist frequency, and the stop band begins at the lower Nyquist frequency.
/// A Kaiser window over 128 frames of the lower rate attenuates the stop band by 100 dB.
///
/// Pure: no call and no lock.
package struct ResamplingFilter: Sendable {
  /// The properties by which two filters differ.
  package struct Shape: Hashable, Sendable {
    /// The input frames that count for an output frame; a multiple of 16.
    package let tapCount: Int
    /// The phases between two input frames.
    package let phaseCount: Int
    /// Whether output frames lie between two phases; both phases then count.
    package let isInterpolated: Bool
    /// The rate of the output over the rate of the input, at most 1.
    package let scale: Double

    /// The shape for a ratio whose rates are above 0.
    ///
    /// A ratio of small whole numbers, such as 147 to 160, has one phase for each of its output frames. Any other ratio
    /// has so many phases that the interpolation between them adds errors below -105 dB.
    package init(_ ratio: RateRatio) {
      let unit = ratio.unit
      scale = min(Double(unit.output) / Double(unit.input), 1)
      let tapCount = Int((Double(Self.length) / scale / 16).rounded(.up)) * 16
      let (size, isTooLarge) = unit.output.multipliedReportingOverflow(by: tapCount)
      self.tapCount = tapCount
      isInterpolated = isTooLarge || size > Self.mostCoefficients
      phaseCount = isInterpolated ? Int((Double(Self.interpolatedPhases) * scale).rounded(.up)) : unit.output
    }

    /// The length of the filter, in frames of the lower rate: what the transition from 0.9 to 1 needs for 100 dB.
    fileprivate static let length = 128
    /// The limit of a table with one phase for each output frame: 1 MiB.
    private static let mostCoefficients = 1 << 18
    /// The phases between two frames of the lower rate: the curvature of the sinc between two is below -105 dB.
    private static let interpolatedPhases = 512
  }

  package let shape: Shape
  /// The coefficients, phase after phase; with interpolation one phase more.
  package let coefficients: [Float]

  package init(_ shape: Shape) {
    self.shape = shape
    let tapCount = shape.tapCount
    let rowCount = shape.phaseCount + (shape.isInterpolated ? 1 : 0)
    // The middle of the transition.
    let cutoff = 0.95 * shape.scale
    let reach = Double(Self.Shape.length / 2) / shape.scale
    var coefficients: [Float] = []
    coefficients.reserveCapacity(rowCount * tapCount)
    var row = [Double](repeating: 0, count: tapCount)
    for phase in 0..<rowCount {
      let offset = Double(tapCount / 2 - 1) + Double(phase) / Double(shape.phaseCount)
      for tap in 0..<tapCount {
        let distance = Double(tap) - offset
        row[tap] = Self.sinc(cutoff * distance) * Self.window(distance / reach)
      }
      // Each phase has the same gain at 0 Hz, so that a constant stays constant.
      let sum = row.reduce(0, +)
      for coefficient in row { coefficients.append(Float(coefficient / sum)) }
    }
    self.coefficients = coefficients
  }

  private static func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }

  /// The Kaiser window, from -1 to 1.
  private static func window(_ x: Double) -> Double {
    // The shape parameter of 100 dB, by Kaiser's formula 0.1102 · (100 - 8.7).
    abs(x) >= 1 ? 0 : bessel(10.06 * (1 - x * x).squareRoot()) / windowPeak
  }

  private static let windowPeak = bessel(10.06)

  /// The modified Bessel function of the first kind and of order 0, of which Kaiser windows are made.
  package static func bessel(_ x: Double) -> Double {
    let square = x * x / 4
    var (sum, term, index) = (1.0, 1.0, 1.0)
    while term > sum * 1e-17 {
      term *= square / (index * index)
      sum += term
      index += 1
    }
    return sum
  }
}
