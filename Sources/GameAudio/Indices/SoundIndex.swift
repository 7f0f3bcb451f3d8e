/// The index of an entry in the table of sounds.
struct SoundIndex: Hashable, Sendable, ExpressibleByIntegerLiteral {
  // The records of all emitters hold four bytes.
  private let number: Int32

  init(_ position: Int) { number = Int32(position) }

  init(integerLiteral position: Int) { self.init(position) }

  /// The position in the list of the entries.
  var position: Int { Int(number) }
}
