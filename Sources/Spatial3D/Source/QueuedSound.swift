/// The lengths of the buffers of a source.
struct QueuedSound: Hashable, Sendable {
  var sampleRate = 0
  /// Frames of each buffer, in order.
  var lengths: [Int] = []
  var isMono = false
  /// Whether the source plays a queue, and has no buffer of its own.
  var isQueue = false
  /// The range that repeats while the source loops.
  var loopRange = 0..<0

  init() {}

  /// Whether the library gives the sound a position, and applies the Doppler effect.
  func isPlaced(_ spatialization: Spatialization) -> Bool {
    spatialization == .always || (isMono && spatialization == .automatic)
  }

  var frameCount: Int { lengths.reduce(0, +) }

  /// The frame after the last of the first buffers.
  func end(ofFirst count: Int) -> Int { lengths.prefix(count).reduce(0, +) }
}
