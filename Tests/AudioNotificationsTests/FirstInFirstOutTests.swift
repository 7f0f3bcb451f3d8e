import AudioNotifications
import TestSupport
import Testing

@Suite struct FirstInFirstOutTests {
  @Test func `A queue returns its elements in order, whatever comes and goes`() {
    for seed in 0..<50 {
      var random = SplitMix64(seed: UInt64(seed))
      var queue = FirstInFirstOut<Int>()
      var model: [Int] = []
      for number in 0..<400 {
        if Int.random(in: 0..<5, using: &random) < 2 + number % 2 {
          queue.append(number)
          model.append(number)
        } else {
          let (popped, expected) = (queue.popFirst(), model.isEmpty ? nil : model.removeFirst())
          #expect(popped == expected)
        }
        #expect(queue.count == model.count && queue.isEmpty == model.isEmpty && queue.first == model.first)
      }
    }
  }
}
