/// The peak and the root mean square of each channel over the last 50 ms.
///
/// The memory is five windows of 10 ms, and the levels move with each window. Unusable samples count as 0. The levels
/// do not depend on the lengths of the blocks, to the bit.
///
/// Pure: no system call, no lock, and no allocation after `init`.
package struct LevelWindows: Sendable {
  /// The levels of a channel, where full scale is 1.
  package struct Reading: Hashable, Sendable {
    package var peak: Float
    /// 0.7071 for a sine of full scale.
    package var rootMeanSquare: Float
  }

  /// The levels of a channel in a window.
  private struct Window: Hashable, Sendable {
    var peak: Float = 0
    var power = 0.0
  }

  private let channelCount: Int
  private let windowLength: Int
  /// For each channel a ring of windows; the window at `place` grows.
  private var windows: [Window]
  private var (place, phase) = (0, 0)

  /// The windows that count, and the window that grows.
  private static let ringLength = 6

  /// A meter of silence.
  package init(channelCount: Int, sampleRate: Int) {
    self.channelCount = ProcessingLimits.channelCount(channelCount)
    windowLength = Int(ProcessingLimits.sampleRate(sampleRate)) / 100
    windows = Array(repeating: Window(), count: self.channelCount * Self.ringLength)
  }

  /// Measures the next frames, in interleaved samples.
  package mutating func append(_ samples: Span<Float>) {
    let frameCount = samples.count / channelCount
    var frame = 0
    while frame < frameCount {
      let count = min(windowLength - phase, frameCount - frame)
      for channel in 0..<channelCount { append(samples, from: frame, count: count, channel: channel) }
      frame += count
      phase += count
      if phase == windowLength { endWindow() }
    }
  }

  private mutating func append(_ samples: Span<Float>, from frame: Int, count: Int, channel: Int) {
    let stride = channelCount
    var window = windows[channel * Self.ringLength + place]
    // `count` whole frames from `frame` on.
    unsafe samples.withUnsafeBufferPointer { samples in
      guard let start = samples.baseAddress else { return }
      var (index, left) = (frame &* stride &+ channel, count)
      while left > 0 {
        let sample = unsafe start[index].usable
        if sample.magnitude > window.peak { window.peak = sample.magnitude }
        window.power += Double(sample) * Double(sample)
        index &+= stride
        left &-= 1
      }
    }
    windows[channel * Self.ringLength + place] = window
  }

  private mutating func endWindow() {
    (place, phase) = ((place + 1) % Self.ringLength, 0)
    for channel in 0..<channelCount { windows[channel * Self.ringLength + place] = Window() }
  }

  /// The levels of a channel over the last five whole windows; before the sound was silence.
  package func reading(ofChannel channel: Int) -> Reading {
    var result = Window()
    for offset in 1..<Self.ringLength {
      let window = windows[channel * Self.ringLength + (place + offset) % Self.ringLength]
      result.peak = max(result.peak, window.peak)
      result.power += window.power
    }
    let mean = result.power / Double((Self.ringLength - 1) * windowLength)
    return Reading(peak: result.peak, rootMeanSquare: Float(mean.squareRoot()))
  }

  /// Forgets the sound so far.
  package mutating func reset() {
    for index in windows.indices { windows[index] = Window() }
    (place, phase) = (0, 0)
  }
}
