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
  /// The largest number of streams that play at a time; the streams of players come first.
  var streamLimit = 16
  /// Whether a tick ends a mix exactly at its frame.
  let mixesByFrames: Bool
  /// Whether a sound starts at its frame from every position.
  let startsExactly: Bool
  /// The context, for the delivery of events; no call of it that takes its lock is made here.
  let context: AudioContext
  var physics: MixPhysics
  var listener = Listener()
  var isListenerChanged = false
  var ears = ListenerState()

  var columns = EmitterColumns()
  var records: [EmitterRecord] = []
  var rare: [RareSettings] = []
  var freeSlots: [Int32] = []
  var freeRare: [Int32] = []
  var sounds = SoundTable()
  var buses: [BusRecord] = [BusRecord(name: "main", parent: nil)]
  /// The buses by their names, and how many of them are soloed.
  var busIndices = ["main": 0]
  var soloedBusCount = 0
  /// The bound of each bus, for the choice.
  var busBounds: [Float] = [1]
  var busFades = KeyedList<BusFade.Key, BusFade>()
  var duckers: [Ducker] = []
  /// The power of each bus at the last tick, while there are duckers.
  var busPowers: [Float] = []
  /// The frame up to which the duckers have moved.
  var duckedUntil = 0
  /// The reasons for which sessions suspend the context, whether an interruption holds, whether a sound that began in
  /// it was reported, and whether another program plays music.
  var sessionReasons: Set<SuspensionReason> = []
  var isInterrupted = false
  var hasReportedInterruption = false
  var isOtherAudioPlaying = false
  /// Whether a session was followed, which may have suspended the context.
  var hasFollowedSession = false
  var voices: [Voice]
  var fades = KeyedList<RunningFade.Key, RunningFade>()
  /// The fades that are over, while their completions run.
  var finishedFades: [RunningFade.Key] = []
  var decks: [DeckRecord] = []
  /// Whether the output is a pair of loudspeakers: the power of mono sounds and the pan of players depend on it.
  var hasTwoLoudspeakers = true
  /// The tasks that have waited for their player to be prepared.
  var prepared: [CheckedContinuation<Void, Never>] = []

  var commands: [VoiceCommand] = []
  /// An empty array with room, while no thread carries out commands.
  var spareCommands: [VoiceCommand] = []
  var jobs: [SoundTable.Job] = []
  var diagnostics: [Diagnostic] = []
  /// The events that observers have still to receive.
  var announcements = Announcements()
  /// The subjects that were reported once.
  var reported: Set<ReportKey> = []
  var hasReportedRelease = false
  /// The latest reports of sounds that could not be loaded or are cut, and of loop ranges beyond their sounds.
  var soundReports = RecentReports()
  /// Whether a thread carries out commands, and how often one has begun to.
  var isCarryingOut = false
  var lastTurn = 0

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
  var held: [Held] = []
  /// Whether one of them may have a voice now, or has ended.
  var hasRoom = false
  /// The beginnings of the last 50 ms of emitters whose loudness is compensated, and whether the last tick missed one.
  var beginnings: [Beginning] = []
  /// The starts of such emitters that lie ahead.
  var plannedBeginnings: [Beginning] = []
  var isCrowdLarger = false
  var lastUse = 0
  var nextEnd = Int.max
  /// The slots of emitters whose pitch has changed.
  var changedPitches: [Int32] = []
  /// The slots of emitters with events, with a leader, and with a derived velocity.
  var observed = SlotList()
  var followers = SlotList()
  var deriving = SlotList()
  var derivedAt = 0
  var choice = VoiceChoice()
  var selection = BoundSelection()
  var space = ZoneState()
  var rays = RayState()
  var portals = PortalState()
  /// The largest score that each emitter can have, for the present choice.
  var bounds: [Float] = []
  var statistics = VoiceStatistics()
  /// The events for ``AudioWorld/takeEvents(into:)``; `nil` before its first call.
  var collected: [EmitterNotification]?
  var hasReportedEssentials = false
  /// The number of emitters that end where they find no voice.
  var stoppingCount = 0
  /// The random numbers of the variations, and the number that they follow from.
  var seed: UInt64 = 0
  var random = RandomSequence(seed: 0)
  /// The banks of the world, and the frame of the last tick.
  var banks: [Int: BankRecord] = [:]
  var lastTick = 0
  /// The next slot whose frequency is computed while it is virtual.
  var nextShift = 0
  /// The number of the emitter or player that was made last.
  var lastNumber: UInt32 = 0
  /// The clocks of beats by their numbers, as their values at a time of the mix, and the number of the newest one.
  var clocks: [Int: @Sendable (Duration) -> WorldSnapshot.Clock] = [:]
  var lastClock = 0
  /// The parts of a snapshot beside the state; `nil` in a state that is no copy for one.
  var snapshotMoment: SnapshotMoment?
  /// The recordings that run, and whether there is one.
  var logs: [CallLog] = []
  var isRecording = false
  /// The moment at which the present call or tick came, while something records.
  var moment = MixMoment()
  /// The frame up to which the ticks of a replayed recording replace the ticks of the context.
  var replayedUntil = -1

  init(voiceLimit: Int, poolSize: Int, mixesByFrames: Bool, context: AudioContext, physics: MixPhysics) {
    self.voiceLimit = voiceLimit
    self.mixesByFrames = mixesByFrames
    startsExactly = mixesByFrames || context.capabilities.contains(.startDelay)
    self.context = context
    self.physics = physics
    voices = Array(repeating: Voice(), count: poolSize)
    commands.reserveCapacity(2 * poolSize)
    spareCommands.reserveCapacity(2 * poolSize)
  }

  /// The frame of the mix, as read last.
  var now: Int { physics.frame }

  func frames(in duration: Duration) -> Int { PCMFormat.mono(sampleRate: physics.sampleRate).frameCount(in: duration) }

  /// Takes over the time of the mix, and the changes of the context that the laws and the clocks depend on.
  mutating func adopt(_ physics: MixPhysics) {
    let old = self.physics
    self.physics = physics
    moment = physics.moment
    // Another thread may have read the time later, and stored it earlier.
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
    let now = now
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
    fades.update { $0.begin = converted($0.begin) }
    for index in beginnings.indices { beginnings[index].frame = converted(beginnings[index].frame) }
    for index in plannedBeginnings.indices {
      plannedBeginnings[index].frame = converted(plannedBeginnings[index].frame)
    }
    busFades.update { $0.begin = converted($0.begin) }
    duckedUntil = converted(duckedUntil)
    for index in voices.indices {
      switch voices[index].state {
      case .fading(let since, let steps): voices[index].state = .fading(since: converted(since), steps: steps)
      case .stopped(let frame): voices[index].state = .stopped(at: min(converted(frame), now))
      default: break
      }
    }
    for index in voices.indices {
      voices[index].begin = converted(voices[index].begin)
      voices[index].lateSince = voices[index].lateSince.map(converted)
    }
    for index in decks.indices { decks[index].deck?.convertFrames(converted) }
    space.pool.convertFrames(converted)
    rays.movedUntil = now
    derivedAt = now
    lastTick = now
    nextEnd = columns.nextEnd(after: Int.min)
    sounds.changeBeginnings(converted)
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
    lastNumber &+= 1
    let generation = lastNumber
    records[slot] = EmitterRecord()
    records[slot].generation = generation
    records[slot].isUsed = true
    records[slot].hasPlace = isPlaced
    records[slot].isPlaced = isPlaced && !buses[bus].isDirect
    columns.setBus(bus, of: slot)
    columns.setPosition(.zero, of: slot)
    columns.setWeight(0, of: slot)
    columns.setEnd(.max, of: slot)
    if slot < portals.paths.count { portals.paths[slot] = PortalState.EmitterPath() }
    let (use, jobs) = sounds.add(sound, isPlaced: records[slot].isPlaced)
    setUse(use, of: slot)
    self.jobs += jobs
    setLaw(of: slot)
    return Emitter.ID(slot: Int32(slot), generation: generation)
  }

  /// The position of an emitter in the order of the beginnings: 0 for the newest beginning, negative before it.
  ///
  /// The number of beginnings wraps around; the distance to the newest beginning does not.
  func order(of slot: Int) -> Int { -Int(lastOrder &- records[slot].order) }

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
    let isInverse = sound.boundModel(in: physics.distanceModel) == .inverseClamped
    columns.setLaw(sound.bound, isInverseClamped: isInverse, silentBeyond: sound.silentBeyond, of: slot)
  }

  /// The program has released an emitter: it fades out, and its slot becomes free.
  mutating func release(_ id: Emitter.ID) {
    guard has(id) else { return }
    note(.release(id))
    let slot = Int(id.slot)
    records[slot].hasHandle = false
    if records[slot].status == .idle { return removeSlot(slot) }
    reportRelease(of: slot)
    if records[slot].isOnce, records[slot].status != .paused, records[slot].status != .pausing { return }
    if records[slot].status == .paused || !isHeard(slot) { return end(slot, .stopped) }
    stop(slot, .declick)
  }

  /// Reports once that an emitter was released before a mix, unless it was audible before or starts later.
  private mutating func reportRelease(of slot: Int) {
    let record = records[slot]
    guard !hasReportedRelease, !record.isOnce, record.deck < 0, !record.hasEnded else { return }
    guard record.status == .loading && record.began <= now || record.status == .playing && record.began == now else {
      return
    }
    hasReportedRelease = true
    diagnostics.append(.releasedUnplayed(emitter: ownerInWords(of: slot)))
  }

  /// A one-shot that the end of the world stops before its first tick, in words; `nil` for none.
  ///
  /// A session may have suspended the context until now: no tick came then, although the program kept the world. The
  /// age is the time since the beginning of the ticks.
  func unplayedAtEnd(age: Duration) -> String? {
    guard UnkeptObject.isReported(isMixed: ticks > 0, age: age), !hasFollowedSession else { return nil }
    let slot = records.indices.first { slot in
      let record = records[slot]
      return record.isUsed && record.isOnce && (record.status == .playing || record.status == .loading)
    }
    return slot.map { ownerInWords(of: $0) }
  }

  /// Frees a slot whose emitter is idle.
  mutating func removeSlot(_ slot: Int) {
    sounds.removeUser(of: use(of: slot))
    if records[slot].behavior == .stop { stoppingCount -= 1 }
    removeDeck(of: slot)
    removeFades(of: slot)
    if let index = rareIndex(slot) {
      announcements.appendEnd(of: id(of: slot), to: rare[index].observers)
      // The release of an effect takes the lock of the context.
      for send in rare[index].sends { sounds.garbage.append(send.unit) }
      rare[index] = RareSettings()
      freeRare.append(Int32(index))
    }
    observed.remove(Int32(slot))
    followers.remove(Int32(slot))
    deriving.remove(Int32(slot))
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
