/// The index of a listener; the first has 0.
struct ListenerIndex: Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
  private let number: UInt8

  init(_ position: Int) { number = UInt8(position) }

  init(integerLiteral position: Int) { self.init(position) }

  /// The position in the list of the listeners.
  var position: Int { Int(number) }

  static func < (first: ListenerIndex, second: ListenerIndex) -> Bool { first.number < second.number }
}
