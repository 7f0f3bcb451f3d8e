/// One channel at four times its rate, and back, so that a shaper of waves makes few aliases.
///
/// Four times below 80 kHz, twice below 160 kHz, and the rate itself from there on.
struct Oversampler: Sendable {
  /// The largest number of frames at once.
  static let chunk = HalfBandFilter.chunk / 2

  /// The memory that the channels of a processor share.
  struct Scratch: Sendable {
    fileprivate var fourfold = [Float](repeating: 0, count: 4 * Oversampler.chunk)
    fileprivate var doubled = [Float](repeating: 0, count: 2 * Oversampler.chunk + 1)
    fileprivate var sums = [Float](repeating: 0, count: HalfBandFilter.chunk)
  }

  /// The frames by which the sound is late, there and back.
  let latency: Int
  /// The rate over the rate of the sound: 1, 2 or 4.
  let factor: Int
  private var (first, second): (HalfBandFilter, HalfBandFilter)
  /// The last sample at twice the rate, which waits for its frame.
  private var waiting: Float = 0

  init(sampleRate: Double) {
    factor = sampleRate < 80_000 ? 4 : sampleRate < 160_000 ? 2 : 1
    // Chosen: 19 kHz at 48 kHz pass within 0.1 dB, and 29 kHz are lowered by 75 dB. The second filter may pass images
    // of frequencies that the first one has removed: twelve coefficients are enough.
    first = HalfBandFilter(tapCount: 36, beta: 7.5)
    second = HalfBandFilter(tapCount: 12, beta: 8)
    // The second filter is late by an odd number of frames, so one frame more makes it whole frames.
    latency = factor == 4 ? first.delay + (second.delay + 1) / 2 : factor == 2 ? first.delay : 0
  }

  /// Changes samples at the higher rate by a closure.
  ///
  /// The caller guarantees `count` samples, at most ``chunk``. The closure gets `factor` times as many.
  @unsafe
  mutating func process(
    _ samples: UnsafeMutablePointer<Float>,
    count: Int,
    _ scratch: inout Scratch,
    _ body: (UnsafeMutablePointer<Float>, Int) -> Void
  ) {
    precondition(count <= Self.chunk)
    guard factor > 1 else { return unsafe body(samples, count) }
    // `doubled` has room for a frame from before and twice a chunk, and `fourfold` for four times a chunk.
    unsafe scratch.doubled.withUnsafeMutableBufferPointer { doubled in
      unsafe scratch.fourfold.withUnsafeMutableBufferPointer { fourfold in
        unsafe scratch.sums.withUnsafeMutableBufferPointer { sums in
          guard let doubled = doubled.baseAddress, let fourfold = fourfold.baseAddress, let sums = sums.baseAddress
          else { return }
          unsafe first.raise(samples, count: count, into: doubled + 1, sums: sums)
          if factor == 2 {
            unsafe body(doubled + 1, 2 * count)
            unsafe first.lower(doubled + 1, count: count, into: samples, sums: sums)
          } else {
            unsafe second.raise(doubled + 1, count: 2 * count, into: fourfold, sums: sums)
            unsafe body(fourfold, 4 * count)
            unsafe second.lower(fourfold, count: 2 * count, into: doubled + 1, sums: sums)
            unsafe doubled[0] = waiting
            unsafe waiting = doubled[2 * count]
            unsafe first.lower(doubled, count: count, into: samples, sums: sums)
          }
        }
      }
    }
  }

  mutating func reset() {
    first.reset()
    second.reset()
    waiting = 0
  }
}
