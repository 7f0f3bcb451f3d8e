/// The index of a player in the table of players.
struct PlayerIndex: Hashable, Sendable {
  private let number: Int32

  init(_ position: Int) { number = Int32(position) }

  /// The position in the table.
  var position: Int { Int(number) }
}

/// The user of an emitter's slot.
enum Occupant: Hashable, Sendable {
  case free
  case emitter
  /// An emitter that the world plays to its end, also without the program's reference.
  case oneShot
  case player(PlayerIndex)
}
