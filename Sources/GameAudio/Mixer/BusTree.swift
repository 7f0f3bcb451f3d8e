internal import Glibc

/// The buses of a world: their names, their tree, and the totals along its paths.
///
/// A bus comes after its parent. A change of a setting needs an update of the totals. Pure: no call and no lock.
struct BusTree: Sendable {
  private(set) var records = [BusRecord(name: "main", parent: nil)]
  /// The bound of each bus, for the choice.
  private(set) var bounds: [Float] = [1]
  private var names = ["main": BusIndex.main]
  /// The number of buses that are soloed.
  private(set) var soloedCount = 0
  /// The share of the gain of the main bus that its fader has, in decibels: the sources have the rest.
  private(set) var mainFaderShare: Float = 0
  /// The buses that have a stem, by its index.
  private(set) var stems: [BusIndex] = [.main]
  /// The number of updates of the totals.
  private(set) var updateCount = 0

  var count: Int { records.count }
  var hasLimits: Bool { records.contains { $0.limit != nil } }

  var indices: some RandomAccessCollection<BusIndex> { (0..<records.count).lazy.map { BusIndex($0) } }

  /// The settings and the totals of a bus.
  subscript(bus: BusIndex) -> BusRecord {
    // Inlined, so that a use of a field copies no record, whose references would be counted.
    @inline(__always) get { records[bus.position] }
    _modify {
      let wasSoloed = records[bus.position].isSoloed
      defer { soloedCount += (records[bus.position].isSoloed ? 1 : 0) - (wasSoloed ? 1 : 0) }
      yield &records[bus.position]
    }
  }

  /// The bus of a name; `nil` for none.
  subscript(name: String) -> BusIndex? { names[name] }

  /// Returns the bus of a name, and adds the bus if the name is new: without room it returns the parent.
  mutating func makeBus(_ name: String, in parent: BusIndex, isDirect: Bool) -> BusIndex {
    if let bus = names[name] { return bus }
    guard count < BusIndex.limit else { return parent }
    let bus = BusIndex(count)
    records.append(BusRecord(name: name, parent: parent, isDirect: isDirect))
    names[name] = bus
    (self[bus].nextSibling, self[parent].firstChild) = (self[parent].firstChild, bus)
    // No emitter has it yet, and no other bus depends on it.
    self[bus].totals = totals(of: bus)
    bounds.append(self[bus].totals.bound)
    return bus
  }
}

// MARK: - Totals

/// The kinds of values that an update of the totals has changed.
struct BusChange: OptionSet, Sendable {
  let rawValue: UInt8

  static let pitch = BusChange(rawValue: 1)
  static let pause = BusChange(rawValue: 2)
}

extension BusTree {
  /// Changes the settings of a bus, and updates the totals.
  mutating func change(_ bus: BusIndex, _ body: (inout BusRecord) -> Void) -> BusChange {
    let wasSoloed = self[bus].isSoloed
    body(&self[bus])
    // A solo silences buses outside, too.
    return updateTotals(inside: wasSoloed == self[bus].isSoloed ? bus : .main)
  }

  /// Moves a share of the gain of the main bus from the sources to its fader.
  mutating func setMainFaderShare(_ share: Float) -> BusChange {
    mainFaderShare = share
    return updateTotals()
  }

  /// Gives a bus a stem; the sounds of the buses inside it go on in the stem around it until they have moved.
  mutating func addStem(_ bus: BusIndex) -> BusChange {
    self[bus].stem = StemIndex(stems.count)
    stems.append(bus)
    return updateTotals(inside: bus)
  }

  /// The stem that belongs to a bus; `nil` for a bus without one.
  func ownStem(of bus: BusIndex) -> StemIndex? { bus == .main ? .main : self[bus].stem }

  /// Whether a bus has no stem.
  func lacksStem(_ bus: BusIndex) -> Bool { ownStem(of: bus) == nil }

  /// The tree of the stems.
  var stemPlan: StemPlan {
    StemPlan(parents: stems.map { bus in self[bus].parent.map { self[$0].totals.stem } })
  }

  /// The gain that the fader of a stem is to have.
  func faderGain(of stem: StemIndex) -> Float {
    stem == .main ? mainGains.fader : self[stems[stem.position]].totals.faderGain
  }

  /// The gain of the sources of a bus in a stem, which may be a stem around the stem of the bus.
  func sourceGain(of bus: BusIndex, in stem: StemIndex) -> Float {
    var gain = self[bus].totals.sourceGain
    var own = self[bus].totals.stem
    while own != stem, own != .main, let parent = self[stems[own.position]].parent {
      gain *= faderGain(of: own)
      own = self[parent].totals.stem
    }
    return gain
  }

