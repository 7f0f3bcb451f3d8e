/// The gains of successive frames on a straight line, which ends with exactly the last gain.
struct GainLine: Hashable, Sendable {
  /// The gain of the frame before the first one, and of the last one.
  let (start, end): (Float, Float)
  /// The number of frames: 1 or more.
  let length: Int
  private let step: Float

  init(from start: Float, to end: Float, length: Int) {
    (self.start, self.end, self.length) = (start, end, max(length, 1))
    step = (end - start) / Float(self.length)
  }

  /// The gain of a frame, counted from 0.
  ///
  /// The sum begins at the end: from the start, its rounding would miss the last gain.
  @inline(__always)
  func gain(_ index: Int) -> Float { end - step * Float(length &- 1 &- index) }

  /// Whether all frames have one gain.
  var isConstant: Bool { start == end }

  /// Multiplies `count` interleaved frames from `frame` on by the gains from `index` on.
  ///
  /// A gain of 1 keeps the samples to the bit. Unusable samples become 0.
  func multiply(
    _ samples: inout MutableSpan<Float>,
    from frame: Int,
    count: Int,
    channelCount: Int,
    index first: Int = 0
  ) {
    precondition(frame >= 0 && (frame + count) * channelCount <= samples.count)
    // Reads and writes `count` whole frames from `frame` on.
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard let samples = samples.baseAddress else { return }
      var (index, place) = (0, frame &* channelCount)
      let last = length &- 1 &- first
      if isConstant {
        let behind = place &+ count &* channelCount
        while place < behind {
          unsafe samples[place] = samples[place].usable * end
          place &+= 1
        }
        return
      }
      while index < count {
        let gain = end - step * Float(last &- index)
        let next = place &+ channelCount
        while place < next {
          unsafe samples[place] = samples[place].usable * gain
          place &+= 1
        }
        index &+= 1
      }
    }
  }
}
