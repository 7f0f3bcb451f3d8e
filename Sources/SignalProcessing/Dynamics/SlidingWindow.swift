/// The sum, or the largest, of the last numbers, for a fixed count of them; the numbers are 0 or more.
///
/// Nothing is subtracted, so no rounding is left of a loud sound. The ring has the new numbers, and behind them
/// the results of the old numbers from each index to its end.
struct SlidingWindow: Sendable {
  let length: Int
  private let isSum: Bool
  private var ring: [Double]
  private var place = 0
  /// The result of the new numbers.
  private var front = 0.0

  /// A window over `length` numbers, all of which were 0.
  init(isSum: Bool, length: Int) {
    (self.isSum, self.length) = (isSum, max(length, 1))
    ring = Array(repeating: 0, count: self.length)
  }

  private func joined(_ one: Double, _ other: Double) -> Double { isSum ? one + other : one > other ? one : other }

  /// The result of the window that ends with a number.
  mutating func append(_ number: Double) -> Double {
    (ring[place], front) = (number, joined(front, number))
    place += 1
    if place < length { return joined(front, ring[place]) }
    let result = front
    (place, front) = (0, 0)
    var index = length - 1
    while index > 0 {
      index -= 1
      ring[index] = joined(ring[index], ring[index + 1])
    }
    return result
  }

  /// Appends zeros to a window of zeros: later sums then add their numbers in the same order.
  mutating func skip(_ count: Int) { place = (place + count) % length }

  /// Sets all numbers of the window to 0.
  mutating func reset() {
    for index in ring.indices { ring[index] = 0 }
    (place, front) = (0, 0)
  }
}
