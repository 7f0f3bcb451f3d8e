/// Values of which each one is kept once.
struct UniqueValues<Value: Hashable> {
  private(set) var values: [Value] = []
  private var indices: [Value: Int] = [:]
  /// The largest number of values, and the last one, which stands for the values that have no room.
  private let most: Int
  private let rest: Value?

  init(most: Int = .max, rest: Value? = nil) { (self.most, self.rest) = (most, rest) }

  /// The index of a value.
  mutating func index(of value: Value) -> Int {
    if let index = indices[value] { return index }
    if let rest, values.count >= most - 1, value != rest { return index(of: rest) }
    values.append(value)
    indices[value] = values.count - 1
    return values.count - 1
  }
}
