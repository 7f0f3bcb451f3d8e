/// A delay of interleaved channels by whole frames, which aligns a branch of a mix with a later branch.
///
/// The samples are the same to the bit, also samples that are not finite.
///
/// Pure: no system call, no lock, and no allocation after `init`.
package struct DelayLine: Sendable {
  /// The longest delay in frames.
  ///
  /// Chosen: 2.7 s at 384 kHz, more than all processors of a bus need.
  package static let longest = 1 << 20

  /// In frames.
  package let delay: Int
  private let channelCount: Int
  private var ring: [Float]
  private var position = 0
  /// Whether all samples of the ring came after the last reset.
  private var isFilled = false

  /// A delay by 0 to ``longest`` frames.
  package init(delay: Int, channelCount: Int) {
    self.delay = min(max(delay, 0), Self.longest)
    self.channelCount = ProcessingLimits.channelCount(channelCount)
    ring = Array(repeating: 0, count: self.delay * self.channelCount)
  }

  /// Exchanges whole frames for earlier frames; it leaves samples behind the last whole frame.
  package mutating func process(_ samples: inout MutableSpan<Float>) {
    guard !ring.isEmpty else { return }
    let (end, channelCount) = (ring.count, channelCount)
    var (position, isFilled) = (position, isFilled)
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      unsafe ring.withUnsafeMutableBufferPointer { ring in
        // Indices of the samples, and of the ring.
        guard let values = samples.baseAddress, let ring = ring.baseAddress else { return }
        var (index, count) = (0, samples.count / channelCount * channelCount)
        while count > 0 {
          let value = unsafe isFilled ? ring[position] : 0
          unsafe ring[position] = values[index]
          unsafe values[index] = value
          index &+= 1
          position &+= 1
          if position == end { (position, isFilled) = (0, true) }
          count &-= 1
        }
      }
    }
    (self.position, self.isFilled) = (position, isFilled)
  }

  /// Forgets the sound so far, at no cost.
  package mutating func reset() { (position, isFilled) = (0, false) }
}
