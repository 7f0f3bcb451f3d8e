/// The differences of two signals, element by element.
struct SignalDifferences {
  /// The largest magnitude of a difference; infinite if one is not a number.
  var largest: Float = 0
  var largestIndex = 0
  /// The first element that differs at all.
  var firstIndex: Int?
  var sumOfSquares = 0.0
}

extension [Float] {
  /// Compares the signal with another; the shorter of the two is extended with silence.
  func differences(from expected: [Float]) -> SignalDifferences {
    var found = SignalDifferences()
    let shared = Swift.min(count, expected.count)
    // The index stays below the counts of both.
    func compare(_ own: UnsafePointer<Float>, _ expected: UnsafePointer<Float>) {
      var index = 0
      while index < shared {
        let difference = unsafe own[index] - expected[index]
        if !(difference == 0) { found.add(difference, at: index) }
        index &+= 1
      }
    }
    unsafe compare(self, expected)
    let longer = count > expected.count ? self : expected
    for index in shared..<longer.count where !(longer[index] == 0) { found.add(longer[index], at: index) }
    return found
  }
}

extension SignalDifferences {
  /// Adds a difference that is not 0.
  fileprivate mutating func add(_ difference: Float, at index: Int) {
    let size = difference.isNaN ? Float.infinity : difference.magnitude
    if firstIndex == nil { firstIndex = index }
    if size > largest {
      largest = size
      largestIndex = index
    }
    sumOfSquares += Double(size) * Double(size)
  }
}