  /// The gain that the fader of the main bus is to have, and the gain that its sources have before the fader.
  ///
  /// Silence is on both sides, for as long as both have a share. A pause is on neither: it silences the sources, so
  /// that tails ring out.
  private var mainGains: (fader: Float, sources: Float) {
    let gain = self[.main].faderGain
    switch mainFaderShare {
    case 0: return (1, gain)
    case 1: return (gain, 1)
    default: return (pow(gain, mainFaderShare), pow(gain, 1 - mainFaderShare))
    }
  }

  /// Updates the totals and the bounds of a bus and of the buses inside it, by default of all.
  ///
  /// The totals of a bus depend on the bus and on the buses around it.
  mutating func updateTotals(inside top: BusIndex = .main) -> BusChange {
    updateCount += 1
    var change: BusChange = []
    var following: BusIndex? = top
    while let bus = following {
      let totals = totals(of: bus)
      bounds[bus.position] = totals.bound
      if totals.pitch != self[bus].totals.pitch {
        self[bus].pitchUpdate = updateCount
        change.insert(.pitch)
      }
      if totals.isPaused != self[bus].totals.isPaused {
        self[bus].pauseUpdate = updateCount
        change.insert(.pause)
      }
      self[bus].totals = totals
      following = self.bus(after: bus, inside: top)
    }
    return change
  }

  /// Whether the last update of the totals has changed the pitch of a bus.
  func isPitchChanged(of bus: BusIndex) -> Bool { self[bus].pitchUpdate == updateCount }

  /// Whether the last update of the totals has paused a bus, or ended its pause.
  func isPauseChanged(of bus: BusIndex) -> Bool { self[bus].pauseUpdate == updateCount }

  /// The bus that follows a bus in a walk through all buses inside another bus, from the top down.
  private func bus(after bus: BusIndex, inside top: BusIndex) -> BusIndex? {
    if let child = self[bus].firstChild { return child }
    var bus = bus
    while bus != top {
      if let sibling = self[bus].nextSibling { return sibling }
      guard let parent = self[bus].parent else { return nil }
      bus = parent
    }
    return nil
  }

  /// The totals of a bus by the present totals of its parent.
  private func totals(of bus: BusIndex) -> BusTotals {
    var totals = BusTotals()
    if let parent = self[bus].parent { totals = self[parent].totals }
    let ownGain = self[bus].ownGain
    totals.pathGain *= ownGain
    totals.pauseGain *= self[bus].pauseLevel
    if bus == .main {
      totals.innerGain = mainGains.sources
      totals.sourcePathGain = totals.innerGain * totals.pauseGain
    } else if let stem = self[bus].stem {
      (totals.stem, totals.faderGain) = (stem, totals.innerGain * self[bus].faderGain)
      (totals.innerGain, totals.sourcePathGain) = (1, totals.pauseGain)
    } else {
      totals.innerGain *= self[bus].faderGain
      totals.sourcePathGain *= ownGain
    }
    totals.isInSolo = totals.isInSolo || self[bus].isSoloed
    let isSilenced = soloedCount > 0 && !totals.isInSolo
    totals.gain = isSilenced ? 0 : totals.pathGain
    totals.sourceGain = isSilenced ? 0 : totals.sourcePathGain
    totals.pitch *= self[bus].pitch
    totals.low += self[bus].filter.low.rawValue
    totals.high += self[bus].filter.high.rawValue
    totals.isPaused = totals.isPaused || self[bus].isHalted
    if !self[bus].sends.isEmpty { for send in self[bus].sends { totals.sends.join(send) } }
    let old = self[bus].totals
    totals.sendsVersion = totals.sends == old.sends ? old.sendsVersion : old.sendsVersion + 1
    return totals
  }
}

// MARK: - Paths

extension BusTree {
  /// The indices of a bus and of the buses above it, up to the main bus.
  func path(from bus: BusIndex) -> [BusIndex] {
    var path = [bus]
    while let parent = self[path[path.count - 1]].parent { path.append(parent) }
    return path
  }

  /// Whether a bus is the other bus or lies inside it.
  func isBus(_ bus: BusIndex, inside other: BusIndex) -> Bool {
    var bus = bus
    while bus != other {
      guard let parent = self[bus].parent else { return false }
      bus = parent
    }
    return true
  }

  /// Whether two buses have sounds in common: one lies inside the other.
  private func overlap(_ bus: BusIndex, _ other: BusIndex) -> Bool {
    isBus(bus, inside: other) || isBus(other, inside: bus)
  }

  /// Whether a ducker would depend on its own effect: its trigger is itself lowered by its target, also through others.
  ///
  /// A ducker that is retired no longer follows its trigger.
  func isCycle(_ target: BusIndex, under trigger: BusIndex, beside duckers: [Ducker]) -> Bool {
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
