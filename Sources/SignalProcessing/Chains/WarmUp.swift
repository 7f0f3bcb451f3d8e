/// The beginning of a processor or a chain while sound plays: its input rises from silence, and its latency passes.
///
/// Nothing of the warm-up is played. A sound with an abrupt beginning would click: at once in a filter, and later in a
/// delay. After the latency there is sound for the fade, and no gap.
struct WarmUp: Sendable {
  private let channelCount: Int
  private var rise = GainLine(from: 0, to: 1, length: 1)
  private var (position, length) = (0, 0)

  init(channelCount: Int) { self.channelCount = channelCount }

  /// The frames until the fade may begin.
  var remaining: Int { length - position }

  /// Begins with a rise over so many frames.
  mutating func begin(rise frames: Int, latency: Int) {
    rise = GainLine(from: 0, to: 1, length: frames)
    (position, length) = (0, frames + latency)
  }

  mutating func cancel() { position = length }

  /// Applies the rise to the next frames of the input, at most `remaining`.
  mutating func process(_ samples: inout MutableSpan<Float>) {
    let count = samples.count / channelCount
    let rising = min(max(rise.length - position, 0), count)
    rise.multiply(&samples, from: 0, count: rising, channelCount: channelCount, index: position)
    position += count
  }
}
