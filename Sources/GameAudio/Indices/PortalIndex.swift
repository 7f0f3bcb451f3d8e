/// The index of a portal in the list of the game.
struct PortalIndex: Hashable, Sendable, ExpressibleByIntegerLiteral {
  private let number: Int32

  init(_ position: Int) { number = Int32(position) }

  init(integerLiteral position: Int) { self.init(position) }

  /// The position in the list of the portals.
  var position: Int { Int(number) }
}
