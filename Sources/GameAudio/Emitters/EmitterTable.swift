internal import Spatial3D

/// The emitters and players of a world: a record for each slot, and the columns that every choice reads.
struct EmitterTable: Sendable {
  private(set) var columns = EmitterColumns()
  private(set) var records: [EmitterRecord] = []
  /// The rare settings; the first are the defaults, which emitters without settings of their own share.
  private(set) var settings: [RareSettings] = [RareSettings()]
  private(set) var freeSlots: [EmitterSlot] = []
  private(set) var freeSettings: [Int32] = []
  /// The number of emitters that play, fade out or wait for their sound.
  private(set) var activeCount = 0
  /// The number of emitters that end where they find no voice.
  private(set) var stoppingCount = 0
  var lastOrder: UInt32 = 0
  /// The number of the emitter or player that was made last.
  private(set) var lastNumber: UInt32 = 0
  /// The number of the last change of the sends of an emitter.
  private(set) var lastSendsVersion = 0
  /// A frame up to which no sound ends.
  private(set) var nextEnd = Int.max
  /// The slots of emitters whose pitch has changed.
  private(set) var changedPitches: [EmitterSlot] = []
  /// The slots of emitters with events.
  private(set) var observed = SlotList()
  /// The slots of emitters that follow another emitter.
  private(set) var followers = SlotList()
  /// The slots of emitters whose velocity is derived from their positions.
  private(set) var deriving = SlotList()
  /// The frame at which velocities were derived last.
  var derivedAt = 0
  /// The next slot whose frequency is computed while it is virtual.
  var nextShift: EmitterSlot = 0

  var count: Int { records.count }
  var indices: some RandomAccessCollection<EmitterSlot> { (0..<records.count).lazy.map { EmitterSlot($0) } }

  subscript(slot: EmitterSlot) -> EmitterRecord {
    // Inlined, so that a use of a field copies no record. `PlayerTable` has the reason why this is no `_read`.
    @inline(__always) get { records[slot.position] }
  }
}

// MARK: - Changes

extension EmitterTable {
  /// Changes values of an emitter; its end and the number of active emitters stay.
  ///
  /// ``modify(_:_:)`` changes the state, the voice, the virtual behavior and the clock. The weight follows from further
  /// values, such as the gain: the caller then updates the weight.
  @inline(__always)
  mutating func store(_ slot: EmitterSlot, _ body: (inout EmitterRecord) -> Void) {
    // One access of the array: each asks whether a copy of the world shares it.
    records[slot.position].change(body)
  }

  /// Stores the pitch, which the next tick applies.
  @inline(__always)
  mutating func setPitch(_ pitch: Float, of slot: EmitterSlot) {
    if records[slot.position].setPitch(pitch) { changedPitches.append(slot) }
  }

  /// Changes an emitter, then its end and the number of active emitters.
  @inline(__always)
  mutating func modify(_ slot: EmitterSlot, _ body: (inout EmitterRecord) -> Void) {
    activeCount += records[slot.position].changeActivity(body)
    updateEnd(of: slot)
  }

  /// Stores the factor of the frequency by motion, which the source does not get.
  mutating func setShift(_ shift: Float, of slot: EmitterSlot) { records[slot.position].shift = shift }

  /// Changes the step of the clock, which the source does not get.
  mutating func setStep(_ step: Double, at frame: Int, of slot: EmitterSlot) {
    records[slot.position].clock.setStep(step, at: frame)
    updateEnd(of: slot)
  }

  /// The source of the voice has the present values.
  mutating func setValuesKnown(of slot: EmitterSlot) { records[slot.position].hasNewValues = false }

  /// Stores the frame at which the sound of an emitter will be over.
  private mutating func updateEnd(of slot: EmitterSlot) {
    setEnd(records[slot.position].isRunning ? records[slot.position].clock.end ?? .max : .max, of: slot)
  }

  /// Whether an emitter plays without a voice, and no limit keeps it virtual; no record is copied.
  @inline(__always)
  func isWaitingForVoice(_ slot: EmitterSlot) -> Bool { records[slot.position].isWaitingForVoice }

