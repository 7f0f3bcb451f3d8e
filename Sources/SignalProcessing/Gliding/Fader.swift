/// A gain that moves linearly over each block, from its last value to a new one.
///
/// A gain of 1 keeps the samples to the bit, and a gain of 0 makes exact zeros. A sum of faded blocks needs no more
/// than `add`: a send, or the sum of buses. Unusable samples count as 0.
///
/// Pure: no system call, no lock, and no allocation.
package struct Fader: Hashable, Sendable {
  /// The gain at the end of the last block, -1e6 to 1e6.
  package private(set) var gain: Float
  private let channelCount: Int

  package init(_ gain: Float = 1, channelCount: Int) {
    self.gain = Self.limited(gain, otherwise: 1)
    self.channelCount = ProcessingLimits.channelCount(channelCount)
  }

  private static func limited(_ gain: Float, otherwise: Float) -> Float {
    gain.isNaN ? otherwise : min(max(gain, -1e6), 1e6)
  }

  /// The gains of the frames of a block; then the gain has moved.
  private mutating func move(to target: Float, over frameCount: Int) -> GainLine {
    let line = GainLine(from: gain, to: Self.limited(target, otherwise: gain), length: frameCount)
    if frameCount > 0 { gain = line.end }
    return line
  }

  /// Multiplies whole frames, up to a gain that the last of them has.
  ///
  /// A gain that is not a number changes nothing.
  package mutating func process(_ samples: inout MutableSpan<Float>, to target: Float) {
    let frameCount = samples.count / channelCount
    let line = move(to: target, over: frameCount)
    line.multiply(&samples, from: 0, count: frameCount, channelCount: channelCount)
  }

  /// Adds whole frames to others, with a gain that moves as in `process`.
  ///
  /// Both have as many samples.
  package mutating func add(_ samples: Span<Float>, to sum: inout MutableSpan<Float>, gain target: Float) {
    precondition(samples.count == sum.count, "the blocks have different lengths")
    let (frameCount, stride) = (samples.count / channelCount, channelCount)
    let line = move(to: target, over: frameCount)
    if line.isConstant, line.end == 0 { return }
    unsafe samples.withUnsafeBufferPointer { samples in
      unsafe sum.withUnsafeMutableBufferPointer { sum in
        // Whole frames of both spans.
        guard let samples = samples.baseAddress, let sum = sum.baseAddress else { return }
        var (frame, place) = (0, 0)
        while frame < frameCount {
          let gain = line.gain(frame)
          let next = place &+ stride
          while place < next {
            unsafe sum[place] += samples[place].usable * gain
            place &+= 1
          }
          frame &+= 1
        }
      }
    }
  }
}
