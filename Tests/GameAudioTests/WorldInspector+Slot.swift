@testable import GameAudio

extension WorldInspector {
  /// The state of one emitter or player.
  struct Slot {
    private let world: AudioWorld
    let slot: EmitterSlot

    fileprivate init(_ world: AudioWorld, _ slot: EmitterSlot) { (self.world, self.slot) = (world, slot) }

    private func read<Value: Sendable>(_ body: (WorldState) -> Value) -> Value { world.withState { body($0) } }
    private func field<Value: Sendable>(_ path: KeyPath<EmitterRecord, Value>) -> Value {
      read { $0.playback.scene.emitters[slot][keyPath: path] }
    }
  }
}

extension Emitter {
  var inspector: WorldInspector.Slot { WorldInspector.Slot(world, slot) }
}

extension SoundPlayer {
  var inspector: WorldInspector.Slot { WorldInspector.Slot(world, slot) }
}

extension WorldInspector.Slot {
  var record: EmitterRecord {
    get { field(\.self) }
    nonmutating set { world.withState { $0.playback.scene.emitters[stored: slot] = newValue } }
  }
  /// Its number in snapshots.
  var number: Int { Int(field(\.generation)) }
  var status: EmitterRecord.Status { field(\.status) }
  /// Whether an observer or a task takes the events of the emitter.
  var isObserved: Bool { read { !$0.playback.scene.emitters[rare: slot].observers.isEmpty } }
  /// Whether a task waits for the end of the player.
  var hasWaitingTask: Bool {
    read { state in
      state.playback.scene.emitters[slot].player.map { !state.playback.scene.players[$0].ends.isEmpty } ?? false
    }
  }
  /// The frame of the mix at which it began.
  var began: Int { field(\.began) }
  /// The index of its listener.
  var owner: Int { field(\.listener).position }
  /// The correction for copies that began together.
  var copyGain: Float { field(\.copyGain) }
  /// The factor of the frequency by motion.
  var shift: Float { field(\.shift) }
  /// The factor of its cone.
  var coneFactor: Float { read { $0.playback.scene.audibility(of: slot).cone } }
  /// The factors that the last play has drawn.
  var drawn: (gain: Float, pitch: Float) { read { $0.playback.scene.emitters.drawn(slot) } }
  /// The values that a voice is to have.
  var values: VoiceValues { read { $0.playback.scene.voiceValues(of: slot) } }
  var sends: [VoiceSend] { read { $0.playback.scene.sends(of: slot) } }
  /// The sum of the powers of its sends.
  var sendPower: Float { read { $0.playback.scene.sendPower(of: slot) } }

  // The clock.

  var clock: LogicalClock { field(\.clock) }
  /// The position of its clock, and the frame of the mix.
  var position: (place: Double, frame: Int) {
    read { ($0.playback.scene.emitters[slot].clock.position(at: $0.playback.now), $0.playback.now) }
  }
  /// Hands the clock a position of a source that began with another clock.
  func adopt(place: Double, withClock clock: LogicalClock) {
    world.withState { state in
      let id = state.playback.scene.emitters.id(of: slot)
      state.playback.scene.correctClock(place: place, at: state.playback.now, of: id, withClock: clock)
    }
  }
}

// Its voice.

extension WorldInspector.Slot {
  /// The index of its voice; `nil` without one.
  var voice: Int? { field(\.voice)?.position }
  /// Its voice and the use of that voice; `nil` without one.
  var voiceKey: VoiceKey? { ofVoice { VoiceKey(voice: $0, use: $1.use) } }
  /// The source that sounds for it; `nil` without a voice.
  var source: SoundSource? { voice.map { world.inspector.source(ofVoice: $0) } }
  /// The values of the source that sounds for it; `nil` without a voice.
  var voiceValues: VoiceValues? { ofVoice { $1.values } }
  var voicePosition: SIMD3<Float>? { voiceValues?.position }
  var voiceVelocity: SIMD3<Float>? { voiceValues?.velocity }
  var voiceOcclusion: Decibels? { voiceValues?.occlusion }
  /// The frame at which an underrun of its stream was found; `nil` if none has left a delay.
  var lateSince: Int? { ofVoice { $1.lateSince } ?? nil }

  /// Reads its voice, which has an index.
  private func ofVoice<Value: Sendable>(_ body: (VoiceIndex, Voice) -> Value) -> Value? {
    read { state in state.playback.scene.emitters[slot].voice.map { body($0, state.playback.voices[$0]) } }
  }

  /// Counts an underrun of its stream.
  func noteUnderrun() {
    guard let key = voiceKey else { return }
    world.act { $0.playback.noteUnderruns(1, of: key) }
  }

  /// Hands it the frame at which the stream of its voice rests.
  func correctPausedClock(_ frame: Int) {
    guard let key = voiceKey else { return }
    world.withState { $0.playback.correctPausedClock(frame, of: key) }
  }

  /// Whether at most three voices belong to it, its own among them, and it alone is active exactly while it sounds.
  var isWhole: Bool {
    read { state in
      let record = state.playback.scene.emitters[slot]
      let taken = state.playback.voices.all.count { $0.isTaken && $0.slot == slot }
      let isOwn = record.voice.map { state.playback.voices[$0].slot == slot } ?? true
      return taken <= 3 && isOwn && (state.playback.scene.emitters.activeCount == 1) == record.isSounding
    }
  }
}

