/// The index of an emitter or player in the tables of its world.
struct EmitterSlot: Hashable, Comparable, Codable, Sendable, ExpressibleByIntegerLiteral {
  // Keys, candidates and the identities of emitters hold four bytes.
  private let number: Int32

  /// The slot of a position in an array with an element for each slot.
  init(_ position: Int) { number = Int32(position) }

  init(integerLiteral position: Int) { self.init(position) }

  /// The position in an array with an element for each slot.
  var position: Int { Int(number) }

  static func < (first: EmitterSlot, second: EmitterSlot) -> Bool { first.number < second.number }

  func encode(to encoder: any Encoder) throws { try number.encode(to: encoder) }

  init(from decoder: any Decoder) throws { number = try Int32(from: decoder) }
}
