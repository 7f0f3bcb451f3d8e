/// A random number generator that repeats its numbers from a seed.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A generator whose sequence depends on the seed alone.
  public init(state: UInt64) { self.state = state }

  /// A generator whose sequence depends on several seeds, each of which changes all of it.
  public init(mixing seeds: UInt64...) {
    state = 0
    for seed in seeds { state = next() ^ seed }
    state = next()
  }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
