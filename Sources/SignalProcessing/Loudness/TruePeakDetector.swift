/// The peaks between samples, of interleaved channels, by the interpolator of ITU-R BS.1770-4, annex 2.
///
/// Four times the rate below 96 kHz, twice the rate below 192 kHz, and none from there on: the samples are then close
/// enough. The interpolator runs only around samples that can raise the peak above a bound.
struct TruePeakDetector: Sendable {
  /// The largest number of frames at once.
  static let chunk = 64

  /// The samples that count for a value; 1 where the samples alone count.
  let interpolatorLength: Int
  private let isHalved: Bool
  private let channelCount: Int
  /// For each channel the last samples before the chunk, then the chunk.
  private var held: [Float]
  /// The peak of each frame of the chunk, over all channels that were measured.
  private(set) var peaks = [Float](repeating: 0, count: Self.chunk)
  /// For each channel the frames until the last sample that can raise the peak no longer counts.
  private var activeFrames: [Int]

  /// A copy of the interpolator's table: a global one is made at its first use, which would allocate in the first
  /// block.
  private let coefficients = PeakInterpolator.coefficients

  private static let stride = PeakInterpolator.tapCount - 1 + chunk

  init(channelCount: Int, sampleRate: Int) {
    self.channelCount = max(channelCount, 1)
    isHalved = sampleRate >= 96_000
    interpolatorLength = sampleRate < 192_000 ? PeakInterpolator.tapCount : 1
    held = Array(repeating: 0, count: self.channelCount * Self.stride)
    activeFrames = Array(repeating: 0, count: self.channelCount)
  }

  /// Begins a chunk of so many frames, with a peak that all of them start from.
  mutating func begin(count: Int, peak: Float) {
    precondition(count <= Self.chunk)
    for index in 0..<count { peaks[index] = peak }
  }

  /// The largest peak of the first frames of the chunk.
  func largestPeak(of count: Int) -> Float {
    var (largest, index) = (Float(0), 0)
    while index < count {
      if peaks[index] > largest { largest = peaks[index] }
      index &+= 1
    }
    return largest
  }

  /// Raises the peaks of the frames to the magnitudes of a channel: of its samples, and of the values that end with
  /// each of them.
  ///
  /// Unusable samples count as 0. Values that are not above `bound` may be left out.
  ///
  /// The samples are interleaved, and `count` is the length of the chunk. The values count with `isBetweenSamples`.
  mutating func measure(
    _ samples: Span<Float>,
    from frame: Int,
    count: Int,
    channel: Int,
    above bound: Float,
    isBetweenSamples: Bool = true
  ) {
    precondition(count <= Self.chunk && channel < channelCount)
    let (base, taps) = (channel * Self.stride, PeakInterpolator.tapCount)
    let (stride, isHalved, needsValues) = (channelCount, isHalved, isBetweenSamples && interpolatorLength > 1)
    let limit = needsValues ? bound / PeakInterpolator.largestGain : bound
    var active = activeFrames[channel]
    let coefficients = coefficients
    precondition(frame >= 0 && (frame + count) * stride <= samples.count && count <= Self.chunk)
    // The part of a channel in `held` begins at `base`: it has the samples before the chunk, and room for the chunk,
    // as `peaks` has. The samples are `count` whole frames from `frame` on.
    unsafe held.withUnsafeMutableBufferPointer { held in
      unsafe peaks.withUnsafeMutableBufferPointer { peaks in
        unsafe coefficients.withUnsafeBufferPointer { table in
          unsafe samples.withUnsafeBufferPointer { samples in
            guard let start = held.baseAddress, let samples = samples.baseAddress, let peaks = peaks.baseAddress,
              let table = table.baseAddress
            else { return }
            let window = unsafe start + base
            var (index, place) = (0, frame &* stride &+ channel)
            while index < count {
              let sample = unsafe samples[place].usable
              unsafe window[taps &- 1 &+ index] = sample
              if sample.magnitude > limit {
                active = taps
                if unsafe sample.magnitude > peaks[index] { unsafe peaks[index] = sample.magnitude }
              }
              if active > 0, needsValues {
                active &-= 1
                let peak = unsafe PeakInterpolator.peak(window + index, table, isHalved: isHalved)
                if unsafe peak > peaks[index] { unsafe peaks[index] = peak }
              }
              index &+= 1
              place &+= stride
            }
            // The last samples are the samples before the next chunk.
            index = 0
            while index < taps &- 1 {
              unsafe window[index] = window[count &+ index]
              index &+= 1
            }
          }
        }
      }
    }
    activeFrames[channel] = active
  }

  /// Forgets the sound so far.
  mutating func reset() {
    for index in held.indices { held[index] = 0 }
    for index in activeFrames.indices { activeFrames[index] = 0 }
  }
}
