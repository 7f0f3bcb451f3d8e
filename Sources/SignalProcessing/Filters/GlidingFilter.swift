internal import Glibc

/// The coefficients of a filter whose numbers glide: frequency and quality by their logarithms, the gain in decibels.
///
/// A filter enters and leaves by its share of the sound, with its own numbers: a sweep from other numbers would pass
/// frequencies that neither the old nor the new sound raises. The coefficients are lines between points.
struct GlidingFilter: Sendable {
  private let sampleRate: Double
  /// The target; the last one for a filter that is not in use.
  private var band: FilterBand
  private var (frequency, gain, quality, share): (Glide, Glide, Glide, Glide)
  /// The coefficients of the last frame of the present line.
  private(set) var end: FilterCoefficients
  /// The coefficients that are added from frame to frame.
  private(set) var step: FilterCoefficients
  /// The frames of the present line that are left.
  private(set) var framesLeft = 0
  /// Whether the coefficients rest at ``end``.
  private(set) var isSettled = true

  /// A filter that rests: not in use for `nil`.
  init(_ band: FilterBand?, sampleRate: Double) {
    (self.sampleRate, self.band) = (sampleRate, band ?? FilterBand(.bell, 1_000))
    (frequency, gain, quality) = (Glide(0), Glide(0), Glide(0))
    share = Glide(band == nil ? 0 : 1)
    end = FilterCoefficients(self.band, sampleRate: sampleRate)
    step = end
    take(self.band)
  }

  /// Whether the result is the input.
  var isNeutral: Bool { isSettled && end.isNeutral }

  /// The decibels by which the memory falls in a frame of silence, at the target; `nil` without a memory.
  var decay: Double? {
    let target = FilterCoefficients(band, sampleRate: sampleRate)
    return share.target == 0 || target.isNeutral ? nil : target.decay
  }

  /// The frames until the coefficients rest.
  var remaining: Int { max(frequency.remaining, gain.remaining, quality.remaining, share.remaining) }

  /// Whether `move` reaches a band without a sweep through other bands; `nil` is no band.
  func canMove(to band: FilterBand?) -> Bool {
    guard let band, !(isSettled && share.target == 0) else { return true }
    return band.shape == self.band.shape && (share.target == 1 || band.frequency == self.band.frequency)
  }

  /// Begins to glide to a band with limited numbers, from the present numbers; at once for a length of 0.
  mutating func move(to band: FilterBand?, over frames: Int) {
    guard (band ?? self.band) != self.band || (band == nil ? 0 : 1) != share.target || frames < remaining else {
      return
    }
    // The next line begins at the present coefficients, in the middle of a line.
    if framesLeft > 0 { end = end.moved(step, -Double(framesLeft)) }
    if let band {
      if isSettled, share.target == 0 { take(band) }
      frequency.move(to: log(band.frequency), over: frames)
      gain.move(to: band.gain, over: frames)
      quality.move(to: log(band.quality), over: frames)
      self.band = band
    }
    share.move(to: band == nil ? 0 : 1, over: frames)
    (isSettled, framesLeft) = (false, 0)
    if frames <= 0 { finish() }
  }

  /// Takes the numbers of a band; the share stays.
  private mutating func take(_ band: FilterBand) {
    self.band = band
    (frequency, gain, quality) = (Glide(log(band.frequency)), Glide(band.gain), Glide(log(band.quality)))
    end = FilterCoefficients(band, sampleRate: sampleRate)
    if share.value != 1 { end = end.faded(share.value) }
  }

  /// Ends the glide.
  mutating func finish() {
    share.finish()
    take(band)
    (isSettled, framesLeft) = (true, 0)
  }

  /// Begins the next line, of so many frames.
  mutating func beginLine(frames: Int) {
    let start = end
    frequency.advance(frames)
    gain.advance(frames)
    quality.advance(frames)
    share.advance(frames)
    // The logarithms of the target are not exact: the numbers of a filter at rest are.
    let isAtTarget = frequency.isSettled && gain.isSettled && quality.isSettled
    let numbers =
      isAtTarget ? band : FilterBand(band.shape, exp(frequency.value), gain: gain.value, quality: exp(quality.value))
    end = FilterCoefficients(numbers, sampleRate: sampleRate)
    if share.value != 1 { end = end.faded(share.value) }
    (step, framesLeft) = (end.step(from: start, frames: frames), frames)
  }

  /// Lets frames of the line pass.
  mutating func advance(_ frames: Int) {
    framesLeft -= frames
    if framesLeft == 0, remaining == 0 { isSettled = true }
  }
}
