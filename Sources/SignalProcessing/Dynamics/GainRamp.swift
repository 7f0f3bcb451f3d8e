internal import Glibc

/// A gain that has a new value for each group of frames, and a line between two values.
///
/// The gain of a group is known when the group ends, and is reached at the end of the next group.
struct GainRamp: Sendable {
  /// The frames of a group.
  ///
  /// Chosen: 0.17 ms at 48 kHz, short against any attack, and an eighth of the logarithms.
  static let interval = 8

  private var line: GainLine
  /// The gain at the end of the line, in decibels.
  private var gain: Double
  /// The frames of the group so far.
  private var phase = 0

  /// A gain that rests, in decibels.
  init(gain: Double) {
    let factor = Self.factor(gain)
    self.gain = gain
    line = GainLine(from: factor, to: factor, length: Self.interval)
  }

  private static func factor(_ gain: Double) -> Float { gain == 0 ? 1 : Float(exp(gain * (M_LN10 / 20))) }

  /// The frames until the group ends.
  var framesLeft: Int { Self.interval - phase }

  /// Whether the group has ended; its gain is then set by `endGroup`.
  var isAtEnd: Bool { phase == Self.interval }

  /// Applies the gain to the next frames of the group.
  mutating func apply(to samples: inout MutableSpan<Float>, from frame: Int, count: Int, channelCount: Int) {
    line.multiply(&samples, from: frame, count: count, channelCount: channelCount, index: phase)
    phase += count
  }

  /// Whether the gain rests.
  var isConstant: Bool { line.isConstant }

  /// Lets frames pass with a constant gain; returns the number of groups that have ended.
  mutating func skip(_ frameCount: Int) -> Int {
    let (groups, rest) = (phase + frameCount).quotientAndRemainder(dividingBy: Self.interval)
    phase = rest
    return groups
  }

  /// Begins the next group, with a gain in decibels for its end.
  mutating func endGroup(gain: Double) {
    // A gain that rests takes no exponential.
    let end = gain == self.gain ? line.end : Self.factor(gain)
    (line, phase, self.gain) = (GainLine(from: line.end, to: end, length: Self.interval), 0, gain)
  }

  /// The coefficient of a one-pole filter that has a value for each group, from a time constant in seconds.
  ///
  /// The time begins with a change of the sound. `lateness` is the time in which the level follows. The gain follows a
  /// level by 1 to 8 frames, 4.5 on average, as a change falls into a group.
  static func coefficient(of time: Double, less lateness: Double, sampleRate: Double) -> Double {
    let frames = (time - lateness) * sampleRate - 4.5
    return frames > 0 ? 1 - exp(-Double(interval) / frames) : 1
  }
}
