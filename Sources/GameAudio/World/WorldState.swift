internal import AudioSupport
internal import PCM
internal import Spatial3D

/// The emitters, the voices and the buses of a world.
///
/// One thread at a time uses the state, under the world's lock. It never calls OpenAL: calls are appended to
/// ``commands``, and the world carries them out without the lock.
struct WorldState: Sendable {
  /// The number of voices that emitters have; the pool has eight more, for those that fall silent.
  let voiceLimit: Int
  /// Whether a tick ends a mix exactly at its frame.
  let mixesByFrames: Bool
  /// The context, for the delivery of events; no call of it that takes its lock is made here.
  let context: AudioContext
  var physics: MixPhysics
  var listener = Listener()
  var isListenerChanged = false

  var columns = EmitterColumns()
  var records: [EmitterRecord] = []
  var rare: [RareSettings] = []
  var freeSlots: [Int32] = []
  var freeRare: [Int32] = []
  var sounds = SoundTable()
  var buses: [BusRecord] = [BusRecord(name: "main", parent: nil)]
  var voices: [Voice]
  var fades: [RunningFade] = []

  var commands: [VoiceCommand] = []
  var nextCommandIndex = 0
  var jobs: [SoundTable.Job] = []
  var diagnostics: [Diagnostic] = []
  /// Whether a thread carries out commands.
  var isCarryingOut = false

  /// The number of updates that are open, and of ticks that waited for them.
  var openUpdates = 0
  var waitedTicks = 0
  var ticks = 0
  /// The number of emitters that play, fade out or wait for their sound.
  var activeCount = 0
  /// Whether the device pauses sources when its output is lost: the world plays its own on.
  var revivesVoices = false
  var lastOrder: UInt32 = 0
  var lastSendsVersion = 0
  /// The slots of emitters that a limit keeps virtual, in the order of their beginnings.
  var held: [Int32] = []
  var lastUse = 0
  var nextEnd = Int.max
  /// The slots of emitters whose pitch has changed.
  var changedPitches: [Int32] = []
  /// The slots of emitters with events, with a leader, and with a derived velocity.
  var observed: [Int32] = []
  var followers: [Int32] = []
  var deriving: [Int32] = []
  var derivedAt = 0
  var choice = VoiceChoice()
  var selection = BoundSelection()
  /// The largest score that each emitter can have, for the present choice.
  var bounds: [Float] = []
  var statistics = VoiceStatistics()
  /// The events for ``AudioWorld/takeEvents(into:)``; `nil` before its first call.
  var collected: [EmitterNotification]?
  var hasReportedEssentials = false
  /// The number of emitters that end where they find no voice.
  var stoppingCount = 0
  /// The next slot whose frequency is computed while it is virtual.
  var nextShift = 0

  init(voiceLimit: Int, poolSize: Int, mixesByFrames: Bool, context: AudioContext, physics: MixPhysics) {
    self.voiceLimit = voiceLimit
    self.mixesByFrames = mixesByFrames
    self.context = context
    self.physics = physics
    voices = Array(repeating: Voice(), count: poolSize)
    commands.reserveCapacity(2 * poolSize)
  }

  /// The frame of the mix, as read last.
  var now: Int { physics.frame }

  func frames(in duration: Duration) -> Int { PCMFormat.mono(sampleRate: physics.sampleRate).frameCount(in: duration) }

  /// Adopts the time of the mix, and the changes of the context that the laws and the clocks depend on.
  mutating func adopt(_ physics: MixPhysics) {
    let old = self.physics
    self.physics = physics
    // Another thread may have read the time later, and adopted it earlier.
    let isSlightlyEarlier = physics.frame < old.frame && old.frame - physics.frame < physics.sampleRate
    if isSlightlyEarlier, physics.sampleRate == old.sampleRate { self.physics.frame = old.frame }
    if physics.distanceModel != old.distanceModel {
      for slot in records.indices where records[slot].isUsed {
        setLaw(of: slot)
        updateWeight(of: slot)
      }
    }
    if physics.sampleRate != old.sampleRate { adoptRate(after: old) }
  }

  /// Counts in the frames of another rate, which the output has since now.
  private mutating func adoptRate(after old: MixPhysics) {
    let ratio = Double(physics.sampleRate) / Double(max(old.sampleRate, 1))
    // The time of the mix goes on over the change.
    let last = Int((Double(now) / ratio).rounded())
    func converted(_ frame: Int) -> Int { now + Int((Double(frame - last) * ratio).rounded()) }
    for slot in records.indices where records[slot].isUsed {
      let begin = max(last, records[slot].began)
      records[slot].clock.rebase(from: begin, to: converted(begin))
      records[slot].began = converted(records[slot].began)
      records[slot].switched = converted(records[slot].switched)
      if records[slot].isSounding, records[slot].voice >= 0 || !records[slot].behavior.stands {
        records[slot].clock.setStep(step(of: slot), at: max(now, records[slot].began))
      }
      updateEnd(of: slot)
    }
    fades = fades.map { $0.rebased(to: converted($0.begin)) }
    for index in voices.indices {
      switch voices[index].state {
      case .fading(let since): voices[index].state = .fading(since: converted(since))
      case .stopped(let frame): voices[index].state = .stopped(at: min(converted(frame), now))
      default: break
      }
    }
    derivedAt = now
    nextEnd = columns.nextEnd(after: Int.min)
    for index in sounds.entries.indices { sounds[index].lastBegin = sounds[index].lastBegin.map(converted) }
    for index in buses.indices { buses[index].lastBegin = buses[index].lastBegin.map(converted) }
  }

  func frames(ofMilliseconds count: Int) -> Int { physics.sampleRate * count / 1_000 }

