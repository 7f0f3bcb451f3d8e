/// How much of its time a processed device spends on its mix, and what the output lacked.
///
/// A load is the time between the beginning and the end of the rendering of a block, divided by the time that the block
/// plays. It is not the processor time of the thread: the closures of ticks, waits for streams and for locks, and other
/// programs on a busy machine all make a block late. A load above 1 takes from the frames that are rendered ahead.
package struct MixLoad: Hashable, Sendable {
  /// The average of about one second.
  package var mean = 0.0
  /// The largest load of a block since the last reading, and of the block before it; 0 before the first block.
  package var peak = 0.0
  /// The number of frames so far that the output has asked for, and that were not there.
  package var missedFrames = 0
  /// The number of gaps so far that these frames were: one for each run of missed frames.
  package var underruns = 0
}

/// The average rendering time of the blocks of about one second.
///
/// It is the plain average of the first blocks, and later an exponential average whose time constant is a second.
/// Pure: no call and no lock.
struct LoadAverage: Hashable, Sendable {
  /// The number of blocks in a second.
  let blocksPerSecond: Int
  /// The average time of a block, in nanoseconds.
  private(set) var mean = 0.0
  private var count = 0

  init(blocksPerSecond: Int) { self.blocksPerSecond = max(blocksPerSecond, 1) }

  /// Takes the time of the next block into account.
  mutating func add(_ duration: Int64) {
    count = min(count + 1, blocksPerSecond)
    mean += (Double(duration) - mean) / Double(count)
  }
}
