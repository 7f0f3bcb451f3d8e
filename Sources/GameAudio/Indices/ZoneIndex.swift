/// The index of a zone in the list of the game.
struct ZoneIndex: Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
  private let number: Int32

  init(_ position: Int) { number = Int32(position) }

  init(integerLiteral position: Int) { self.init(position) }

  /// The position in the list of the zones, and in an array with an element for each of them.
  var position: Int { Int(number) }

  static func < (first: ZoneIndex, second: ZoneIndex) -> Bool { first.number < second.number }
}
