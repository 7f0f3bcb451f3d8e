internal import Glibc

/// The level of interleaved channels, measured over groups of frames: the highest of all channels.
///
/// One level for all channels moves no image to a side. A sample that is not finite, or beyond ±1e25, counts as 0.
package struct LevelDetector: Sendable {
  package enum Kind: Hashable, Sendable {
    /// The largest magnitude of a group.
    case peak
    /// The root of the mean square, with an exponential window of 5 ms.
    case rootMeanSquare
  }

  private let kind: Kind
  private let channelCount: Int
  private let sampleRate: Double
  /// For each channel the largest magnitude of the group, or the mean square.
  private var values: [Double]
  private var filters: [StateVariableFilter]
  private var highPass: StateVariableFilter.Factors?
  private let share: Double

  /// The softest level, in decibels: silence.
  package static let floor = -200.0
  /// The time constant of the mean square.
  ///
  /// Chosen: half of a period of 100 Hz, so that the level of a low voice is calm.
  private static let window = 0.005

  package init(_ kind: Kind, channelCount: Int, sampleRate: Int) {
    self.kind = kind
    self.channelCount = ProcessingLimits.channelCount(channelCount)
    self.sampleRate = ProcessingLimits.sampleRate(sampleRate)
    values = Array(repeating: 0, count: self.channelCount)
    filters = Array(repeating: StateVariableFilter(), count: self.channelCount)
    share = 1 - exp(-1 / (Self.window * self.sampleRate))
  }

  /// Leaves out lower frequencies, in hertz; 0 or less measures all frequencies.
  package mutating func setHighPass(_ frequency: Double) {
    guard frequency > 0 else { return highPass = nil }
    let band = FilterBand(.highPass, frequency).limited(sampleRate: sampleRate)
    highPass = StateVariableFilter.Factors(FilterCoefficients(band, sampleRate: sampleRate))
  }

  /// Measures frames of a group.
  package mutating func measure(_ samples: Span<Float>, from frame: Int, count: Int) {
    precondition(frame >= 0 && (frame + count) * channelCount <= samples.count)
    // Reads `count` whole frames from `frame` on.
    unsafe samples.withUnsafeBufferPointer { samples in
      guard let start = samples.baseAddress else { return }
      for channel in 0..<channelCount {
        let first = unsafe start + (frame * channelCount + channel)
        unsafe measure(first, count: count, channel: channel)
      }
    }
  }

  /// Measures frames of a channel, which the caller guarantees.
  @unsafe
  private mutating func measure(_ samples: UnsafePointer<Float>, count: Int, channel: Int) {
    let (stride, share, highPass, isPeak) = (channelCount, share, highPass, kind == .peak)
    let largest = ProcessingLimits.largestSample
    var (value, place, left) = (values[channel], 0, count)
    while left > 0 {
      let sample = unsafe samples[place]
      // False for what is not a number.
      var level = sample.magnitude <= largest ? Double(sample) : 0
      if let highPass { level = filters[channel].next(level, highPass) }
      if !isPeak {
        value += (level * level - value) * share
      } else if level.magnitude > value {
        value = level.magnitude
      }
      place &+= stride
      left &-= 1
    }
    values[channel] = value
  }

  /// The level of the group in decibels re full scale, from -200 on; then a new group begins.
  package mutating func takeLevel() -> Double {
    var largest = 0.0
    for channel in 0..<channelCount {
      if values[channel] > largest { largest = values[channel] }
      if kind == .peak || values[channel] < 1e-20 { values[channel] = 0 }
      if highPass != nil { filters[channel].clean() }
    }
    // Below -200 dB, which is silence.
    if largest < (kind == .peak ? 1e-10 : 1e-20) { return Self.floor }
    return (kind == .peak ? 20 : 10) * log10(largest)
  }

  /// Forgets the sound so far.
  package mutating func reset() {
    for channel in 0..<channelCount {
      values[channel] = 0
      filters[channel].reset()
    }
  }
}