  func time(ofFrames count: Int) -> Duration {
    PCMFormat.mono(sampleRate: physics.sampleRate).duration(ofFrames: count)
  }
}

// MARK: - Emitters

extension WorldState {
  /// Adds an emitter; returns its slot and generation.
  mutating func add(_ sound: Sound, isPlaced: Bool, bus: Int) -> Emitter.ID {
    let slot: Int
    if let free = freeSlots.popLast() {
      slot = Int(free)
    } else {
      slot = records.count
      if slot == records.capacity { records.reserveCapacity(slot + max(slot / 16, 64)) }
      records.append(EmitterRecord())
      columns.append()
    }
    let generation = records[slot].generation &+ 1
    records[slot] = EmitterRecord()
    records[slot].generation = generation
    records[slot].isUsed = true
    records[slot].isPlaced = isPlaced
    records[slot].bus = Int32(bus)
    columns.setPosition(.zero, of: slot)
    columns.setWeight(0, of: slot)
    columns.setEnd(.max, of: slot)
    let (index, job) = sounds.add(sound, isPlaced: isPlaced)
    records[slot].sound = Int32(index)
    if let job { jobs.append(job) }
    setLaw(of: slot)
    return Emitter.ID(slot: Int32(slot), generation: generation)
  }

  /// Whether an emitter still has its slot.
  func has(_ id: Emitter.ID) -> Bool {
    records[Int(id.slot)].generation == id.generation && records[Int(id.slot)].isUsed
  }

  /// Copies the law of distance of an emitter's sound into the columns.
  mutating func setLaw(of slot: Int) {
    guard records[slot].isPlaced else {
      let flat = DistanceAttenuation(rolloffFactor: 0)
      return columns.setLaw(flat, isInverseClamped: true, silentBeyond: .infinity, of: slot)
    }
    let sound = sounds[Int(records[slot].sound)]
    let isInverse = (sound.law.model ?? physics.distanceModel) == .inverseClamped
    columns.setLaw(sound.law, isInverseClamped: isInverse, silentBeyond: sound.silentBeyond, of: slot)
  }

  /// The program has released an emitter: it fades out, and its slot becomes free.
  mutating func release(_ id: Emitter.ID) {
    guard has(id) else { return }
    let slot = Int(id.slot)
    records[slot].hasHandle = false
    if records[slot].status == .idle { return removeSlot(slot) }
    if records[slot].isOnce, records[slot].status != .paused, records[slot].status != .pausing { return }
    if records[slot].status == .paused || !isHeard(slot) { return end(slot, .stopped) }
    stop(slot, .declick)
  }

  /// Frees a slot whose emitter is idle.
  mutating func removeSlot(_ slot: Int) {
    sounds.removeUser(of: Int(records[slot].sound))
    if records[slot].behavior == .stop { stoppingCount -= 1 }
    if let index = rareIndex(slot) {
      for subscription in rare[index].subscriptions { subscription.finish(in: context) }
      rare[index] = RareSettings()
      freeRare.append(Int32(index))
    }
    fades.removeAll { $0.slot == slot }
    observed.removeAll { $0 == slot }
    followers.removeAll { $0 == slot }
    deriving.removeAll { $0 == slot }
    records[slot].isUsed = false
    columns.setWeight(0, of: slot)
    freeSlots.append(Int32(slot))
  }

  private func rareIndex(_ slot: Int) -> Int? { records[slot].rare < 0 ? nil : Int(records[slot].rare) }

  /// The rare settings of an emitter, or the defaults.
  func rareSettings(of slot: Int) -> RareSettings { rareIndex(slot).map { rare[$0] } ?? RareSettings() }

  /// Reads one of the rare settings.
  func rare<Value>(_ slot: Int, _ path: KeyPath<RareSettings, Value>) -> Value {
    rareIndex(slot).map { rare[$0][keyPath: path] } ?? RareSettings()[keyPath: path]
  }

  /// Changes the rare settings of an emitter.
  mutating func changeRare(_ slot: Int, _ body: (inout RareSettings) -> Void) {
    if records[slot].rare < 0 {
      let index = freeRare.popLast() ?? Int32(rare.count)
      if index == rare.count { rare.append(RareSettings()) }
      records[slot].rare = index
    }
    body(&rare[Int(records[slot].rare)])
  }

  /// Whether a source of the emitter is audible.
  func isHeard(_ slot: Int) -> Bool {
    let voice = Int(records[slot].voice)
    return voice >= 0 && voices[voice].state == .sounding
  }
}

// MARK: - Buses

extension WorldState {
  /// The indices of a bus and of those above it, up to the root.
  func path(from bus: Int) -> [Int] {
    var path = [bus]
    while let parent = buses[path[path.count - 1]].parent { path.append(parent) }
    return path
  }

  var hasBusLimits: Bool { buses.contains { $0.limit != nil } }

  /// Returns the index of a bus, and adds it if there is none of that name.
  mutating func bus(_ name: String, in parent: Int) -> Int {
    if let index = buses.firstIndex(where: { $0.name == name }) { return index }
    buses.append(BusRecord(name: name, parent: parent))
    buses.updateTotals()
    return buses.count - 1
  }

  /// Lets the next tick adopt the pitch of an emitter.
  mutating func notePitch(of slot: Int) {
    guard records[slot].isSounding, !records[slot].isPitchChanged else { return }
    records[slot].isPitchChanged = true
    changedPitches.append(Int32(slot))
  }

  /// Changes the values of a bus.
  mutating func changeBus(_ index: Int, _ body: (inout BusRecord) -> Void) {
    body(&buses[index])
    guard buses.updateTotals() else { return }
    for slot in records.indices where records[slot].isUsed && buses[Int(records[slot].bus)].isChanged {
      updateWeight(of: slot)
      notePitch(of: slot)
    }
  }
}
