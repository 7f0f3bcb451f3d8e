/// The choices that were made for a sound.
///
/// Pure: no call and no lock.
struct VariationHistory: Hashable, Sendable {
  /// The last choices, the newest one at the end.
  private var last: [Int] = []

  /// Chooses one of some variations, by number.
  mutating func next(of count: Int, by choice: Sound.Choice, using random: inout RandomSequence) -> Int {
    guard count > 1 else { return 0 }
    let number =
      switch choice {
      case .random(let avoided): another(of: count, avoiding: min(max(avoided, 0), count - 1), using: &random)
      case .sequence: last.last.map { ($0 + 1) % count } ?? 0
      case .weighted(let weights): Self.weighted(count, by: weights, using: &random)
      }
    if last.count >= count - 1 { last.removeFirst() }
    last.append(number)
    return number
  }

  /// A variation that is not among the last choices, each equally likely.
  private func another(of count: Int, avoiding avoided: Int, using random: inout RandomSequence) -> Int {
    let recent = last.suffix(avoided)
    let others = (0..<count).filter { !recent.contains($0) }
    return others[Int(random.next(upperBound: UInt64(others.count)))]
  }

  private static func weighted(_ count: Int, by weights: [Float], using random: inout RandomSequence) -> Int {
    let weights = (0..<count).map { index in
      let weight = index < weights.count ? weights[index] : 1
      return weight.isFinite ? Double(max(weight, 0)) : 0
    }
    let sum = weights.reduce(0, +)
    guard sum > 0 else { return Int(random.next(upperBound: UInt64(count))) }
    var rest = Double(random.next() >> 11) * 0x1p-53 * sum
    for index in weights.indices {
      if rest < weights[index] { return index }
      rest -= weights[index]
    }
    return weights.lastIndex { $0 > 0 } ?? 0
  }
}
