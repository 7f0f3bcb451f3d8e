/// Successive frames of a block of keys, which has the keys one behind the other.
struct KeyPart: Hashable, Sendable {
  private var first = 0
  private(set) var count: Int
  private let frameCount: Int
  private let channelCount: Int
  private let keyCount: Int

  /// A whole block, of so many samples of all keys.
  init(frameCount: Int, channelCount: Int, sampleCount: Int) {
    (count, self.frameCount, self.channelCount) = (frameCount, frameCount, channelCount)
    keyCount = sampleCount / max(frameCount * channelCount, 1)
  }

  /// Frames of the part, from a frame of it on.
  func part(_ first: Int, count: Int) -> KeyPart {
    var result = self
    (result.first, result.count) = (self.first + first, count)
    return result
  }

  /// The indices of the samples of a key in the block; `nil` for a key that the block does not have.
  func samples(of key: KeyIndex) -> Range<Int>? {
    guard key.value >= 0, key.value < keyCount else { return nil }
    let start = (key.value * frameCount + first) * channelCount
    return start..<start + count * channelCount
  }
}
