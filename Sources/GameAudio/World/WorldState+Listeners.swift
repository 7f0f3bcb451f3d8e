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
    let before = (space.ears.others, renderedListener)
    if space.ears.others.count > count {
      space.ears.left.insert(contentsOf: space.ears.others[count...], at: 0)
      space.ears.others.removeLast(space.ears.others.count - count)
      for slot in emitters.indices where emitters[slot].owner > count && !isHeard(slot) {
        emitters[slot].owner = 0
      }
    }
    for index in 0..<count {
      if index == space.ears.others.count {
        space.ears.others.append(Listener())
        if !space.ears.left.isEmpty { space.ears.left.removeFirst() }
      }
      space.ears.others[index] = listeners[index + 1].usable(after: space.ears.others[index])
    }
    if before != (space.ears.others, renderedListener) { space.isListenerChanged = true }
  }

  /// Takes over the usable parts of a listener.
  mutating func setListener(_ new: Listener) {
    let next = new.usable(after: space.listener)
    guard next != space.listener else { return }
    space.listener = next
    space.isListenerChanged = true
  }

  /// The listener of the context: the first one, at the level of the loudest.
  var renderedListener: Listener {
    var rendered = space.listener
    for other in space.ears.others { rendered.gain = max(rendered.gain, other.gain) }
    return rendered
  }

  /// The number of listeners.
  var listenerCount: Int { space.ears.others.count + 1 }

  /// The number of listeners, with those that were removed and still have voices.
  var earCount: Int { listenerCount + space.ears.left.count }

  /// A listener by its index; without one it is the first.
  func ear(_ index: Int) -> Listener {
    guard index > 0, index < earCount else { return space.listener }
    return index < listenerCount ? space.ears.others[index - 1] : space.ears.left[index - listenerCount]
  }

  /// The listener that an emitter belongs to.
  func ear(of slot: EmitterSlot) -> Listener { ear(Int(emitters[slot].owner)) }

  /// Computes the largest score that each emitter can have at any listener, re the loudest of them.
  mutating func computeBounds() {
    emitters.columns.computeBounds(listener: space.listener.position, buses: mixer.buses.bounds, into: &selector.bounds)
    guard !space.ears.others.isEmpty else { return }
    let loudest = max(renderedListener.gain.rawValue, .leastNormalMagnitude)
    if space.listener.gain.rawValue != loudest {
      for slot in 0..<emitters.count { selector.bounds[slot] *= space.listener.gain.rawValue / loudest }
    }
    for other in space.ears.others {
      emitters.columns.computeBounds(listener: other.position, buses: mixer.buses.bounds, into: &space.ears.bounds)
      let factor = other.gain.rawValue / loudest
      for slot in 0..<emitters.count {
        selector.bounds[slot] = max(selector.bounds[slot], space.ears.bounds[slot] * factor)
      }
    }
  }

  /// Lets an emitter without a voice belong to the listener at which it is loudest.
  mutating func updateOwner(of slot: EmitterSlot) {
    guard !space.ears.others.isEmpty, emitters[slot].isPlaced else { return }
    emitters[slot].owner = UInt8(owner(of: slot))
  }

  /// Lets each emitter with a voice belong to the listener at which it is loudest.
  ///
  /// An emitter that moves to another listener goes on with another voice, because a source that jumps clicks. While no
  /// voice is free and one will be, the emitter stays with its listener. A stream moves at once: a second reader would
  /// leave a gap.
  mutating func updateOwners() {
    guard earCount > 1 else { return }
    var isLeftInUse = false
    for index in voices.voices.indices
    where voices.voices[index].state == .sounding && voices.voices[index].role == .plain {
      let slot = voices.voices[index].slot
      guard emitters[slot].isPlaced, Int(emitters[slot].voice) == index else { continue }
      let owner = UInt8(owner(of: slot))
      guard owner != emitters[slot].owner else { continue }
      let isStream = voices.voices[index].isStream
      let isFree = voices.voices.contains { $0.state == .free }
      if !isStream, !isFree, voices.voices.contains(where: { !$0.isTaken }) {
        if emitters[slot].owner >= listenerCount { isLeftInUse = true }
        continue
      }
      emitters[slot].owner = owner
      // The voice does not glide from the path to the old listener.
      updatePath(of: slot)
      if !isStream, isFree { changeVoice(of: slot) }
    }
    if !isLeftInUse { space.ears.left.removeAll(keepingCapacity: true) }
  }

  private mutating func owner(of slot: EmitterSlot) -> Int {
    var scores = InlineArray<4, Float>(repeating: 0)
    let hasWays = updateRoom(of: slot)
    for index in 0..<listenerCount {
      let ear = ear(index)
      var (place, gain) = (emitters.position(of: slot), ear.gain.rawValue)
      if hasWays {
        let path = way(of: slot, to: index)
        place = path.place
        if path.muffling < 0 { gain *= Audibility.loudness(ofOcclusion: Decibels(path.muffling)) }
      }
      let distance = (place - ear.position).length
      gain *= sounds[Int(emitters[slot].sound)].attenuation(at: distance, model: time.physics.distanceModel)
      // Beyond the reach of all, the nearest one counts.
      scores[index] = gain * Audibility.reach(at: distance, of: emitters.columns.reach[slot]) + 1e-12 / (1 + distance)
    }
    return ListenerChoice.owner(scores, count: listenerCount, current: Int(emitters[slot].owner))
  }

  /// Moves the values of a source from around its listener to around the first one.
  func moveToFirst(_ values: inout VoiceValues, of slot: EmitterSlot) {
    guard earCount > 1 else { return }
    let ear = ear(of: slot)
    values.gain *= ear.gain.rawValue / max(renderedListener.gain.rawValue, .leastNormalMagnitude)
    guard emitters[slot].owner > 0 else { return }
    let (own, first) = (HeadFrame(ear), HeadFrame(space.listener))
    values.position = own.place(values.position, around: first)
    values.velocity = own.direction(values.velocity - ear.velocity, around: first) + space.listener.velocity
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
