import AudioSupport

@testable import GameAudio

/// The state of a world that the public API does not show.
///
/// Tests of worlds read it by these members, and by the members of a `Slot`. Another layout of the state changes these
/// two files, and the tests that take a copy of the state.
struct WorldInspector {
  private let world: AudioWorld

  fileprivate init(_ world: AudioWorld) { self.world = world }

  private func read<Value: Sendable>(_ body: (WorldState) -> Value) -> Value { world.withState { body($0) } }

  /// The number of sums, with the mix.
  var stemCount: Int { read { $0.playback.scene.mixer.buses.stemPlan.parents.count } }
  /// Whether no emitter waits for its samples in another sum.
  var hasNoMoves: Bool { read { $0.playback.scene.sounds.moves.isEmpty } }

  /// Runs a closure with the lock of the state.
  func whileLocked<Result: Sendable>(_ body: () -> Result) -> Result { world.state.withLock { _ in body() } }

  /// Whether anything needs the next tick.
  var wantsTicks: Bool { read { $0.wantsTicks } }
  /// Whether the main bus has had inserts, or the mixer a loudness target.
  var hasHadInserts: Bool { read { $0.playback.scene.mixer.strip.begin != nil } }

  /// The newest settings of the strip of the main bus.
  var stripSettings: StripSettings { read { $0.playback.scene.mixer.stripSettings(of: .main) } }

  /// A copy, for tests of the functions of the state.
  var state: WorldState { world.withState { $0 } }
}

extension AudioWorld {
  var inspector: WorldInspector { WorldInspector(self) }
}

extension BeatClock {
  /// Whether the context calls the clock at ticks.
  var isTicking: Bool { hasTicks }
}

// MARK: - Voices

extension WorldInspector {
  /// The sources of the pool, which play sounds in memory.
  var sources: [SoundSource] { world.sources.withLock { $0.pools[0] } }
  /// The number of streams for which the world has room.
  var streamRoom: Int { world.sources.withLock { $0.count } }
  /// The sources of the streams that play.
  var streamSources: [SoundSource] { world.sources.withLock { $0.streams } }

  /// The source of a voice: the source of its stream, or the source in the pool.
  func source(ofVoice voice: Int) -> SoundSource { world.sources.withLock { $0[VoiceIndex(voice)] } }

  var voiceLimit: Int { read(\.playback.voices.limit) }
  /// The number of voices, with the voices that only fade out.
  var voiceCount: Int { read(\.playback.voices.all.count) }
  /// The number of voices that are not free.
  var usedVoiceCount: Int { read { $0.playback.voices.all.count { $0.state != .free } } }
  /// The number of voices that emitters and players have.
  var takenVoiceCount: Int { read { $0.playback.voices.takenCount } }
  var soundingVoiceCount: Int { read { $0.playback.voices.all.count { $0.state == .sounding } } }
  /// The number of voices that hold the position of a player.
  var restingVoiceCount: Int { read { $0.playback.voices.all.count { $0.state == .resting } } }
  /// The gains of the voices that sound, in the order of the voices.
  var soundingGains: [Float] { read { $0.playback.voices.all.filter { $0.state == .sounding }.map(\.values.gain) } }
  var revivesVoices: Bool { read(\.playback.voices.revives) }
  var hasTwoLoudspeakers: Bool { read(\.playback.scene.players.hasTwoLoudspeakers) }
  var mixesByFrames: Bool { read(\.playback.scene.time.mixesByFrames) }
}

// MARK: - Ticks

extension WorldInspector {
  /// The number of frames between two ticks.
  static let tick = MixTime.tick
  /// Advances the world to the present frame of the mix.
  func tick() { world.tick(world.context.physics) }

  /// Whether the context calls the world at ticks.
  var isTicking: Bool { world.ticks.withLock { $0.token != nil } }
  /// The time at which the ticks began last.
  var ticksBegan: Duration { world.ticks.withLock { $0.began } }
  var needsTicks: Bool { read(\.needsTicks) }
  var tickCount: Int { read(\.playback.scene.time.ticks) }
  /// Whether an observer or a task receives an event with the next tick.
  var hasDeferredEvents: Bool { read(\.playback.outbox.events.needsTick) }
  /// The frame of the mix after a time.
  func frames(in duration: Duration) -> Int { read { $0.playback.scene.frames(in: duration) } }

  var openUpdateCount: Int { read(\.playback.scene.time.openUpdates) }
  func openUpdate() { world.perform(.openUpdate) }
  func closeUpdate() { world.perform(.closeUpdate) }
  /// Opens an update at a moment that another thread has read.
  func openUpdate(at moment: MixMoment) {
    world.state.withLock { state in
      state.playback.log.setMoment(moment)
      state.apply(.openUpdate)
    }
  }
}

// MARK: - Emitters

