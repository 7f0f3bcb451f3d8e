/// The passage from one sound to another that is much like it: linear gains, whose sum is 1.
///
/// Two sounds that are equal keep their level. It serves for a bypass, the mix of a processor, and two lists of
/// processors. Unusable samples of both sounds count as 0.
///
/// Pure: no system call, no lock, and no allocation.
package struct CrossFade: Hashable, Sendable {
  /// The shares of the other sound, of all frames of the passage: a cut into blocks changes none of them.
  private var line: GainLine
  /// The frames of the line so far.
  private var position = 0
  private let channelCount: Int

  /// A passage that rests at a share of the other sound, 0 to 1.
  package init(share: Double = 0, channelCount: Int) {
    let share = Float(share.limited(to: 0...1, notANumber: 0))
    line = GainLine(from: share, to: share, length: 1)
    self.channelCount = ProcessingLimits.channelCount(channelCount)
    finish()
  }

  private mutating func finish() { position = line.length }

  /// Begins to move to another share, over so many frames; at once for 0 frames.
  ///
  /// A move to the same share goes on as it was, unless it is to end earlier: a caller may repeat the call.
  package mutating func move(to share: Double, over frames: Int) {
    let target = Float(share.limited(to: 0...1, notANumber: Double(line.end)))
    guard target != line.end || frames < remaining else { return }
    (line, position) = (GainLine(from: frames > 0 ? present : target, to: target, length: frames), 0)
    if frames <= 0 { finish() }
  }

  /// The share of the last frame.
  private var present: Float { position == 0 ? line.start : isSettled ? line.end : line.gain(position - 1) }

  /// The share of the other sound in the last frame.
  package var value: Double { Double(present) }

  /// The frames until the share rests.
  package var remaining: Int { line.length - position }

  /// Whether the share rests.
  package var isSettled: Bool { position == line.length }

  /// Replaces whole frames by the mix with another sound, which has as many samples.
  package mutating func process(_ samples: inout MutableSpan<Float>, with other: Span<Float>) {
    precondition(samples.count == other.count, "the blocks have different lengths")
    let (frameCount, stride) = (samples.count / channelCount, channelCount)
    var frame = 0
    while frame < frameCount {
      // Until the share rests, and then for the rest of the block.
      let count = isSettled ? frameCount - frame : min(remaining, frameCount - frame)
      let rest = GainLine(from: line.end, to: line.end, length: count)
      let (shares, first) = isSettled ? (rest, 0) : (line, position)
      unsafe samples.withUnsafeMutableBufferPointer { samples in
        unsafe other.withUnsafeBufferPointer { other in
          // `count` whole frames of both, from `frame` on.
          guard let samples = samples.baseAddress, let other = other.baseAddress else { return }
          let (values, others) = unsafe (samples + frame * stride, other + frame * stride)
          unsafe Self.mix(values, others, shares, from: first, count: count, channelCount: stride)
        }
      }
      if !isSettled { position += count }
      frame += count
    }
  }

  /// Mixes `count` frames with the shares of a line from `first` on, which the caller guarantees.
  ///
  /// A share of 0 or 1 is one of the sounds to the bit.
  @unsafe
  private static func mix(
    _ samples: UnsafeMutablePointer<Float>,
    _ others: UnsafePointer<Float>,
    _ line: GainLine,
    from first: Int,
    count: Int,
    channelCount: Int
  ) {
    var (frame, place) = (0, 0)
    while frame < count {
      let share = line.gain(first &+ frame)
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
