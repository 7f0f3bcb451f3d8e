/// The index of a door: of a portal that is not closed.
struct DoorIndex: Hashable, Sendable, ExpressibleByIntegerLiteral {
  // The heap of a search and each route hold four bytes.
  private let number: Int32

  init(_ position: Int) { number = Int32(position) }

  init(integerLiteral position: Int) { self.init(position) }

  /// The position in the list of the doors.
  var position: Int { Int(number) }
}

/// The end of a door at which a route comes out.
struct DoorEnd: Hashable, Sendable {
  private let number: Int32

  /// The end of a door in its first or in its second room.
  init(of door: DoorIndex, inSecondRoom isSecond: Bool) { number = Int32(2 * door.position + (isSecond ? 1 : 0)) }

  /// The end of a position in an array with an element for each end.
  init(_ position: Int) { number = Int32(position) }

  /// The position in an array with an element for each end.
  var position: Int { Int(number) }

  var door: DoorIndex { DoorIndex(position / 2) }
  var isInSecondRoom: Bool { position % 2 == 1 }
}
