/// The index of a bus: buses are numbered in the order in which they were made.
struct BusIndex: Hashable, Codable, Sendable {
  private let number: UInt16

  /// The bus that contains all others.
  static let main = BusIndex(0)

  /// The largest number of buses: each emitter stores the index of its bus in 16 bits.
  static let limit = 1 << 16

  /// The index of a position in an array with an element for each bus.
  init(_ position: Int) { number = UInt16(position) }

  /// The position in an array with an element for each bus.
  var position: Int { Int(number) }

  func encode(to encoder: any Encoder) throws { try number.encode(to: encoder) }

  init(from decoder: any Decoder) throws { number = try UInt16(from: decoder) }
}
