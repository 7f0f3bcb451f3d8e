/// The passage from one sound to another that is much like it: linear gains, whose sum is 1.
///
/// Two sounds that are equal keep their level. It serves for a bypass, the mix of a processor, and two lists of
/// processors. Unusable samples of both sounds count as 0.
///
/// Pure: no system call, no lock, and no allocation.
package struct CrossFade: Hashable, Sendable {
  private var share: Glide
  private let channelCount: Int

  /// A passage that rests at a share of the other sound, 0 to 1.
  package init(share: Double = 0, channelCount: Int) {
    self.share = Glide(share.limited(to: 0...1, notANumber: 0))
    self.channelCount = ProcessingLimits.channelCount(channelCount)
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
      let line = GainLine(from: start, to: Float(share.value), length: count)
      unsafe samples.withUnsafeMutableBufferPointer { samples in
        unsafe other.withUnsafeBufferPointer { other in
          // `count` whole frames of both, from `frame` on.
          guard let samples = samples.baseAddress, let other = other.baseAddress else { return }
          let (values, others) = unsafe (samples + frame * stride, other + frame * stride)
          unsafe Self.mix(values, others, line, channelCount: stride)
        }
      }
      frame += count
    }
  }

  /// Mixes as many frames as the line has, which the caller guarantees.
  ///
  /// A share of 0 or 1 is one of the sounds to the bit.
  @unsafe
  private static func mix(
    _ samples: UnsafeMutablePointer<Float>,
    _ others: UnsafePointer<Float>,
    _ line: GainLine,
    channelCount: Int
  ) {
    var (frame, place) = (0, 0)
    while frame < line.length {
      let share = line.gain(frame)
      let next = place &+ channelCount
      while place < next {
        let (sample, other) = unsafe (samples[place].usable, others[place].usable)
        // The difference has a rounding, which would be left of a full share.
        unsafe samples[place] = share == 1 ? other : sample + (other - sample) * share
        place &+= 1
      }
      frame &+= 1
    }
  }
}
