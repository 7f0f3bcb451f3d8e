/// Values that have numbers, from 1 in the order in which they came; equal values have one number.
struct Numbered<Value: Hashable & Sendable>: Sendable {
  private var values: [Value] = []
  private var numbers: [Value: UInt32] = [:]

  /// The number of a value, which is new or came before.
  mutating func number(of value: Value) -> UInt32 {
    if let known = numbers[value] { return known }
    values.append(value)
    let number = UInt32(values.count)
    numbers[value] = number
    return number
  }

  /// The number of a value, and 0 for `nil`.
  mutating func number(of value: Value?) -> UInt32 { value.map { number(of: $0) } ?? 0 }

  /// The value of a number; `nil` for 0 and for a number that no value has.
  subscript(number: UInt32) -> Value? {
    number > 0 && number <= UInt32(values.count) ? values[Int(number) - 1] : nil
  }
}