extension WorldInspector {
  /// The number of slots that emitters and players have.
  var usedSlotCount: Int { read { $0.playback.scene.emitters.records.count(where: \.isUsed) } }
  /// The number of emitters that play, fade out or wait for their sound.
  var activeCount: Int { read(\.playback.scene.emitters.activeCount) }
  /// The number of players, and of the records for them, which are used again.
  var playerCount: Int { read { $0.playback.scene.players.records.count { $0.playlist != nil } } }
  var playerRecordCount: Int { read(\.playback.scene.players.records.count) }
  /// The number of emitters that end where they find no voice.
  var stoppingCount: Int { read(\.playback.scene.emitters.stoppingCount) }
  /// The number of emitters that a limit keeps virtual.
  var limitedCount: Int { read(\.playback.scene.limits.waiting.count) }
  /// The correction of each slot for copies that began together.
  var copyGains: [Float] { read { $0.playback.scene.emitters.records.map(\.copyGain) } }
  var beginningCount: Int { read(\.playback.scene.copies.beginnings.count) }
  var plannedBeginningCount: Int { read(\.playback.scene.copies.planned.count) }
  /// The number of the last beginning.
  var lastOrder: UInt32 {
    get { read(\.playback.scene.emitters.lastOrder) }
    nonmutating set { world.withState { $0.playback.scene.emitters.lastOrder = newValue } }
  }

  /// The number of different sounds in use or in memory.
  var soundCount: Int { read(\.playback.scene.sounds.entries.count) }
  /// The number of frames of a sound that a bank keeps for emitters; `nil` for a sound that no bank keeps.
  func keptFrameCount(of sound: Sound) -> Int? {
    let key = LoadKey(content: sound.variations[0].identity, isPlaced: true, loopRange: nil)
    return read { $0.playback.scene.sounds.kept[key]?.frameCount }
  }

  /// Reports that the stream of a voice cannot be opened.
  func failStream(ofVoice voice: Int, because error: any Error) {
    world.act { $0.playback.streamFailed($0.playback.voices.key(of: VoiceIndex(voice)), error) }
  }
}

// MARK: - Buses and sessions

extension WorldInspector {
  var fadeCount: Int { read(\.playback.scene.fades.running.count) }
  var busFadeCount: Int { read(\.playback.scene.mixer.fades.running.count) }
  /// The names of the bus that each ducker lowers, and of the bus whose sounds lower it.
  var duckerPairs: [[String]] {
    read { state in
      state.playback.scene.mixer.duckers.map {
        [state.playback.scene.mixer.buses[$0.target].name, state.playback.scene.mixer.buses[$0.trigger].name]
      }
    }
  }
  /// The levels by which duckers lower buses, in decibels.
  var duckedLevels: [Float] { read { $0.playback.scene.mixer.duckers.map(\.level) } }

  var sessionReasonCount: Int { read(\.session.reasons.count) }
  var isInterrupted: Bool { read(\.session.isInterrupted) }
  var isOtherAudioPlaying: Bool { read(\.playback.scene.mixer.isOtherAudioPlaying) }
  func setOtherAudio(_ isPlaying: Bool) { world.perform(.otherAudio(isPlaying: isPlaying)) }
}

// MARK: - Space

extension WorldInspector {
  var isListenerChanged: Bool { read(\.playback.scene.space.listeners.isChanged) }
  var listenerCount: Int { read(\.playback.scene.space.listeners.count) }
  /// The positions of the listeners, and of listeners that have gone and still have voices.
  var earPositions: [SIMD3<Float>] {
    read { ($0.playback.scene.space.listeners.all + $0.playback.scene.space.listeners.removed).map(\.position) }
  }
  /// The number of listeners that have gone and still have voices.
  var leftListenerCount: Int { read(\.playback.scene.space.listeners.removed.count) }

  /// The effects of the units of zones; `nil` for a unit without one.
  var zoneEffects: [Effect?] { read(\.playback.scene.space.zones.effects).map { $0?.effect } }
  /// The index of the zone of each unit; `nil` for a unit without a zone.
  var zonesOfUnits: [ZoneIndex?] {
    read { state in (0..<ZonePool.capacity).map { state.playback.scene.space.zones.pool.units[$0].zone } }
  }
  /// The number of units that zones have got so far.
  var openedUnitCount: Int { read(\.playback.scene.space.zones.openedCount) }
  var doorCount: Int { read(\.playback.scene.space.portals.graph.doors.count) }
  /// The number of changes of the rooms.
  var roomVersion: Int { read(\.playback.scene.space.portals.roomVersion) }
}

extension EmitterTable {
  /// A record as it is stored: a change leaves the end, the weight and the counts of the emitter as they are.
  subscript(stored slot: EmitterSlot) -> EmitterRecord {
    get { self[slot] }
    set { store(slot) { $0 = newValue } }
  }
}

extension EmitterNotification {
  init(emitter: Emitter.ID, event: EmitterEvent) { self.init(key: emitter.key, event: event) }
}