  /// Stores the largest score that an emitter can have at its reference distance; 0 if it waits for no voice.
  mutating func updateWeight(of slot: EmitterSlot, _ sound: SoundPeak?) {
    // The record is copied only for an emitter that waits.
    guard isWaitingForVoice(slot), let sound else { return setWeight(0, of: slot) }
    let record = records[slot.position]
    // The loudness of a player leaves its fades out, too.
    let fade = record.isPlayer ? 1 : record.fade
    var factor = drawn(slot).gain * fade * record.copyGain * sound.curve * sound.envelope * record.priority.factor
    if record.hasRareSettings, !self[rare: slot].sends.isEmpty {
      factor *= (1 + self[rare: slot].sends.reduce(0) { $0 + $1.gain * $1.gain }).squareRoot()
    }
    // The unclamped laws have no largest gain.
    if factor > 0, !sound.isBounded { factor = .infinity }
    records[slot.position].weightFactor = factor
    setWeight(records[slot.position].weight, of: slot)
  }

  /// Stores the gain, and the weight of an emitter that waits for a voice; any other emitter has a weight of 0.
  ///
  /// The end and the counts of the limits do not follow from the gain.
  @inline(__always)
  mutating func setGain(_ gain: Float, of slot: EmitterSlot) {
    store(slot) { $0.gain = gain }
    if isWaitingForVoice(slot) { setWeight(records[slot.position].weight, of: slot) }
  }

  /// Counts an emitter for the limits, or no longer; returns the change of the counts.
  mutating func updateCount(of slot: EmitterSlot, isBusPaused: Bool) -> Int {
    let counts = records[slot.position].counts && !isBusPaused
    guard counts != records[slot.position].isCounted else { return 0 }
    records[slot.position].limitState = counts ? .counted : .uncounted
    return counts ? 1 : -1
  }
}

// MARK: - Slots

extension EmitterTable {
  /// Adds an emitter without a sound; returns its slot and generation.
  mutating func add(hasPosition: Bool, bus: BusIndex, isDirect: Bool) -> EmitterKey {
    let slot: EmitterSlot
    if let free = freeSlots.popLast() {
      slot = free
    } else {
      slot = EmitterSlot(count)
      // The records grow like the columns.
      if count == records.capacity { records.reserveCapacity(count + max(count / 16, 64)) }
      records.append(EmitterRecord())
      columns.append()
    }
    lastNumber &+= 1
    var record = EmitterRecord()
    record.generation = lastNumber
    record.occupant = .emitter
    record.placement = EmitterRecord.Placement(hasPosition: hasPosition, isBusDirect: isDirect)
    records[slot.position] = record
    columns.setBus(bus, of: slot)
    columns.setPosition(.zero, of: slot)
    columns.setWeight(0, of: slot)
    columns.setEnd(.max, of: slot)
    return EmitterKey(slot: slot, number: lastNumber)
  }

  /// Frees the slot of an idle emitter, and its rare settings.
  mutating func remove(_ slot: EmitterSlot) {
    if records[slot.position].behavior == .stop { stoppingCount -= 1 }
    if records[slot.position].hasRareSettings {
      settings[Int(records[slot.position].rare)] = RareSettings()
      freeSettings.append(records[slot.position].rare)
    }
    observed.remove(slot)
    followers.remove(slot)
    deriving.remove(slot)
    records[slot.position].occupant = .free
    columns.setWeight(0, of: slot)
    freeSlots.append(slot)
  }

  /// Whether an emitter still has its slot.
  func has(_ id: EmitterKey) -> Bool {
    records[id.slot.position].generation == id.number && records[id.slot.position].isUsed
  }

  func id(of slot: EmitterSlot) -> EmitterKey {
    EmitterKey(slot: slot, number: records[slot.position].generation)
  }

  /// The position of an emitter in the order of the beginnings: 0 for the newest beginning, negative before it.
  ///
  /// The number of beginnings wraps around; the distance to the newest beginning does not.
  func order(of slot: EmitterSlot) -> Int { -Int(lastOrder &- records[slot.position].order) }

  /// Makes the beginning of an emitter the newest.
  mutating func setNewest(_ slot: EmitterSlot) {
    lastOrder &+= 1
    records[slot.position].order = lastOrder
  }
}

// MARK: - Rare settings

