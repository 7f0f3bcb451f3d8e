internal import Spatial3D

/// The settings of a bus, and the values that follow from the settings of the buses above it.
struct BusRecord: Sendable {
  let name: String
  let parent: Int?
  /// Whether its sounds have no position.
  let isDirect: Bool
  var gain: Float = 1
  var pitch: Float = 1
  var filter = ToneFilter()
  var isMuted = false
  var isSoloed = false
  /// The number of pauses without a resume, the level of their fade, and whether it has ended.
  var pauses = 0
  var pauseLevel: Float = 1
  var isHalted = false
  /// Whether the bus is silent while another program plays music, and the level of that.
  var mutesWithOtherAudio = false
  var otherAudioLevel: Float = 1
  /// The change by the duckers of the bus, in decibels.
  var duck: Float = 0
  var sends: [VoiceSend] = []
  var limit: PlaybackLimit?
  /// The emitters on it or below it that count for its limit.
  var counted = 0
  /// The frame of the mix at which an emitter last began on it or below it.
  var lastBegin: Int?

  /// The first bus inside this bus, and the next bus with the same parent.
  fileprivate(set) var firstChild: Int?
  fileprivate(set) var nextSibling: Int?
  /// The values for the sounds of the bus.
  fileprivate(set) var totals = BusTotals()
  /// Whether the last computation has changed the pitch, or whether the sounds are paused.
  fileprivate(set) var isPitchChanged = false
  fileprivate(set) var isPauseChanged = false

  init(name: String, parent: Int?, isDirect: Bool = false) {
    (self.name, self.parent, self.isDirect) = (name, parent, isDirect)
  }

  /// Copies the settings of another bus, with sends of its own.
  mutating func adoptSettings(of other: BusRecord, sends: [VoiceSend]) {
    (gain, pitch, filter) = (other.gain, other.pitch, other.filter)
    (isMuted, isSoloed, limit, duck) = (other.isMuted, other.isSoloed, other.limit, other.duck)
    (pauses, pauseLevel, isHalted) = (other.pauses, other.pauseLevel, other.isHalted)
    (mutesWithOtherAudio, otherAudioLevel) = (other.mutesWithOtherAudio, other.otherAudioLevel)
    self.sends = sends
  }

  /// The gain of the bus by itself: a mute and a pause are part of it, a solo of another bus is not.
  var ownGain: Float { isMuted ? 0 : gain * pauseLevel * otherAudioLevel * (duck < 0 ? Decibels(duck).factor : 1) }
}

/// The products and sums of the settings along the path from the root to a bus.
struct BusTotals: Sendable {
  /// The gain of the buses inside the bus, and the gain of its own sounds; a solo elsewhere silences only the sounds.
  var pathGain: Float = 1
  var gain: Float = 1
  var pitch: Float = 1
  /// The filter, in decibels.
  var low: Float = 0
  var high: Float = 0
  var isPaused = false
  /// Whether a bus of the path is soloed.
  var isInSolo = false
  /// The strongest send to each effect, and the number of their changes; 0 if there was never one.
  var sends: [VoiceSend] = []
  var sendsVersion = 0

  var filter: ToneFilter { ToneFilter(low: Decibels(max(low, -60)), high: Decibels(max(high, -60))) }

  /// The largest factor by which the bus makes a sound audible, by the direct path and by the effects together.
  var bound: Float { isPaused ? 0 : gain * (1 + sends.reduce(0) { $0 + $1.gain * $1.gain }).squareRoot() }
}

/// The kinds of values that a computation of the totals has changed.
struct BusChange: OptionSet, Sendable {
  let rawValue: UInt8

  static let pitch = BusChange(rawValue: 1)
  static let pause = BusChange(rawValue: 2)
}

