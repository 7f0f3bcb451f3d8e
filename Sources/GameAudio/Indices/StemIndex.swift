/// The index of a stem: a part of the mix that has a sum and a strip.
///
/// The stem of the main bus is the whole mix.
struct StemIndex: Hashable, Sendable, ExpressibleByIntegerLiteral {
  /// The stem of the main bus.
  static let main: StemIndex = 0
  /// The most stems of a world, with the stem of the main bus.
  ///
  /// Chosen: eight buses are more than the groups of most games, and each one takes a device of the library.
  static let limit = 9

  private let number: UInt8

  init(_ position: Int) { number = UInt8(position) }

  init(integerLiteral position: Int) { self.init(position) }

  /// The position in the list of the stems.
  var position: Int { Int(number) }
}
