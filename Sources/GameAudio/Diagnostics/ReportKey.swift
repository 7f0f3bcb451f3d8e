internal import Spatial3D

/// The subject of a report that a world makes once.
enum ReportKey: Hashable, Sendable {
  /// A value of a property, which is not usable or out of its range.
  case value(of: String, FaultOwner, isUnusable: Bool)
  case kindOfBus(String)
  case parentOfBus(String)
  case busOfAnotherWorld(String, BusUse)
  /// A bus without a sum.
  case unprocessedBus(String)
  /// A processor of the program, by its name.
  case processor(String)
  case delay(ofSound: String)
  case loopRange(Range<Int>, ofSound: String)
  case unequalMove
  /// The release of an emitter before a mix had it.
  case releaseBeforePlay
  case code(Diagnostic.Code)

  static func fault(_ fault: ValueFault, of owner: FaultOwner) -> ReportKey {
    .value(of: fault.property, owner, isUnusable: fault.isUnusable)
  }
}

/// The objects that report a fault of a property once together.
enum FaultOwner: Hashable, Sendable {
  case emitters
  case players
  case bus(String)
  case listener(Int)
  /// The sounds of a name.
  case sound(String)
  /// The objects of a kind, in words.
  case kind(String)
}

extension FaultOwner: CustomStringConvertible {
  var description: String {
    switch self {
    case .emitters: "an emitter"
    case .players: "a player"
    case .bus(let name): "the bus \(name)"
    case .listener(let index): index == 0 ? "the listener" : "listener \(index)"
    case .sound(let name): "a sound (\(name))"
    case .kind(let words): words
    }
  }
}