// Pure: no call and no lock. A bus comes after its parent.
extension Array<BusRecord> {
  /// Computes the totals of a bus and of those inside it, and writes their bounds.
  ///
  /// The totals of a bus depend on it and on those around it.
  mutating func updateTotals(inside top: Int, isAnySoloed: Bool, bounds: inout [Float]) -> BusChange {
    var change: BusChange = []
    var following: Int? = top
    while let index = following {
      let totals = totals(of: index, isAnySoloed: isAnySoloed)
      bounds[index] = totals.bound
      self[index].isPitchChanged = totals.pitch != self[index].totals.pitch
      self[index].isPauseChanged = totals.isPaused != self[index].totals.isPaused
      if self[index].isPitchChanged { change.insert(.pitch) }
      if self[index].isPauseChanged { change.insert(.pause) }
      self[index].totals = totals
      following = bus(after: index, inside: top)
    }
    return change
  }

  /// Forgets the changes of a bus and of those inside it.
  mutating func forgetChanges(inside top: Int) {
    var following: Int? = top
    while let index = following {
      (self[index].isPitchChanged, self[index].isPauseChanged) = (false, false)
      following = bus(after: index, inside: top)
    }
  }

  /// The bus that follows one in a walk through all buses inside another, from the top down.
  private func bus(after index: Int, inside top: Int) -> Int? {
    if let child = self[index].firstChild { return child }
    var index = index
    while index != top {
      if let sibling = self[index].nextSibling { return sibling }
      guard let parent = self[index].parent else { return nil }
      index = parent
    }
    return nil
  }

  /// Adds a bus, with its totals, to its parent.
  mutating func add(_ bus: BusRecord, isAnySoloed: Bool) {
    let index = count
    append(bus)
    if let parent = bus.parent {
      (self[index].nextSibling, self[parent].firstChild) = (self[parent].firstChild, index)
    }
    self[index].totals = totals(of: index, isAnySoloed: isAnySoloed)
  }

  /// The totals of a bus by the present totals of its parent.
  private func totals(of index: Int, isAnySoloed: Bool) -> BusTotals {
    var totals = BusTotals()
    if let parent = self[index].parent { totals = self[parent].totals }
    totals.pathGain *= self[index].ownGain
    totals.isInSolo = totals.isInSolo || self[index].isSoloed
    totals.gain = isAnySoloed && !totals.isInSolo ? 0 : totals.pathGain
    totals.pitch *= self[index].pitch
    totals.low += self[index].filter.low.rawValue
    totals.high += self[index].filter.high.rawValue
    totals.isPaused = totals.isPaused || self[index].isHalted
    if !self[index].sends.isEmpty { for send in self[index].sends { totals.sends.join(send) } }
    let old = self[index].totals
    totals.sendsVersion = totals.sends == old.sends ? old.sendsVersion : old.sendsVersion + 1
    return totals
  }

  /// The indices of a bus and of those above it, up to the root.
  func path(from bus: BusIndex) -> [Int] {
    var path = [bus]
    while let parent = self[path[path.count - 1]].parent { path.append(parent) }
    return path
  }

  /// Whether a bus is the other bus or lies inside it.
  func isBus(_ bus: BusIndex, inside other: Int) -> Bool {
    var index = bus
    while index != other {
      guard let parent = self[index].parent else { return false }
      index = parent
    }
    return true
  }

  /// Whether the sounds of two buses have any in common: one lies inside the other.
  private func overlap(_ bus: BusIndex, _ other: Int) -> Bool {
    isBus(bus, inside: other) || isBus(other, inside: bus)
  }

  /// Whether a ducker would depend on its own effect: its trigger is itself lowered by its target, also through others.
  ///
  /// A ducker that is retired no longer follows its trigger.
  func isCycle(_ target: Int, under trigger: Int, beside duckers: [Ducker]) -> Bool {
    var lowered = [target]
    var next = 0
    while next < lowered.count {
      if overlap(lowered[next], trigger) { return true }
      for ducker in duckers where !ducker.isRetired && overlap(ducker.trigger, lowered[next]) {
        if !lowered.contains(ducker.target) { lowered.append(ducker.target) }
      }
      next += 1
    }
    return false
  }
}

extension [VoiceSend] {
  /// Adds a send; of two to one effect the stronger one stays.
  mutating func join(_ send: VoiceSend) {
    if let index = firstIndex(where: { $0.unit === send.unit }) {
      self[index].gain = Swift.max(self[index].gain, send.gain)
    } else {
      append(send)
    }
  }
}
