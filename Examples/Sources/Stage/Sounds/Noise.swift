/// White noise, the same in each run.
///
/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014), without its last step.
public struct Noise: Sendable {
  private var state: UInt64

  /// Noise from a seed.
  public init(seed: UInt64) { state = seed }

  /// The next value, uniformly distributed from -1 to 1.
  public mutating func next() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    let bits = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    return Double(bits >> 40) / Double(1 << 23) - 1
  }
}
