/// The time that a stream reads ahead of the mix, in chunks of an eighth of it.
struct LookAhead: Hashable, Sendable {
  /// The number of chunks that fill the queue at a pitch of 1.
  static let chunkCount = 8

  /// The shortest and the longest time, in seconds.
  static let range = 0.06...1

  private let seconds: Double

  /// The time in the range that is nearest to a duration.
  init(_ duration: Duration) {
    seconds = (duration / .seconds(1)).clamped(to: Self.range)
  }

  /// The number of frames in a chunk, unless a lap ends it.
  func chunkLength(at sampleRate: Int) -> Int {
    max(Int((seconds * Double(sampleRate)).rounded()) / Self.chunkCount, 64)
  }
}
