/// The selection of the highest of many values, in one pass.
struct BoundSelection: Sendable {
  private var counts = [Int32](repeating: 0, count: 1 << 12)

  /// A bound that a number of the highest values reach, and few more: at most 0.4 dB below the last of them.
  ///
  /// The values are at least 0, so that their bits have the same order. The pass counts them by their exponents and the
  /// first four bits of their fractions.
  mutating func value(ofHighest count: Int, in values: [Float]) -> Float {
    for index in counts.indices { counts[index] = 0 }
    for value in values { counts[Int(value.bitPattern >> 19) & 0xfff] += 1 }
    var sum: Int32 = 0
    for index in counts.indices.reversed() {
      sum += counts[index]
      if sum >= count { return Float(bitPattern: UInt32(index) << 19) }
    }
    return 0
  }
}
