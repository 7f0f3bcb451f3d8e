import PCM

// The loops of this folder use pointers: tests of a game are debug builds, where pointers are about ten times faster
// than spans and arrays.

extension PCMBuffer {
  /// All samples as interleaved signal values; `Float` samples share their memory.
  var signal: [Float] {
    if let floats = self as? PCMBuffer<Float> { return floats.samples }
    return samples.map(\.signal)
  }

  /// The signal of one channel, counted from 0; empty for a channel that does not exist.
  func signal(ofChannel channel: Int) -> [Float] {
    let (step, count) = (format.channelCount, frameCount)
    guard (0..<step).contains(channel), count > 0 else { return [] }
    if step == 1 { return signal }
    var channelSamples = [Float](repeating: 0, count: count)
    // Reads `channel + step * index` for indices below the frame count, which lie within whole frames. Writes each of
    // the `count` elements once.
    func pick(from all: UnsafePointer<Float>, into samples: UnsafeMutablePointer<Float>) {
      var (index, position) = (0, channel)
      while index < count {
        unsafe samples[index] = all[position]
        index &+= 1
        position &+= step
      }
    }
    unsafe pick(from: signal, into: &channelSamples)
    return channelSamples
  }
}
