internal import Spatial3D

/// The listeners beside the first, for a split screen.
struct ListenerState: Sendable {
  var others: [Listener] = []
  /// Listeners that were removed, while voices still belong to them; their indices follow the indices of the others.
  var left: [Listener] = []
  /// The largest scores at one of them; the memory stays.
  var bounds: [Float] = []
}

// Several listeners: each emitter belongs to one, and is rendered around the first.

extension WorldState {
  /// Replaces the listeners; an empty list has no effect, and those after the fourth are left out.
  mutating func setListeners(_ listeners: [Listener]) {
    guard let first = listeners.first else { return }
    setListener(first)
    let count = min(listeners.count, ListenerChoice.capacity) - 1
    let before = (ears.others, renderedListener)
    if ears.others.count > count {
      ears.left.insert(contentsOf: ears.others[count...], at: 0)
      ears.others.removeLast(ears.others.count - count)
      for slot in records.indices where records[slot].owner > count && !isHeard(slot) { records[slot].owner = 0 }
    }
    for index in 0..<count {
      if index == ears.others.count {
        ears.others.append(Listener())
        if !ears.left.isEmpty { ears.left.removeFirst() }
      }
      ears.others[index] = listeners[index + 1].usable(after: ears.others[index])
    }
    if before != (ears.others, renderedListener) { isListenerChanged = true }
  }

  /// Takes over the usable parts of a listener.
  mutating func setListener(_ new: Listener) {
    let next = new.usable(after: listener)
    guard next != listener else { return }
    listener = next
    isListenerChanged = true
  }

  /// The listener of the context: the first one, at the level of the loudest.
  var renderedListener: Listener {
    var rendered = listener
    for other in ears.others { rendered.gain = max(rendered.gain, other.gain) }
    return rendered
  }

  /// The number of listeners.
  var listenerCount: Int { ears.others.count + 1 }

  /// The number of listeners, with those that were removed and still have voices.
  var earCount: Int { listenerCount + ears.left.count }

  /// A listener by its index; without one it is the first.
  func ear(_ index: Int) -> Listener {
    guard index > 0, index < earCount else { return listener }
    return index < listenerCount ? ears.others[index - 1] : ears.left[index - listenerCount]
  }

  /// The listener that an emitter belongs to.
  func ear(of slot: Int) -> Listener { ear(Int(records[slot].owner)) }

  /// Computes the largest score that each emitter can have at any listener, re the loudest of them.
  mutating func computeBounds() {
    columns.computeBounds(listener: listener.position, buses: busBounds, into: &bounds)
    guard !ears.others.isEmpty else { return }
    let loudest = max(renderedListener.gain.rawValue, .leastNormalMagnitude)
    if listener.gain.rawValue != loudest {
      for slot in 0..<columns.count { bounds[slot] *= listener.gain.rawValue / loudest }
    }
    for other in ears.others {
      columns.computeBounds(listener: other.position, buses: busBounds, into: &ears.bounds)
      let factor = other.gain.rawValue / loudest
      for slot in 0..<columns.count { bounds[slot] = max(bounds[slot], ears.bounds[slot] * factor) }
    }
  }

  /// Lets an emitter without a voice belong to the listener at which it is loudest.
  mutating func updateOwner(of slot: Int) {
    guard !ears.others.isEmpty, records[slot].isPlaced else { return }
    records[slot].owner = UInt8(owner(of: slot))
  }

  /// Lets each emitter with a voice belong to the listener at which it is loudest.
  ///
  /// An emitter that moves to another listener goes on with another voice, because a source that jumps clicks. While no
  /// voice is free and one will be, the emitter stays with its listener. A stream moves at once: a second reader would
  /// leave a gap.
  mutating func updateOwners() {
    guard earCount > 1 else { return }
    var isLeftInUse = false
    for index in voices.indices where voices[index].state == .sounding && voices[index].role == .plain {
      let slot = voices[index].slot
      guard records[slot].isPlaced, Int(records[slot].voice) == index else { continue }
      let owner = UInt8(owner(of: slot))
      guard owner != records[slot].owner else { continue }
      let isStream = voices[index].isStream
      let isFree = voices.contains { $0.state == .free }
      if !isStream, !isFree, voices.contains(where: { !$0.isTaken }) {
        if records[slot].owner >= listenerCount { isLeftInUse = true }
        continue
      }
      records[slot].owner = owner
      // The voice does not glide from the path to the old listener.
      updatePath(of: slot)
      if !isStream, isFree { changeVoice(of: slot) }
    }
    if !isLeftInUse { ears.left.removeAll(keepingCapacity: true) }
  }

  private mutating func owner(of slot: Int) -> Int {
    var scores = InlineArray<4, Float>(repeating: 0)
    let hasWays = updateRoom(of: slot)
    for index in 0..<listenerCount {
      let ear = ear(index)
      var (place, gain) = (columns.position(of: slot), ear.gain.rawValue)
      if hasWays {
        let path = way(of: slot, to: index)
        place = path.place
        if path.muffling < 0 { gain *= Audibility.loudness(ofOcclusion: Decibels(path.muffling)) }
      }
      let distance = (place - ear.position).length
      gain *= sounds[Int(records[slot].sound)].attenuation(at: distance, model: physics.distanceModel)
      // Beyond the reach of all, the nearest one counts.
      scores[index] = gain * Audibility.reach(at: distance, of: columns.reach[slot]) + 1e-12 / (1 + distance)
    }
    return ListenerChoice.owner(scores, count: listenerCount, current: Int(records[slot].owner))
  }

  /// Moves the values of a source from around its listener to around the first one.
  func moveToFirst(_ values: inout VoiceValues, of slot: Int) {
    guard earCount > 1 else { return }
    let ear = ear(of: slot)
    values.gain *= ear.gain.rawValue / max(renderedListener.gain.rawValue, .leastNormalMagnitude)
    guard records[slot].owner > 0 else { return }
    let (own, first) = (HeadFrame(ear), HeadFrame(listener))
    values.position = own.place(values.position, around: first)
    values.velocity = own.direction(values.velocity - ear.velocity, around: first) + listener.velocity
    values.direction = own.direction(values.direction, around: first)
  }
}

extension Listener {
  /// The listener, with the parts of the old listener where its own cannot be used.
  fileprivate func usable(after old: Listener) -> Listener {
    var next = self
    next.position = position.usable ?? old.position
    next.velocity = velocity.usable ?? old.velocity
    next.gain = gain.isUsable ? Self.gainRange.nearest(to: gain) : old.gain
    if orientation.forward == .zero { next.orientation = old.orientation }
    return next
  }
}
