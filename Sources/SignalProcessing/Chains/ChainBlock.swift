/// The frames that a chain processes at once.
enum ChainBlock {
  /// Chosen: the grid on which a world mixes.
  static let longest = 512

  /// The frames of a crossfade at least, 10 ms; one at least.
  static func shortestFade(sampleRate: Int) -> Int { max((Int(ProcessingLimits.sampleRate(sampleRate)) + 99) / 100, 1) }
}

extension Span<Float> {
  /// Whether all samples are finite and within ±1e25.
  var isUsable: Bool {
    let largest = ProcessingLimits.largestSample
    return unsafe withUnsafeBufferPointer { samples in
      // Indices of the samples.
      guard let samples = samples.baseAddress else { return true }
      var (index, result) = (0, true)
      while index < count {
        let value = unsafe samples[index]
        if !(value <= largest && value >= -largest) { result = false }
        index &+= 1
      }
      return result
    }
  }

  /// The number of samples behind the last sample that is not 0.
  var silentSamples: Int {
    unsafe withUnsafeBufferPointer { samples in
      // Indices of the samples.
      guard count > 0, let samples = samples.baseAddress, unsafe samples[count - 1] == 0 else { return 0 }
      var (bits, index, left) = (UInt32(0), 0, count)
      while index < count {
        unsafe bits |= samples[index].bitPattern
        index &+= 1
      }
      // Zeros of both signs. This loop works on several samples at once, and the next one ends soon.
      if bits & 0x7FFF_FFFF == 0 { return count }
      // False for 0 alone: a sample that is not a number counts as sound.
      while unsafe left > 0 && samples[left &- 1] == 0 { left &-= 1 }
      return count - left
    }
  }

  /// Copies the samples to the beginning of others, which are as many or more.
  func copy(to other: inout MutableSpan<Float>) {
    precondition(other.count >= count)
    unsafe withUnsafeBufferPointer { samples in
      unsafe other.withUnsafeMutableBufferPointer { other in
        // Both have `count` samples.
        guard let samples = samples.baseAddress, let other = other.baseAddress else { return }
        unsafe other.update(from: samples, count: count)
      }
    }
  }
}
