internal import AudioSupport
internal import Spatial3D

// The reports of values that a property cannot take. A world reports each property once.

extension AudioWorld {
  /// Reports a value that a property of the world, of its listener or of a bus cannot take.
  @inline(never)
  func complain(_ property: String, of owner: String, _ value: String, _ result: String = "it keeps its value") {
    guard withState({ $0.complaints.insert("\(property) of \(owner)").inserted }) else { return }
    context.report(.unusable(property, of: owner, value: value, result))
  }

  /// Reports a value that a property of an emitter or a player cannot take.
  @inline(never)
  func complain(_ property: String, ofSlot slot: Int, _ value: String, _ result: String) {
    let owner = withState { state -> String? in
      let kind = state.records[slot].deck < 0 ? "emitter" : "player"
      return state.complaints.insert("\(property) of \(kind)").inserted ? state.ownerInWords(of: slot) : nil
    }
    if let owner { context.report(.unusable(property, of: owner, value: value, result)) }
  }

  /// Reports the parts of a listener that are not usable.
  @inline(never)
  func complain(about listener: Listener, _ index: Int = 0) {
    let owner = index == 0 ? "the listener" : "listener \(index)"
    if !listener.position.isFinite { complain("position", of: owner, listener.position.inWords) }
    if !listener.velocity.isFinite { complain("velocity", of: owner, listener.velocity.inWords) }
    if !listener.gain.isUsable { complain("gain", of: owner, listener.gain.inWords) }
    if listener.orientation.forward == .zero {
      complain("orientation", of: owner, "a forward direction without a finite length")
    }
  }

  /// Reports once that a call has moved fewer emitters than it was given, or fewer than it has positions for.
  @inline(never)
  func complain(aboutMoving emitters: Int, to positions: Int) {
    guard withState({ $0.complaints.insert("move").inserted }) else { return }
    context.report(.unequalMove(emitters, positions))
  }
}

extension WorldState {
  /// The emitter or the player of a slot, in words.
  func ownerInWords(of slot: Int) -> String {
    let record = records[slot]
    if let deck = deck(of: slot) { return "a player (\(deck.current.track.name))" }
    let name = record.sound < 0 ? nil : sounds[Int(record.sound)].content?.name
    return "emitter \(record.generation)\(name.map { " (\($0))" } ?? "")"
  }
}

extension Listener {
  /// Whether no part of the listener keeps its value because it is not usable.
  @inline(__always)
  var isUsable: Bool {
    position.isFinite && velocity.isFinite && gain.isUsable && orientation.forward != .zero
  }
}

extension Emitter {
  /// Reports a value that a property cannot take.
  @inline(never)
  func complain(_ property: String, _ value: String, _ result: String = "it keeps its value") {
    world.complain(property, ofSlot: slot, value, result)
  }
}

extension Bus {
  /// Reports a value that a property cannot take.
  @inline(never)
  func complain(_ property: String, _ value: String) { world.complain(property, of: "the bus \(name)", value) }
}
