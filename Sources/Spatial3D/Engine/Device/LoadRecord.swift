internal import AudioSupport
internal import Synchronization

/// The rendering times of the blocks of a processed device.
///
/// The mixing thread adds them, and any thread reads them without a lock.
final class LoadRecord: Sendable {
  /// The nanoseconds of the mix in a block.
  private let blockDuration: Double
  /// The mixing thread's own.
  private let average: Lock<LoadAverage>
  // In nanoseconds.
  private let mean = Atomic(0)
  private let last = Atomic(0)
  private let peak = Atomic(0)

  init(rate: Int, block: Int) {
    blockDuration = Double(block) * 1e9 / Double(rate)
    average = Lock(LoadAverage(blocksPerSecond: rate / block))
  }

  /// Adds the rendering time of a block; one thread at a time calls it.
  func add(_ duration: Int64) {
    let nanoseconds = average.withLock { average in
      average.add(duration)
      return average.mean
    }
    mean.store(Int(nanoseconds), ordering: .relaxed)
    last.store(Int(duration), ordering: .relaxed)
    // Stored behind `last`: a reading may reset the peak to an older block, and the store below then raises the peak.
    peak.max(Int(duration), ordering: .acquiringAndReleasing)
  }

  /// The mean load, and the peak load since the last reading.
  func read() -> (mean: Double, peak: Double) {
    let most = peak.exchange(last.load(ordering: .relaxed), ordering: .acquiringAndReleasing)
    return (Double(mean.load(ordering: .relaxed)) / blockDuration, Double(most) / blockDuration)
  }
}