// Its sound.

extension WorldInspector.Slot {
  /// The index of its sound in the table.
  var soundIndex: Int { field(\.sound).position }
  /// The samples of its sound; `nil` until they are loaded.
  var loaded: LoadedSound? { read { $0.playback.scene.sounds[$0.playback.scene.emitters[slot].sound].loaded } }
  var buffer: SoundBuffer? { loaded?.buffer }
  /// The file of its sound.
  var soundPath: String? {
    read { $0.playback.scene.sounds[$0.playback.scene.emitters[slot].sound].content?.path }
  }

  /// Draws the variations of many plays from a copy of the state; `nil` for a sound without variations.
  func draws(_ count: Int, seed: UInt64) -> [(pitch: Float, gain: Float)]? {
    var state = world.inspector.state
    guard let family = state.playback.scene.emitters[rare: slot].family else { return nil }
    state.playback.scene.sounds.setRandom(RandomSequence(seed: seed))
    return (0..<count).map { _ in
      let draw = state.playback.scene.sounds.draw(from: family)
      return (draw.pitch, draw.gain)
    }
  }
}

// Its paths and rays.

extension WorldInspector.Slot {
  /// The occlusion by rays that is in force, in decibels.
  var rayOcclusion: Float { read { $0.playback.scene.emitters[rare: slot].rays.occlusion } }
  /// The occlusion of the last answer of the rays, in decibels.
  var nextRayOcclusion: Float { read { $0.playback.scene.emitters[rare: slot].rays.nextOcclusion } }
  /// The occlusion of its path, in decibels; `nil` without a path.
  var pathOcclusion: Float? {
    read { $0.playback.scene.space.path(of: $0.playback.scene.emitters.placed(slot))?.occlusion }
  }
  /// Whether no opening leads to it.
  var isBehindWall: Bool {
    read { $0.playback.scene.space.path(of: $0.playback.scene.emitters.placed(slot))?.course == .wall }
  }
  var isPathGliding: Bool { read { !$0.playback.scene.space.portals.paths[slot.position].glide.isIdle } }
  /// The position for which its room was searched; `nil` in a world without portals.
  var searchedPosition: SIMD3<Float>? {
    read {
      $0.playback.scene.space.portals.paths.indices.contains(slot.position)
        ? $0.playback.scene.space.portals.paths[slot.position].searched : nil
    }
  }
}

// The playlist of a player.

extension WorldInspector.Slot {
  private var playlist: Playlist? { read { $0.playback.scene.playlist(of: slot) } }

  /// The number of sounds that are being opened; `nil` for an emitter.
  var openingCount: Int? {
    get { playlist?.openingCount }
    nonmutating set {
      world.withState { state in state.playback.changePlaylist(of: slot) { $0.openingCount = newValue ?? 0 } }
    }
  }
  var awaitsOpening: Bool { playlist?.awaitsOpening == true }
  /// Whether the voice of an earlier timeline still plays.
  var hasPrevious: Bool { playlist?.previous != nil }
  /// The number of sounds in the timeline of its reader.
  var pieceCount: Int { playlist?.timeline.copy.pieces.count ?? 0 }
  /// The number of tasks that wait for it to be prepared.
  var waitingTaskCount: Int {
    read { state in
      state.playback.scene.emitters[slot].player.map { state.playback.scene.players[$0].waiting.count } ?? 0
    }
  }

  /// Begins what `prepareToPlay()` does, without the wait.
  func prepareToPlay() {
    world.act { state in
      let id = state.playback.scene.emitters.id(of: slot)
      state.apply(.prepare, toPlayer: id)
    }
  }

  /// Ends it, as a stream that cannot be opened does.
  func fail() { world.act { $0.playback.end(slot, .failed) } }

  /// Ends the sound that its reader reads at a frame.
  func endReading(at frame: Int) {
    guard let playlist else { return }
    let end = SharedTimeline.Request(id: 0, sound: playlist.current.sound, frame: frame, lap: 0, count: 1, loop: nil)
    playlist.timeline.end(end, at: frame, because: nil, in: 1)
  }

  /// Hands it the source of the voice that is to take over, at a number of frames from its clock.
  ///
  /// Returns whether it has that voice now, whether that voice still waits, and the frames until the next replacement
  /// may begin; `nil` if no voice is to take over.
  func settleReplacement(at offset: Double) -> (isAdopted: Bool, isPending: Bool, delay: Int?)? {
    let frame = world.context.physics.frame
    return world.withState { state in
      guard let key = state.playback.scene.playlist(of: slot)?.replacementReader?.voice else { return nil }
      let place = state.playback.scene.emitters[slot].clock.position(at: frame) + offset
      state.playback.settleReplacement(position: place, at: frame, framesPerMix: 1_024, key)
      let playlist = state.playback.scene.playlist(of: slot)
      let delay = playlist?.earliestReader.map { $0 - state.playback.now }
      return (state.playback.scene.emitters[slot].voice == key.voice, playlist?.replacementReader != nil, delay)
    }
  }
}
