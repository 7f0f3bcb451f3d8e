/// The random numbers of a world: SplitMix64, which gives the same numbers for the same seed.
///
/// Pure: no call and no lock.
struct RandomSequence: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }

  /// A number of a range, each equally likely.
  mutating func number(in range: ClosedRange<Float>) -> Float {
    let part = Float(next() >> 40) * 0x1p-24
    return min(range.lowerBound + (range.upperBound - range.lowerBound) * part, range.upperBound)
  }
}
