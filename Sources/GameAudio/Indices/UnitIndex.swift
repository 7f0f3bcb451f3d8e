/// The index of a unit in the pool of the effects of zones.
struct UnitIndex: Hashable, Sendable, ExpressibleByIntegerLiteral {
  private let number: Int8

  init(_ position: Int) { number = Int8(position) }

  init(integerLiteral position: Int) { self.init(position) }

  /// The position in the list of the units.
  var position: Int { Int(number) }
}
