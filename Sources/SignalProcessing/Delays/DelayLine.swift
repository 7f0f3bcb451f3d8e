/// A delay of interleaved channels by whole frames: what aligns a branch of a mix with a later one.
///
/// The samples are the same to the bit, also those that are not finite. Pure: no call, no lock, and no allocation
/// after `init`.
package struct DelayLine: Sendable {
  /// In frames.
  package let delay: Int
  private var ring: [Float]
  private var place = 0

  package init(delay: Int, channelCount: Int) {
    self.delay = max(delay, 0)
    ring = Array(repeating: 0, count: self.delay * max(channelCount, 1))
  }

  /// Exchanges whole frames for the frames before.
  package mutating func process(_ samples: inout MutableSpan<Float>) {
    guard !ring.isEmpty else { return }
    let end = ring.count
    var place = place
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      unsafe ring.withUnsafeMutableBufferPointer { ring in
        // Indices of the samples, and places of the ring.
        guard let values = samples.baseAddress, let ring = ring.baseAddress else { return }
        var (index, count) = (0, samples.count)
        while count > 0 {
          let value = unsafe ring[place]
          unsafe ring[place] = values[index]
          unsafe values[index] = value
          index &+= 1
          place = place &+ 1 == end ? 0 : place &+ 1
          count &-= 1
        }
      }
    }
    self.place = place
  }

  /// Forgets the sound so far.
  package mutating func reset() {
    for index in ring.indices { ring[index] = 0 }
    place = 0
  }
}
