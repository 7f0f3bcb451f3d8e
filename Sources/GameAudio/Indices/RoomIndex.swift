/// The index of a room: the index of the first zone of its name, or the number of the zones for the outdoors.
struct RoomIndex: Hashable, Sendable, ExpressibleByIntegerLiteral {
  // Each exit of a door holds one.
  private let number: Int32

  init(_ position: Int) { number = Int32(position) }

  init(integerLiteral position: Int) { self.init(position) }

  /// The position in an array with an element for each room.
  var position: Int { Int(number) }
}

/// The two rooms of an opening.
struct RoomPair: Hashable, Sendable {
  let first: RoomIndex
  let second: RoomIndex
}
