/// Two sample rates, and which frames of one are at which of the other.
struct RateRatio: Hashable, Sendable {
  let input: Int
  let output: Int

  /// Whether the two are the same.
  var isOne: Bool { input == output }

  /// The least numbers of frames that last equally long.
  private var unit: (input: Int, output: Int) {
    var (a, b) = (input, output)
    while b != 0 { (a, b) = (b, a % b) }
    return (input / a, output / a)
  }

  /// How many frames a number of frames becomes, rounded to the nearest.
  func converted(_ frameCount: Int) -> Int {
    let (high, low) = frameCount.multipliedFullWidth(by: output)
    let total = Int128(high) << 64 + Int128(low) + Int128(input / 2)
    return Int(clamping: total / Int128(input))
  }

  /// Where to start so that a frame of the result comes out as if all had been converted: frames of either rate at the same
  /// time, far enough in front for a filter to settle.
  func start(before frame: Int) -> (input: Int, output: Int) {
    let unit = unit
    let lead = RateRatio.settlingTime * max(1, input / output) / unit.input + 1
    // Beyond the end of any file, but not of all numbers.
    let limit = Int.max / max(unit.input, unit.output)
    let count = min(max(frame / unit.output - lead, 0), limit)
    return (count * unit.input, count * unit.output)
  }

  /// More frames than the filter is long.
  static let settlingTime = 4_096
}
