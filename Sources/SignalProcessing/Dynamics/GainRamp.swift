internal import Glibc

/// A gain that has a new value for each group of frames, and a line between two values.
///
/// The gain of a group is known when the group ends, and is reached at the end of the next group.
struct GainRamp: Sendable {
  /// The frames of a group.
  ///
  /// Chosen: 0.17 ms at 48 kHz, short against any attack, and an eighth of the logarithms.
  static let interval = 8

  private var (start, end): (Float, Float) = (1, 1)
  /// The frames of the group so far.
  private(set) var phase = 0

  /// The frames until the group ends.
  var framesLeft: Int { Self.interval - phase }

  /// Whether the group has ended; its gain is then set by `endGroup`.
  var isAtEnd: Bool { phase == Self.interval }

  /// Applies the gain to the next frames of the group.
  mutating func apply(to samples: inout MutableSpan<Float>, from frame: Int, count: Int, channelCount: Int) {
    defer { phase += count }
    // A gain of 1 keeps the samples to the bit, and costs nothing.
    if start == 1, end == 1 { return }
    let step = (end - start) / Float(Self.interval)
    let (base, first) = (start, phase &+ 1)
    precondition(frame >= 0 && (frame + count) * channelCount <= samples.count)
    // Reads and writes `count` whole frames from `frame` on.
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard let samples = samples.baseAddress else { return }
      var (index, place) = (0, frame &* channelCount)
      while index < count {
        let gain = base + step * Float(first &+ index)
        let next = place &+ channelCount
        while place < next {
          unsafe samples[place] *= gain
          place &+= 1
        }
        index &+= 1
      }
    }
  }

  /// Begins the next group, with a gain in decibels for its end.
  mutating func endGroup(gain: Double) {
    (start, end, phase) = (end, gain == 0 ? 1 : Float(pow(10, gain / 20)), 0)
  }
}

/// The coefficient of a one-pole filter that has a value for each group, from a time constant in seconds.
func groupShare(of time: Double, sampleRate: Double) -> Double {
  1 - exp(-Double(GainRamp.interval) / (time * sampleRate))
}