extension EmitterTable {
  /// The rare settings of an emitter, or the defaults; a change makes settings of its own.
  subscript(rare slot: EmitterSlot) -> RareSettings {
    // Inlined, so that a use of a field copies no settings, whose references would be counted. A second `yield` of the
    // change would keep the compiler from inlining it, and it would allocate memory.
    @inline(__always) get { settings[Int(records[slot.position].rare)] }
    @inline(__always) _modify {
      if records[slot.position].rare == 0 { addSettings(of: slot) }
      // A read asks no one whether the array is shared.
      if !records[slot.position].hasNewValues { records[slot.position].hasNewValues = true }
      yield &settings[Int(records[slot.position].rare)]
    }
  }

  private mutating func addSettings(of slot: EmitterSlot) {
    let index = freeSettings.popLast() ?? Int32(settings.count)
    if index == settings.count { settings.append(RareSettings()) }
    records[slot.position].rare = index
  }

  /// Changes the rare settings of an emitter.
  @inline(__always)
  mutating func changeRare(_ slot: EmitterSlot, _ body: (inout RareSettings) -> Void) { body(&self[rare: slot]) }

  /// Changes the sends of an emitter, with the next number of a change.
  @inline(__always)
  mutating func changeSends(of slot: EmitterSlot, _ body: (inout [VoiceSend]) -> Void) {
    lastSendsVersion += 1
    body(&self[rare: slot].sends)
    self[rare: slot].sendsVersion = lastSendsVersion
  }

  /// Lets the numbers of later changes of sends follow a number.
  mutating func setSendsVersion(atLeast version: Int) { lastSendsVersion = max(lastSendsVersion, version) }

  /// The factors of the amplitude and of the frequency that the last play has drawn.
  func drawn(_ slot: EmitterSlot) -> (gain: Float, pitch: Float) {
    let index = Int(records[slot.position].rare)
    return (settings[index].variation, settings[index].bend)
  }

  /// The index of an emitter's sound in the table of sounds, and the index of the family of a sound with variations.
  func use(of slot: EmitterSlot) -> SoundTable.Use {
    SoundTable.Use(index: records[slot.position].sound, family: self[rare: slot].family)
  }

  /// Stores the values that a play has drawn.
  mutating func setDraw(_ draw: SoundFamily.Draw, of slot: EmitterSlot) {
    setUse(SoundTable.Use(index: draw.index), of: slot)
    changeRare(slot) { ($0.variation, $0.bend) = (draw.gain, draw.pitch) }
  }

  mutating func setUse(_ use: SoundTable.Use, of slot: EmitterSlot) {
    records[slot.position].sound = use.index
    records[slot.position].hasNewValues = true
    if let family = use.family { changeRare(slot) { $0.family = family } }
  }
}

// MARK: - Columns

extension EmitterTable {
  func position(of slot: EmitterSlot) -> SIMD3<Float> { columns.position(of: slot) }

  @inline(__always)
  mutating func setPosition(_ position: SIMD3<Float>, of slot: EmitterSlot) { columns.setPosition(position, of: slot) }

  /// Stores many positions; those that are not finite, and those without a slot, are left out.
  @inline(__always)
  mutating func move(_ count: Int, _ next: (Int) -> (slot: EmitterSlot?, position: SIMD3<Float>)) -> MoveFaults {
    columns.move(count, next)
  }

  /// Stores many positions like ``move(_:_:)``, and calls a closure with each position that has changed.
  @inline(__always)
  mutating func move(
    _ count: Int,
    _ next: (Int) -> (slot: EmitterSlot?, position: SIMD3<Float>),
    changed: (Int, SIMD3<Float>) -> Void
  ) -> MoveFaults {
    columns.move(count, next, changed: changed)
  }

  func bus(of slot: EmitterSlot) -> BusIndex { columns.bus[slot.position] }

  /// The largest score of an emitter at its reference distance; 0 for an emitter that no choice considers.
  func weight(of slot: EmitterSlot) -> Float { columns.weight[slot.position] }

  /// The distance from which on the sound of an emitter is silent.
  func reach(of slot: EmitterSlot) -> Float { columns.reach[slot.position] }

  /// The frame of the mix at which the sound of an emitter is over; `Int.max` for none.
  func end(of slot: EmitterSlot) -> Int { columns.end[slot.position] }

  /// Moves an emitter to another bus.
  mutating func setBus(_ bus: BusIndex, isDirect: Bool, of slot: EmitterSlot) {
    columns.setBus(bus, of: slot)
    let hasPosition = records[slot.position].hasPosition
    records[slot.position].placement = EmitterRecord.Placement(hasPosition: hasPosition, isBusDirect: isDirect)
    records[slot.position].hasNewValues = true
  }

