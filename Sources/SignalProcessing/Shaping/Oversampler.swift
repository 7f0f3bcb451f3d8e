/// One channel at four times its rate, and back: what a shaper of waves needs against aliases.
///
/// Four times below 80 kHz, twice below 160 kHz, and the rate itself from there on.
struct Oversampler: Sendable {
  /// The largest number of frames at once.
  static let chunk = HalfBandFilter.chunk / 2

  /// The frames by which the sound is late, there and back.
  let latency: Int
  /// The rate over the rate of the sound: 1, 2 or 4.
  let factor: Int
  private var (first, second): (HalfBandFilter, HalfBandFilter)
  private var doubled = [Float](repeating: 0, count: 2 * Self.chunk + 1)
  private var fourfold = [Float](repeating: 0, count: 4 * Self.chunk)

  init(sampleRate: Double) {
    factor = sampleRate < 80_000 ? 4 : sampleRate < 160_000 ? 2 : 1
    // Chosen: 20 kHz at 48 kHz pass, and 28 kHz are lowered by 60 dB. The second filter has a wide transition, so that
    // few coefficients lower its images by 70 dB.
    first = HalfBandFilter(tapCount: 24, shape: 5.6)
    second = HalfBandFilter(tapCount: 8, shape: 7)
    // The second filter is late by seven frames of twice the rate, so one frame more makes it whole frames.
    latency = factor == 4 ? first.delay + (second.delay + 1) / 2 : factor == 2 ? first.delay : 0
  }

  /// Changes samples at the higher rate by a closure.
  ///
  /// The caller guarantees `count` samples, at most ``chunk``. The closure gets `factor` times as many.
  @unsafe
  mutating func process(
    _ samples: UnsafeMutablePointer<Float>,
    count: Int,
    _ body: (UnsafeMutablePointer<Float>, Int) -> Void
  ) {
    precondition(count <= Self.chunk)
    guard factor > 1 else { return unsafe body(samples, count) }
    let factor = factor
    // `doubled` has room for a frame from before and twice a chunk, and `fourfold` for four times a chunk.
    unsafe doubled.withUnsafeMutableBufferPointer { doubled in
      unsafe fourfold.withUnsafeMutableBufferPointer { fourfold in
        guard let doubled = doubled.baseAddress, let fourfold = fourfold.baseAddress else { return }
        unsafe first.raise(samples, count: count, into: doubled + 1)
        if factor == 2 {
          unsafe body(doubled + 1, 2 * count)
          unsafe first.lower(doubled + 1, count: count, into: samples)
        } else {
          unsafe second.raise(doubled + 1, count: 2 * count, into: fourfold)
          unsafe body(fourfold, 4 * count)
          unsafe second.lower(fourfold, count: 2 * count, into: doubled + 1)
          // The frame from before comes first, and the last one waits.
          unsafe first.lower(doubled, count: count, into: samples)
          unsafe doubled[0] = doubled[2 * count]
        }
      }
    }
  }

  mutating func reset() {
    first.reset()
    second.reset()
    doubled[0] = 0
  }
}
