internal import Glibc

/// The distribution of the loudness of blocks, for gated means and for the loudness range.
///
/// The memory does not grow: a bin holds the number of its blocks, and the sum of their powers. A mean is therefore
/// exact, but for the blocks in the bin of a threshold: they count together, by their mean.
struct LoudnessHistogram: Sendable {
  private var counts: [Int]
  private var sums: [Double]

  /// The absolute gate of ITU-R BS.1770-4, in LUFS.
  ///
  /// Softer blocks are left out.
  private static let floor = -70.0
  /// The bins of a unit of loudness, and the bins up to +30 LUFS.
  ///
  /// Louder blocks count in the last bin.
  private let (binsPerUnit, binCount): (Double, Int)

  /// An empty histogram, with so many bins for each unit of loudness.
  ///
  /// Fifty of them make errors of the gate above 0.02 LU rare, also for a sound of some seconds with few blocks. They
  /// take 80 KB.
  init(binsPerUnit: Int = 50) {
    (self.binsPerUnit, binCount) = (Double(binsPerUnit), 100 * binsPerUnit)
    counts = Array(repeating: 0, count: binCount)
    sums = Array(repeating: 0, count: binCount)
  }

  /// Counts a block with a weighted mean square.
  mutating func insert(power: Double) {
    let loudness = LoudnessScale.loudness(ofPower: power)
    guard loudness > Self.floor else { return }
    let bin = Int(min((loudness - Self.floor) * binsPerUnit, Double(binCount - 1)))
    counts[bin] += 1
    sums[bin] += power
  }

  /// The mean power of the bins from one on.
  private func mean(from first: Int) -> Double? {
    var (count, sum) = (0, 0.0)
    for bin in first..<binCount {
      count += counts[bin]
      sum += sums[bin]
    }
    return count > 0 ? sum / Double(count) : nil
  }

  /// The first bin whose blocks are above a gate relative to the mean, in LU.
  private func firstBin(above gate: Double) -> Int? {
    guard let mean = mean(from: 0) else { return nil }
    let threshold = LoudnessScale.power(ofLoudness: LoudnessScale.loudness(ofPower: mean) + gate)
    return (0..<binCount).first { counts[$0] > 0 && sums[$0] > threshold * Double(counts[$0]) }
  }

  /// The mean loudness of the blocks above -10 LU, relative to the mean of all blocks; in LUFS.
  var gatedMean: Double? {
    firstBin(above: -10).flatMap(mean(from:)).map(LoudnessScale.loudness(ofPower:))
  }

  /// The loudness range of EBU Tech 3342, in LU: from the 10th to the 95th percentile of the blocks above -20 LU.
  var range: Double? {
    guard let first = firstBin(above: -20) else { return nil }
    let count = counts[first...].reduce(0, +)
    return loudness(atRank: Int((0.95 * Double(count - 1)).rounded()), from: first)
      - loudness(atRank: Int((0.1 * Double(count - 1)).rounded()), from: first)
  }

  /// The loudness of the block with a rank, counted from 0, among the bins from one on: the mean of its bin.
  private func loudness(atRank rank: Int, from first: Int) -> Double {
    var left = rank
    for bin in first..<binCount where counts[bin] > 0 {
      if left < counts[bin] { return LoudnessScale.loudness(ofPower: sums[bin] / Double(counts[bin])) }
      left -= counts[bin]
    }
    return Self.floor
  }

  /// Forgets all blocks.
  mutating func reset() {
    for bin in 0..<binCount { (counts[bin], sums[bin]) = (0, 0) }
  }
}