  /// Copies the law of distance of an emitter's sound into the columns.
  mutating func setLaw(of sound: SoundEntry, in model: DistanceModel, _ slot: EmitterSlot) {
    records[slot.position].hasNewValues = true
    guard records[slot.position].isPlaced else {
      let flat = DistanceAttenuation(rolloffFactor: 0)
      return columns.setLaw(flat, isInverseClamped: true, silentBeyond: .infinity, of: slot)
    }
    let isInverse = sound.boundModel(in: model) == .inverseClamped
    columns.setLaw(sound.bound, isInverseClamped: isInverse, silentBeyond: sound.silentBeyond, of: slot)
  }

  mutating func setWeight(_ weight: Float, of slot: EmitterSlot) { columns.setWeight(weight, of: slot) }

  mutating func setEnd(_ end: Int, of slot: EmitterSlot) {
    columns.setEnd(end, of: slot)
    nextEnd = min(nextEnd, end)
  }

  /// Computes the earliest end after a frame of the mix again.
  mutating func updateNextEnd(after frame: Int) { nextEnd = columns.nextEnd(after: frame) }
}

// MARK: - Lists of slots

extension EmitterTable {
  mutating func setObserved(_ isObserved: Bool, _ slot: EmitterSlot) { observed.set(slot, isObserved) }
  mutating func setFollowing(_ slot: EmitterSlot) { followers.insert(slot) }

  /// Derives the velocity of an emitter from its positions, or no longer.
  mutating func setDerivesVelocity(_ derives: Bool, of slot: EmitterSlot) { deriving.set(slot, derives) }
  func derivesVelocity(of slot: EmitterSlot) -> Bool { deriving.contains(slot) }

  mutating func setBehavior(_ behavior: VirtualBehavior, of slot: EmitterSlot) {
    if records[slot.position].behavior == .stop { stoppingCount -= 1 }
    if behavior == .stop { stoppingCount += 1 }
    modify(slot) { $0.behavior = behavior }
  }

  /// Lets the next tick apply the pitch of an emitter.
  mutating func markPitch(of slot: EmitterSlot) {
    if records[slot.position].markPitch() { changedPitches.append(slot) }
  }

  /// Forgets the changes of pitches, which a tick has applied.
  mutating func forgetChangedPitches() {
    for slot in changedPitches { records[slot.position].isPitchChanged = false }
    changedPitches.removeAll(keepingCapacity: true)
  }
}

// MARK: - Observers

extension EmitterTable {
  /// Adds an observer of an emitter, which receives the laps from a frame of the mix on.
  mutating func subscribe(_ subscription: Subscription<EmitterEvent>, to slot: EmitterSlot, at frame: Int) {
    changeRare(slot) { $0.observers.add(subscription) }
    setObserved(true, slot)
    records[slot.position].laps = Int32(clamping: records[slot.position].clock.laps(at: frame))
  }

  mutating func unsubscribe(_ subscription: Subscription<EmitterEvent>, from id: EmitterKey) {
    // A task that waits for the next tick alone is no observer.
    guard has(id), records[id.slot.position].hasRareSettings else { return }
    changeRare(id.slot) { $0.observers.remove(subscription) }
    if self[rare: id.slot].observers.isEmpty { setObserved(false, id.slot) }
  }

  /// Moves the laps since the last call out, up to a frame of the mix; `nil` for none.
  mutating func takeLaps(of slot: EmitterSlot, at frame: Int) -> Int? {
    guard records[slot.position].isSounding else { return nil }
    let laps = Int32(clamping: records[slot.position].clock.laps(at: frame))
    let count = laps - records[slot.position].laps
    guard count > 0 else { return nil }
    records[slot.position].laps = laps
    return Int(count)
  }
}

extension EmitterTable: RateConvertible {
  /// Converts the frames of all emitters; the caller sets the steps of the clocks and the ends again.
  mutating func convertFrames(_ conversion: FrameConversion) {
    for index in records.indices where records[index].isUsed {
      let began = records[index].began
      let begin = max(conversion.oldPresent, began)
      records[index].clock.rebase(from: begin, to: conversion.converted(begin))
      records[index].began = conversion.converted(began)
      conversion.convert(&records[index].switched)
    }
    derivedAt = conversion.present
  }
}
