/// The least of the last numbers, for a fixed count of them.
///
/// Source: Daniel Lemire, "Streaming Maximum-Minimum Filter Using No More than Three Comparisons per Element", Nordic
/// Journal of Computing 13(4), 2006: a queue of rising numbers, in the order in which they came. A number takes less
/// than three comparisons on average.
struct SlidingMinimum: Sendable {
  private let length: Int
  /// A ring; the least number is at `head`.
  private var values: [Int]
  private var times: [Int]
  private var (head, count, time) = (0, 0, 0)
  private let initial: Int

  /// A window over `length` numbers, all of which were `initial`.
  init(length: Int, initial: Int) {
    self.length = max(length, 1)
    self.initial = initial
    values = Array(repeating: initial, count: self.length)
    times = Array(repeating: 0, count: self.length)
    reset()
  }

  /// Replaces each number by the least of the window that ends with it.
  mutating func process(_ numbers: inout [Int], count total: Int) {
    precondition(total <= numbers.count)
    var (head, count, time) = (head, count, time)
    let length = length
    // Both rings have `length` elements, and `head`, `tail` and `last` are indices below `length`. `numbers` has
    // `total` numbers or more.
    unsafe values.withUnsafeMutableBufferPointer { values in
      unsafe times.withUnsafeMutableBufferPointer { times in
        unsafe numbers.withUnsafeMutableBufferPointer { numbers in
          guard let values = values.baseAddress, let times = times.baseAddress else { return }
          guard let numbers = numbers.baseAddress else { return }
          var index = 0
          while index < total {
            time &+= 1
            // Only one number can be too old: the times in the ring differ.
            if unsafe count > 0 && times[head] <= time &- length {
              head = head &+ 1 == length ? 0 : head &+ 1
              count &-= 1
            }
            var tail = head &+ count
            if tail >= length { tail &-= length }
            let number = unsafe numbers[index]
            while count > 0 {
              let last = tail == 0 ? length &- 1 : tail &- 1
              if unsafe values[last] < number { break }
              tail = last
              count &-= 1
            }
            unsafe values[tail] = number
            unsafe times[tail] = time
            count &+= 1
            unsafe numbers[index] = values[head]
            index &+= 1
          }
        }
      }
    }
    (self.head, self.count, self.time) = (head, count, time)
  }

  /// Sets all numbers of the window to the initial one.
  mutating func reset() {
    (head, count, time) = (0, 1, 0)
    (values[0], times[0]) = (initial, 0)
  }
}
