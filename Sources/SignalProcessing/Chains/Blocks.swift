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
    var (index, result) = (0, true)
    while index < count {
      let value = self[index]
      if !(value <= 1e25 && value >= -1e25) { result = false }
      index &+= 1
    }
    return result
  }

  /// The samples behind the last one that is not 0.
  var silentSamples: Int {
    var left = count
    // False for 0 alone: all other samples, also samples that are not numbers, count as sound.
    while left > 0, self[left &- 1] == 0 { left &-= 1 }
    return count - left
  }

  /// Copies the samples to the beginning of others, which are as many or more.
  func copy(to other: inout MutableSpan<Float>) {
    precondition(other.count >= count)
    var index = 0
    while index < count {
      other[index] = self[index]
      index &+= 1
    }
  }
}
