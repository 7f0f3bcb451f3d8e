/// Two sample rates, and the frames at the same time in both.
package struct RateRatio: Hashable, Sendable {
  package let input: Int
  package let output: Int

  package init(input: Int, output: Int) { (self.input, self.output) = (input, output) }

  /// Whether the two are the same.
  package var isOne: Bool { input == output }

  /// The least numbers of frames with the same duration.
  package var unit: (input: Int, output: Int) {
    var (a, b) = (input, output)
    while b != 0 { (a, b) = (b, a % b) }
    return (input / a, output / a)
  }

  /// The number of output frames for a number of input frames, rounded to the nearest.
  package func converted(_ frameCount: Int) -> Int {
    let (high, low) = frameCount.multipliedFullWidth(by: output)
    let total = Int128(high) << 64 + Int128(low) + Int128(input / 2)
    return Int(clamping: total / Int128(input))
  }

  /// The start of a conversion that gives a frame the same value as a conversion of all frames.
  ///
  /// The two positions are at the same time in both rates, far enough in front for a filter to settle.
  package func start(before frame: Int) -> (input: Int, output: Int) {
    let unit = unit
    let lead = settlingTime / unit.input + 1
    // The limit is beyond the end of any file, but avoids an overflow.
    let limit = Int.max / max(unit.input, unit.output)
    let count = min(max(frame / unit.output - lead, 0), limit)
    return (count * unit.input, count * unit.output)
  }

  /// The number of input frames after which a filter has settled.
  ///
  /// Half of the own filter is 64 frames of the lower rate. Half of the filter of libsoxr is about 100.
  package var settlingTime: Int { max(4_096, 256 * (input / output + 1)) }
}
