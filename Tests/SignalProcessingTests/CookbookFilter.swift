import Glibc
import SignalProcessing

/// A filter of Robert Bristow-Johnson's "Audio EQ Cookbook": the reference of the filters.
struct CookbookFilter {
  private let (b, a): ([Double], [Double])

  init(_ band: FilterBand, rate: Double) {
    let w = 2 * .pi * band.frequency / rate
    let (c, alpha, gain) = (cos(w), sin(w) / (2 * band.quality), pow(10, band.gain / 40))
    let root = 2 * gain.squareRoot() * alpha
    switch band.shape {
    case .lowPass: (b, a) = ([(1 - c) / 2, 1 - c, (1 - c) / 2], [1 + alpha, -2 * c, 1 - alpha])
    case .highPass: (b, a) = ([(1 + c) / 2, -1 - c, (1 + c) / 2], [1 + alpha, -2 * c, 1 - alpha])
    case .bandPass: (b, a) = ([alpha, 0, -alpha], [1 + alpha, -2 * c, 1 - alpha])
    case .notch: (b, a) = ([1, -2 * c, 1], [1 + alpha, -2 * c, 1 - alpha])
    case .bell: (b, a) = ([1 + alpha * gain, -2 * c, 1 - alpha * gain], [1 + alpha / gain, -2 * c, 1 - alpha / gain])
    case .lowShelf:
      b = [
        gain * ((gain + 1) - (gain - 1) * c + root), 2 * gain * ((gain - 1) - (gain + 1) * c),
        gain * ((gain + 1) - (gain - 1) * c - root),
      ]
      a = [
        (gain + 1) + (gain - 1) * c + root, -2 * ((gain - 1) + (gain + 1) * c), (gain + 1) + (gain - 1) * c - root,
      ]
    case .highShelf:
      b = [
        gain * ((gain + 1) + (gain - 1) * c + root), -2 * gain * ((gain - 1) + (gain + 1) * c),
        gain * ((gain + 1) + (gain - 1) * c - root),
      ]
      a = [
        (gain + 1) - (gain - 1) * c + root, 2 * ((gain - 1) - (gain + 1) * c), (gain + 1) - (gain - 1) * c - root,
      ]
    }
  }

  /// The gain in decibels at a frequency.
  func gain(at frequency: Double, rate: Double) -> Double {
    let w = 2 * .pi * frequency / rate
    func magnitude(_ x: [Double]) -> Double {
      hypot(x[0] + x[1] * cos(w) + x[2] * cos(2 * w), x[1] * sin(w) + x[2] * sin(2 * w))
    }
    return 20 * log10(max(magnitude(b) / magnitude(a), 1e-12))
  }
}
