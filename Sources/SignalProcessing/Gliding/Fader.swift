/// A gain that moves linearly over each block, from its last value to a new one.
///
/// A gain of 1 keeps the samples to the bit, and a gain of 0 makes exact zeros. A sum of faded blocks needs no more
/// than `add`: a send, or the sum of buses.
///
/// Pure: no call, no lock, and no allocation.
package struct Fader: Hashable, Sendable {
  /// The gain at the end of the last block, -1e6 to 1e6.
  package private(set) var gain: Float
  private let channelCount: Int

  package init(_ gain: Float = 1, channelCount: Int) {
    self.gain = Self.limited(gain, otherwise: 1)
    self.channelCount = max(channelCount, 1)
  }

  private static func limited(_ gain: Float, otherwise: Float) -> Float {
    gain.isNaN ? otherwise : min(max(gain, -1e6), 1e6)
  }

  /// The gain of the first frame less a step, and the step from frame to frame; then the gain has moved.
  private mutating func move(to target: Float, over frameCount: Int) -> (start: Float, step: Float) {
    let (start, end) = (gain, Self.limited(target, otherwise: gain))
    if frameCount > 0 { gain = end }
    return (start, frameCount > 0 ? (end - start) / Float(frameCount) : 0)
  }

  /// Multiplies whole frames, up to a gain that the last of them has.
  ///
  /// A gain that is not a number changes nothing.
  package mutating func process(_ samples: inout MutableSpan<Float>, to target: Float) {
    let (frameCount, stride) = (samples.count / channelCount, channelCount)
    let (start, step) = move(to: target, over: frameCount)
    if start == 1, step == 0 { return }
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      // Whole frames of the span.
      guard let samples = samples.baseAddress else { return }
      if start == 0, step == 0 { return unsafe samples.update(repeating: 0, count: frameCount * stride) }
      var (frame, place) = (0, 0)
      while frame < frameCount {
        frame &+= 1
        let gain = start + step * Float(frame)
        let next = place &+ stride
        while place < next {
          unsafe samples[place] *= gain
          place &+= 1
        }
      }
    }
  }

  /// Adds whole frames to others, with a gain that moves as in `process`.
  ///
  /// Both have as many samples.
  package mutating func add(_ samples: Span<Float>, to sum: inout MutableSpan<Float>, gain target: Float) {
    precondition(samples.count == sum.count, "the blocks have different lengths")
    let (frameCount, stride) = (samples.count / channelCount, channelCount)
    let (start, step) = move(to: target, over: frameCount)
    if start == 0, step == 0 { return }
    unsafe samples.withUnsafeBufferPointer { samples in
      unsafe sum.withUnsafeMutableBufferPointer { sum in
        // Whole frames of both spans.
        guard let samples = samples.baseAddress, let sum = sum.baseAddress else { return }
        var (frame, place) = (0, 0)
        while frame < frameCount {
          frame &+= 1
          let gain = start + step * Float(frame)
          let next = place &+ stride
          while place < next {
            unsafe sum[place] += samples[place] * gain
            place &+= 1
          }
        }
      }
    }
  }
}

/// The passage from one sound to another that is much like it: linear gains, whose sum is 1.
///
/// Two sounds that are equal keep their level. It serves for a bypass, the mix of a processor, and two lists of
/// processors.
///
/// Pure: no call, no lock, and no allocation.
package struct CrossFade: Hashable, Sendable {
  private var share: Glide
  private let channelCount: Int

  /// A passage that rests at a share of the other sound, 0 to 1.
  package init(share: Double = 0, channelCount: Int) {
    self.share = Glide(share.limited(to: 0...1, notANumber: 0))
    self.channelCount = max(channelCount, 1)
  }

  /// Begins to move to another share, over so many frames.
  package mutating func move(to share: Double, over frames: Int) {
    self.share.move(to: share.limited(to: 0...1, notANumber: self.share.target), over: frames)
  }

  /// The share of the other sound in the next frame.
  package var value: Double { share.value }

  /// Whether the share rests.
  package var isSettled: Bool { share.isSettled }

  /// Replaces whole frames by the mix with another sound, which has as many samples.
  package mutating func process(_ samples: inout MutableSpan<Float>, with other: Span<Float>) {
    precondition(samples.count == other.count, "the blocks have different lengths")
    let (frameCount, stride) = (samples.count / channelCount, channelCount)
    var frame = 0
    while frame < frameCount {
      // The glide is a line, so its two ends are enough: until it rests, and then for the rest of the block.
      let count = share.isSettled ? frameCount - frame : min(share.remaining, frameCount - frame)
      let start = Float(share.value)
      share.advance(count)
      let step = (Float(share.value) - start) / Float(count)
      unsafe samples.withUnsafeMutableBufferPointer { samples in
        unsafe other.withUnsafeBufferPointer { other in
          // `count` whole frames of both, from `frame` on.
          guard let samples = samples.baseAddress, let other = other.baseAddress else { return }
          let (values, others) = unsafe (samples + frame * stride, other + frame * stride)
          unsafe Self.mix(values, others, count, stride, start: start, step: step)
        }
      }
      frame += count
    }
  }

  /// Mixes frames, which the caller guarantees.
  ///
  /// A share of 0 or 1 is one of the sounds to the bit.
  @unsafe
  private static func mix(
    _ samples: UnsafeMutablePointer<Float>,
    _ other: UnsafePointer<Float>,
    _ count: Int,
    _ stride: Int,
    start: Float,
    step: Float
  ) {
    if step == 0, start == 0 { return }
    if step == 0, start == 1 { return unsafe samples.update(from: other, count: count * stride) }
    var (frame, place) = (0, 0)
    while frame < count {
      frame &+= 1
      let share = start + step * Float(frame)
      let next = place &+ stride
      while place < next {
        unsafe samples[place] += (other[place] - samples[place]) * share
        place &+= 1
      }
    }
  }
}
