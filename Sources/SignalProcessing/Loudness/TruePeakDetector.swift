/// The peaks between samples, of interleaved channels, by the interpolator of ITU-R BS.1770-4, annex 2.
///
/// Four times the rate below 96 kHz, twice the rate below 192 kHz, and none from there on: the samples are then close
/// enough. The interpolator runs only around samples that can raise the peak above a bound.
package struct TruePeakDetector: Sendable {
  /// The largest number of frames at once.
  package static let chunk = 64

  /// The frames by which a value between samples comes later than the oldest sample that counts for it.
  package let reach: Int
  private let isHalved: Bool
  private let channelCount: Int
  /// For each channel the last samples before the chunk, then the chunk.
  private var held: [Float]
  /// The peak of each frame of the chunk, over all channels that were measured.
  package private(set) var peaks = [Float](repeating: 0, count: Self.chunk)
  /// For each channel the frames until the last sample that can raise the peak no longer counts.
  private var activeFrames: [Int]

  private static let stride = PeakInterpolator.tapCount - 1 + chunk

  package init(channelCount: Int, sampleRate: Int) {
    self.channelCount = max(channelCount, 1)
    isHalved = sampleRate >= 96_000
    reach = sampleRate < 192_000 ? PeakInterpolator.tapCount - 1 : 0
    held = Array(repeating: 0, count: self.channelCount * Self.stride)
    activeFrames = Array(repeating: 0, count: self.channelCount)
  }

  /// Begins a chunk of so many frames, with a peak that all of them start from.
  package mutating func begin(count: Int, peak: Float) {
    precondition(count <= Self.chunk)
    for index in 0..<count { peaks[index] = peak }
  }

  /// The largest peak of the first frames of the chunk.
  package func largestPeak(of count: Int) -> Float {
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
  /// A sample that is not finite, or beyond ±1e25, counts as 0. Values that are not above `bound` may be left out.
  ///
  /// The samples are interleaved, and `count` is the length of the chunk. The values count with `isBetweenSamples`.
  package mutating func measure(
    _ samples: Span<Float>,
    from frame: Int,
    count: Int,
    channel: Int,
    above bound: Float,
    isBetweenSamples: Bool = true
  ) {
    precondition(count <= Self.chunk && channel < channelCount)
    let (base, taps) = (channel * Self.stride, PeakInterpolator.tapCount)
    let (stride, isHalved, needsValues) = (channelCount, isHalved, isBetweenSamples && reach > 0)
    let limit = needsValues ? bound / PeakInterpolator.largestGain : bound
    let largest = ProcessingLimits.largestSample
    var active = activeFrames[channel]
    let coefficients = PeakInterpolator.coefficients
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
              var sample = unsafe samples[place]
              // False for what is not a number.
              if !(sample.magnitude <= largest) { sample = 0 }
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
  package mutating func reset() {
    for index in held.indices { held[index] = 0 }
    for index in activeFrames.indices { activeFrames[index] = 0 }
  }
}

/// A meter of the true peak of each channel, by ITU-R BS.1770-4, annex 2.
///
/// The annex allows an error of 0.69 dB for a tone of 0.45 of the rate, and less below.
package struct TruePeakMeter: Sendable {
  private var detector: TruePeakDetector
  /// The largest magnitude of each channel since the last reset, where full scale is 1.
  package private(set) var peaks: [Float]

  package init(channelCount: Int, sampleRate: Int) {
    detector = TruePeakDetector(channelCount: channelCount, sampleRate: sampleRate)
    peaks = Array(repeating: 0, count: max(channelCount, 1))
  }

  /// Measures the next frames, in interleaved samples.
  package mutating func append(_ samples: Span<Float>) {
    let frameCount = samples.count / peaks.count
    var frame = 0
    while frame < frameCount {
      let count = min(TruePeakDetector.chunk, frameCount - frame)
      for channel in peaks.indices {
        // Only a larger peak takes time.
        var peak = peaks[channel]
        detector.begin(count: count, peak: peak)
        detector.measure(samples, from: frame, count: count, channel: channel, above: peak)
        peak = max(peak, detector.largestPeak(of: count))
        peaks[channel] = peak
      }
      frame += count
    }
  }

  /// The largest of all channels.
  package var peak: Float { peaks.max() ?? 0 }

  /// Begins a new measurement of a sound that goes on.
  package mutating func resetPeaks() { for channel in peaks.indices { peaks[channel] = 0 } }

  /// Forgets the sound so far as well.
  package mutating func reset() {
    detector.reset()
    resetPeaks()
  }
}
