/// The sum of the last whole numbers, for a fixed count of them.
struct MovingSum: Sendable {
  private var values: [Int]
  private var place = 0
  private var sum: Int
  private let initial: Int

  /// A window over `length` numbers, all of which were `initial`.
  init(length: Int, initial: Int) {
    values = Array(repeating: initial, count: max(length, 1))
    sum = initial * values.count
    self.initial = initial
  }

  /// Replaces each number by the sum of the window that ends with it.
  mutating func process(_ numbers: inout [Int], count total: Int) {
    precondition(total <= numbers.count)
    var (place, sum) = (place, sum)
    let length = values.count
    // `place` is below the length of the ring, and `numbers` has `total` numbers or more.
    unsafe values.withUnsafeMutableBufferPointer { values in
      unsafe numbers.withUnsafeMutableBufferPointer { numbers in
        guard let values = values.baseAddress, let numbers = numbers.baseAddress else { return }
        var index = 0
        while index < total {
          let number = unsafe numbers[index]
          unsafe sum &+= number &- values[place]
          unsafe values[place] = number
          unsafe numbers[index] = sum
          place = place &+ 1 == length ? 0 : place &+ 1
          index &+= 1
        }
      }
    }
    (self.place, self.sum) = (place, sum)
  }

  mutating func reset() {
    for index in values.indices { values[index] = initial }
    (place, sum) = (0, initial * values.count)
  }
}
