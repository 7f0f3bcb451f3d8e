internal import Glibc

/// The level of interleaved channels, measured over groups of frames: the highest of all channels.
///
/// One level for all channels moves no image to a side. Unusable samples count as 0.
struct LevelDetector: Sendable {
  enum Kind: Hashable, Sendable {
    /// The largest magnitude of a group.
    case peak
    /// The largest magnitude of 10 ms: between the half-waves of 50 Hz it does not fall.
    case heldPeak
    /// The root of the mean square of 10 ms, which are whole half-waves of 50 Hz and its multiples.
    case rootMeanSquare
  }

  private let kind: Kind
  private let channelCount: Int
  private let sampleRate: Double
  /// For each channel the largest magnitude of the group, or the sum of its squares.
  private var values: [Double]
  private var windows: [SlidingWindow]
  private var filters: [StateVariableFilter]
  private var highPass: StateVariableFilter.Factors?

  /// The softest level, in decibels: silence.
  static let floor = -200.0
  /// The seconds of a window.
  ///
  /// Chosen: half of a period of 50 Hz. An exponential window of 5 ms has as much noise, but ripples with a low voice.
  private static let window = 0.01

  init(_ kind: Kind, channelCount: Int, sampleRate: Int) {
    self.kind = kind
    self.channelCount = ProcessingLimits.channelCount(channelCount)
    self.sampleRate = ProcessingLimits.sampleRate(sampleRate)
    values = Array(repeating: 0, count: self.channelCount)
    filters = Array(repeating: StateVariableFilter(), count: self.channelCount)
    let groups = Self.window * self.sampleRate / Double(GainRamp.interval)
    let length: Int =
      switch kind {
      case .peak: 0
      // The crests of two half-waves lie in groups that differ by up to the next whole number.
      case .heldPeak: Int(groups.rounded(.up)) + 1
      case .rootMeanSquare: max(Int(groups.rounded()), 1)
      }
    // Each window has memory of its own from the beginning: a shared one would be copied in the first block.
    windows = (0..<(length == 0 ? 0 : self.channelCount)).map { _ in
      SlidingWindow(isSum: kind == .rootMeanSquare, length: length)
    }
  }

  /// The frames for which a level stays after a sound.
  var windowLength: Int { windows.isEmpty ? 0 : windows[0].length * GainRamp.interval }

  /// The seconds by which a step of 20 dB comes late in the level: upwards, and downwards.
  ///
  /// The level of a mean square over a window rises by 10·log10 of the part of the window behind the step. In a step of
  /// 20 dB it is late by the area above this curve: 0.217 of the window, and 0.783 in a step downwards. Chosen: a
  /// little more upwards, for attacks that are no longer than the window.
  var lateness: (rising: Double, falling: Double) {
    let seconds = Double(windowLength) / sampleRate
    return kind == .rootMeanSquare ? (0.24 * seconds, 0.783 * seconds) : (0, seconds)
  }

  /// Leaves out lower frequencies, in hertz; 0 or less measures all frequencies.
  mutating func setHighPass(_ frequency: Double) {
    if highPass == nil || frequency <= 0 { for channel in filters.indices { filters[channel].reset() } }
    guard frequency > 0 else { return highPass = nil }
    let band = FilterBand(.highPass, frequency).limited(sampleRate: sampleRate)
    highPass = StateVariableFilter.Factors(FilterCoefficients(band, sampleRate: sampleRate))
  }

  /// Measures frames of a group, of a sound with `stride` channels; channels beyond the detector's are left out.
  mutating func measure(_ samples: Span<Float>, from frame: Int, count: Int, channelCount stride: Int) {
    precondition(frame >= 0 && (frame + count) * stride <= samples.count)
    // Reads `count` whole frames from `frame` on.
    unsafe samples.withUnsafeBufferPointer { samples in
      guard let start = samples.baseAddress else { return }
      for channel in 0..<min(stride, channelCount) {
        let first = unsafe start + (frame * stride + channel)
        unsafe measure(first, count: count, stride: stride, channel: channel)
      }
    }
  }

  /// Measures frames of a channel, which the caller guarantees.
  @unsafe
  private mutating func measure(_ samples: UnsafePointer<Float>, count: Int, stride: Int, channel: Int) {
    let (highPass, isSum) = (highPass, kind == .rootMeanSquare)
    var (filter, value, place, left) = (filters[channel], values[channel], 0, count)
    while left > 0 {
      var level = unsafe Double(samples[place].usable)
      if let highPass { level = filter.next(level, highPass) }
      if isSum {
        value += level * level
      } else if level.magnitude > value {
        value = level.magnitude
      }
      place &+= stride
      left &-= 1
    }
    (filters[channel], values[channel]) = (filter, value)
  }

  /// The level of the group in decibels re full scale, from -200 on; then a new group begins.
  mutating func takeLevel() -> Double {
    var largest = 0.0
    for channel in 0..<channelCount {
      let value = windows.isEmpty ? values[channel] : windows[channel].append(values[channel])
      if value > largest { largest = value }
      values[channel] = 0
      if highPass != nil { filters[channel].clean() }
    }
    if kind == .rootMeanSquare { largest /= Double(windowLength) }
    // Below -200 dB, which is silence.
    if largest < (kind == .rootMeanSquare ? 1e-20 : 1e-10) { return Self.floor }
    return (kind == .rootMeanSquare ? 10 : 20) * log10(largest)
  }

  /// Whether groups of silence leave the level as it is, after so many silent frames.
  func isSilent(after frameCount: Int) -> Bool {
    // The present group has begun within the silence, and so have all groups of the window.
    frameCount >= windowLength + 2 * GainRamp.interval && (highPass == nil || filters.allSatisfy(\.isSilent))
  }

  /// Lets silent groups pass.
  mutating func skip(groups: Int) {
    for index in windows.indices { windows[index].skip(groups) }
  }

  /// Forgets the sound so far.
  mutating func reset() {
    for channel in 0..<channelCount {
      values[channel] = 0
      filters[channel].reset()
    }
    for index in windows.indices { windows[index].reset() }
  }
}
