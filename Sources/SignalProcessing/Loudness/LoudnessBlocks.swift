package import PCM

/// The loudness of a sound that arrives in parts: momentary, short-term and integrated, and its range.
///
/// Sources: ITU-R BS.1770-4, EBU Tech 3341 and 3342. The power is summed over steps of 10 ms. The momentary loudness
/// covers 400 ms, the short-term loudness 3 s, and both move with each step. The integrated loudness and the range
/// take a block each 100 ms, from histograms: the memory does not grow. A sample that is not finite counts as
/// silence.
///
/// Pure: no call, no lock, and no allocation after `init`.
package struct LoudnessBlocks: Sendable {
  private let weighting: KWeighting
  private let weights: [Double]
  private let channelCount: Int
  private let sampleRate: Int
  private var channels: [KWeighting.State]

  /// The weighted powers of the last steps, as a ring: the sums of squares, not their means.
  private var steps = [Double](repeating: 0, count: Self.shortTermSteps)
  /// The steps so far.
  package private(set) var stepCount = 0
  private var stepPower = 0.0
  private var stepFrames = 0
  private var stepLength = 0

  private var blocks = LoudnessHistogram()
  /// A range has no gate at 10 LU, and is known within 1 LU: bins of 0.1 LU are enough.
  private var shortTerms = LoudnessHistogram(binsPerUnit: 10)
  private var (momentaryPower, shortTermPower) = (0.0, 0.0)
  private var (largestMomentaryPower, largestShortTermPower) = (0.0, 0.0)

  private static let momentarySteps = 40
  private static let shortTermSteps = 300
  private static let stepsBetweenBlocks = 10

  /// A meter of a sound that has not begun.
  ///
  /// A rate outside of 100 Hz to 10 MHz is moved into this range.
  package init(format: PCMFormat) {
    sampleRate = min(max(format.sampleRate, 100), 10_000_000)
    weighting = KWeighting(sampleRate: sampleRate)
    weights = LoudnessLaw.weights(of: format.layout)
    channelCount = format.channelCount
    channels = Array(repeating: KWeighting.State(), count: channelCount)
    stepLength = length(ofStep: 0)
  }

  /// The frames of a step.
  ///
  /// Steps differ by a frame where the rate is no multiple of 100, so that no time is lost.
  private func length(ofStep index: Int) -> Int {
    let place = index % 100
    return (place + 1) * sampleRate / 100 - place * sampleRate / 100
  }

  /// Measures the next frames of the sound, in interleaved samples of the format.
  package mutating func append(_ samples: Span<Float>) { append(samples, channelCount: channelCount) }

  /// Measures the next frames of a sound with its own number of channels; those that the format lacks are left out.
  package mutating func append(_ samples: Span<Float>, channelCount stride: Int) {
    let frameCount = samples.count / max(stride, 1)
    // Reads whole frames of the span: at `frame * stride + channel`, which is below its count.
    unsafe samples.withUnsafeBufferPointer { samples in
      guard let start = samples.baseAddress else { return }
      var frame = 0
      while frame < frameCount {
        let count = min(stepLength - stepFrames, frameCount - frame)
        for channel in 0..<min(stride, channels.count) where weights[channel] > 0 {
          let first = unsafe start + (frame * stride + channel)
          stepPower +=
            unsafe weights[channel] * channels[channel].power(of: first, count: count, stride: stride, weighting)
        }
        frame += count
        stepFrames += count
        if stepFrames == stepLength { endStep() }
      }
    }
  }

  private mutating func endStep() {
    steps[stepCount % Self.shortTermSteps] = stepPower
    stepCount += 1
    (stepPower, stepFrames, stepLength) = (0, 0, length(ofStep: stepCount))
    if stepCount >= Self.momentarySteps {
      momentaryPower = meanPower(ofLast: Self.momentarySteps)
      largestMomentaryPower = max(largestMomentaryPower, momentaryPower)
      if stepCount % Self.stepsBetweenBlocks == 0 { blocks.insert(power: momentaryPower) }
    }
    if stepCount >= Self.shortTermSteps {
      shortTermPower = meanPower(ofLast: Self.shortTermSteps)
      largestShortTermPower = max(largestShortTermPower, shortTermPower)
      if stepCount % Self.stepsBetweenBlocks == 0 { shortTerms.insert(power: shortTermPower) }
    }
  }

  /// The mean over the last steps.
  ///
  /// It is summed anew, so that no rounding is left from louder sounds.
  private func meanPower(ofLast count: Int) -> Double {
    var (sum, index) = (0.0, (stepCount - count) % Self.shortTermSteps)
    for _ in 0..<count {
      sum += steps[index]
      index = index + 1 == Self.shortTermSteps ? 0 : index + 1
    }
    return sum / (Double(count) * Double(sampleRate) / 100)
  }
}

extension LoudnessBlocks {
  /// The loudness of the last 400 ms, in LUFS; `nil` before.
  package var momentary: Double? { stepCount < Self.momentarySteps ? nil : Self.loudness(momentaryPower) }

  /// The loudness of the last 3 s, in LUFS; `nil` before.
  package var shortTerm: Double? { stepCount < Self.shortTermSteps ? nil : Self.loudness(shortTermPower) }

  /// The largest momentary loudness so far.
  package var largestMomentary: Double? { stepCount < Self.momentarySteps ? nil : Self.loudness(largestMomentaryPower) }

  /// The largest short-term loudness so far.
  package var largestShortTerm: Double? { stepCount < Self.shortTermSteps ? nil : Self.loudness(largestShortTermPower) }

  /// The loudness of all frames so far, in LUFS, without silent and soft blocks.
  ///
  /// It is `nil` for less than 400 ms, and where no block of 400 ms is above -70 LUFS.
  package var integrated: Double? { blocks.gatedMean }

  /// The loudness range, in LU; `nil` before a block of 3 s above -70 LUFS.
  package var range: Double? { shortTerms.range }

  private static func loudness(_ power: Double) -> Double { LoudnessLaw.loudness(ofPower: power) }

  /// Begins anew: with the next frame, and without memory.
  package mutating func reset() {
    for index in channels.indices { channels[index] = KWeighting.State() }
    for index in steps.indices { steps[index] = 0 }
    (stepCount, stepPower, stepFrames, stepLength) = (0, 0, 0, length(ofStep: 0))
    blocks.reset()
    shortTerms.reset()
    (momentaryPower, shortTermPower, largestMomentaryPower, largestShortTermPower) = (0, 0, 0, 0)
  }
}
