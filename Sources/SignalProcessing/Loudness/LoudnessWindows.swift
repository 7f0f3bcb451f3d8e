internal import PCM

/// The momentary and the short-term loudness of a sound that arrives in parts.
///
/// Sources: ITU-R BS.1770-4 and EBU Tech 3341. The power is summed over steps of 10 ms. The momentary loudness covers
/// 400 ms, the short-term loudness 3 s, and both move with each step. Unusable samples count as silence. The numbers do
/// not depend on the lengths of the parts, to the bit.
///
/// Pure: no system call, no lock, and no allocation after `init`.
struct LoudnessWindows: Sendable {
  private let weighting: KWeighting
  private let weights: [Double]
  private let sampleRate: Int
  private var channels: [KWeighting.State]

  /// The weighted powers of the last steps, as a ring: the sums of squares, not their means.
  private var steps = [Double](repeating: 0, count: Self.shortTermSteps)
  /// The steps so far.
  private(set) var stepCount = 0
  /// The frames of the present step that are left.
  private var framesLeft = 0
  /// The weighted mean squares of the last 400 ms and 3 s; `nil` before.
  private(set) var (momentaryPower, shortTermPower): (Double?, Double?)

  private static let momentarySteps = 40
  private static let shortTermSteps = 300

  /// Windows of a sound that has not begun.
  init(format: PCMFormat) {
    sampleRate = Int(ProcessingLimits.sampleRate(format.sampleRate))
    weighting = KWeighting(sampleRate: sampleRate)
    weights = LoudnessScale.weights(of: format.layout)
    channels = Array(repeating: KWeighting.State(), count: format.channelCount)
    framesLeft = length(ofStep: 0)
  }

  /// The frames of a step.
  ///
  /// Steps differ by a frame where the rate is no multiple of 100, so that no time is lost.
  private func length(ofStep index: Int) -> Int {
    let place = index % 100
    return (place + 1) * sampleRate / 100 - place * sampleRate / 100
  }

  /// Measures the next frames of a sound with its own number of channels, up to the end of the present step; returns
  /// their number.
  ///
  /// Channels that the format lacks are left out.
  mutating func appendStep(_ samples: Span<Float>, from frame: Int, channelCount stride: Int) -> Int {
    let count = min(framesLeft, samples.count / stride - frame)
    // Reads whole frames of the span: at `frame * stride + channel`, which is below its count.
    unsafe samples.withUnsafeBufferPointer { samples in
      guard let start = samples.baseAddress else { return }
      for channel in 0..<min(stride, channels.count) where weights[channel] > 0 {
        unsafe channels[channel].append(start + (frame * stride + channel), count: count, stride: stride, weighting)
      }
    }
    framesLeft -= count
    if framesLeft == 0 { endStep() }
    return count
  }

  /// Measures the next frames of a sound with its own number of channels.
  mutating func append(_ samples: Span<Float>, channelCount stride: Int) {
    let stride = max(stride, 1)
    var frame = 0
    while frame < samples.count / stride { frame += appendStep(samples, from: frame, channelCount: stride) }
  }

  private mutating func endStep() {
    var power = 0.0
    for channel in channels.indices { power += weights[channel] * channels[channel].takePower() }
    steps[stepCount % Self.shortTermSteps] = power
    stepCount += 1
    framesLeft = length(ofStep: stepCount)
    if stepCount >= Self.momentarySteps { momentaryPower = meanPower(ofLast: Self.momentarySteps) }
    if stepCount >= Self.shortTermSteps { shortTermPower = meanPower(ofLast: Self.shortTermSteps) }
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

  /// Whether silence leaves all powers 0: the windows are full of it, and so is the weighting.
  ///
  /// The present step may have begun before the silence, by less than its length.
  var isSilent: Bool {
    stepCount >= Self.shortTermSteps && steps.allSatisfy { $0 == 0 } && channels.allSatisfy(\.isSilent)
  }

  /// Lets silent frames pass, while the windows are silent.
  mutating func skipSilence(_ frameCount: Int) {
    var left = frameCount
    while left >= framesLeft {
      left -= framesLeft
      stepCount += 1
      framesLeft = length(ofStep: stepCount)
    }
    framesLeft -= left
  }

  /// The loudness of the last 400 ms, in LUFS; `nil` before.
  var momentary: Double? { momentaryPower.map(LoudnessScale.loudness(ofPower:)) }

  /// The loudness of the last 3 s, in LUFS; `nil` before.
  var shortTerm: Double? { shortTermPower.map(LoudnessScale.loudness(ofPower:)) }

  /// Begins anew: with the next frame, and without memory.
  mutating func reset() {
    for index in channels.indices { channels[index] = KWeighting.State() }
    for index in steps.indices { steps[index] = 0 }
    (stepCount, framesLeft) = (0, length(ofStep: 0))
    (momentaryPower, shortTermPower) = (nil, nil)
  }
}
