/// The index of the family of a sound with variations in the table of sounds.
struct FamilyIndex: Hashable, Sendable {
  private let number: Int32

  init(_ position: Int) { number = Int32(position) }

  /// The position in the list of the families.
  var position: Int { Int(number) }
}
