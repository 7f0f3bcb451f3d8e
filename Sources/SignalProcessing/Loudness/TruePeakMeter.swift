/// A meter of the true peak of each channel, by ITU-R BS.1770-4, annex 2.
///
/// The annex allows an error of 0.69 dB for a tone of 0.45 of the rate, and less below.
package struct TruePeakMeter: Sendable {
  private var detector: TruePeakDetector
  /// The largest magnitude of each channel since the last reset, where full scale is 1: of the samples and between
  /// them.
  package private(set) var peaks: [Float]
  /// The largest magnitude of the samples of each channel since the last reset.
  package private(set) var samplePeaks: [Float]

  package init(channelCount: Int, sampleRate: Int) {
    detector = TruePeakDetector(channelCount: channelCount, sampleRate: sampleRate)
    peaks = Array(repeating: 0, count: ProcessingLimits.channelCount(channelCount))
    // A copy would share its memory until the first block.
    samplePeaks = Array(repeating: 0, count: ProcessingLimits.channelCount(channelCount))
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
        measureSamples(samples, from: frame, count: count, channel: channel)
      }
      frame += count
    }
  }

  private mutating func measureSamples(_ samples: Span<Float>, from frame: Int, count: Int, channel: Int) {
    let stride = peaks.count
    var (peak, place, left) = (samplePeaks[channel], frame * stride + channel, count)
    while left > 0 {
      let magnitude = samples[place].usable.magnitude
      if magnitude > peak { peak = magnitude }
      place &+= stride
      left &-= 1
    }
    samplePeaks[channel] = peak
  }

  /// Begins a new measurement of a sound that goes on.
  package mutating func resetPeaks() {
    for channel in peaks.indices { (peaks[channel], samplePeaks[channel]) = (0, 0) }
  }

  /// Forgets the sound so far as well.
  package mutating func reset() {
    detector.reset()
    resetPeaks()
  }
}
