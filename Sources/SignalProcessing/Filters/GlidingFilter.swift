internal import Glibc

/// The coefficients of a filter whose numbers glide: frequency and quality by their logarithms, the gain in decibels.
///
/// A change of the shape moves the shares of the outputs, so that it makes no click either.
struct GlidingFilter: Sendable {
  private let sampleRate: Double
  /// The target.
  private(set) var band: FilterBand
  private var (frequency, gain, quality): (Glide, Glide, Glide)
  /// The coefficients at the beginning of the glide, while they count.
  private var mixedStart: FilterCoefficients?
  private var share = Glide(1)
  /// The coefficients of the frame that comes next.
  private(set) var coefficients: FilterCoefficients
  /// Whether the coefficients rest.
  private(set) var isSettled = true

  init(_ band: FilterBand, sampleRate: Double) {
    let band = band.limited(sampleRate: sampleRate)
    (self.sampleRate, self.band) = (sampleRate, band)
    (frequency, gain, quality) = (Glide(log(band.frequency)), Glide(band.gain), Glide(log(band.quality)))
    coefficients = FilterCoefficients(band, sampleRate: sampleRate)
  }

  /// The frames until the coefficients rest.
  private var remaining: Int {
    max(frequency.remaining, gain.remaining, quality.remaining, share.remaining)
  }

  /// Begins to glide to other numbers from the present numbers; at once for a length of 0.
  mutating func move(to band: FilterBand, over frames: Int) {
    let band = band.limited(sampleRate: sampleRate)
    guard band != self.band || frames < remaining else { return }
    if band.shape != self.band.shape || mixedStart != nil {
      mixedStart = coefficients
      share = Glide(0)
      share.move(to: 1, over: frames)
    }
    self.band = band
    frequency.move(to: log(band.frequency), over: frames)
    gain.move(to: band.gain, over: frames)
    quality.move(to: log(band.quality), over: frames)
    isSettled = false
    if frames <= 0 { advance(0) }
  }

  /// Lets frames pass, and computes the coefficients of the frame behind them.
  mutating func advance(_ frames: Int) {
    frequency.advance(frames)
    gain.advance(frames)
    quality.advance(frames)
    share.advance(frames)
    // The logarithms of the target are not exact: the numbers of a filter at rest are.
    let isAtRest = frequency.isSettled && gain.isSettled && quality.isSettled
    let present =
      isAtRest ? band : FilterBand(band.shape, exp(frequency.value), gain: gain.value, quality: exp(quality.value))
    coefficients = FilterCoefficients(present, sampleRate: sampleRate)
    if let mixedStart, !share.isSettled { coefficients = mixedStart.mixed(with: coefficients, share.value) }
    isSettled = frequency.isSettled && gain.isSettled && quality.isSettled && share.isSettled
    if isSettled { mixedStart = nil }
  }
}
