import Spatial3DTesting
import Testing

@testable import GameAudio

/// What a new world, a new emitter and a voice that nothing plays begin with.
@Suite struct WorldDefaultTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let tone = Sound(TestSignal.sine(frequency: 400, duration: .seconds(1), format: mono))

  @Test func `A new emitter has the values that the documentation states`() throws {
    let offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitter = Emitter(playing: Self.tone, in: world)
    #expect(emitter.position == .zero && emitter.velocity == .zero && !emitter.derivesVelocity)
    #expect(emitter.gain == .unity && emitter.pitch == 1 && emitter.priority == .normal && emitter.repeats == .times(0))
    #expect(emitter.virtualBehavior == .elapsedTime && emitter.direction == .zero && emitter.cone == Cone())
    #expect(emitter.radius == 0 && emitter.occlusion == 0 && emitter.obstruction == 0)
    #expect(emitter.bus == world.mixer.main && emitter.playbackTime == .zero)
    #expect(!emitter.isPlaying && !emitter.isPaused && !emitter.isVirtual)
    #expect(emitter.id.number == 1 && emitter.slot == 0)
    #expect(world.wallOcclusion == -30 && world.streamLimit == 16 && world.seed == 1 && world.listener == Listener())
    #expect(MixTime.tick == 512 && Emitter.gainRange.upperBound == .decibels(24) && WorldScene.reservation == 200)
    #expect(WorldScene.startGrace == 50 && VoiceStart.streamLead == 60 && DerivedVelocity.fastest == 150)
  }

  @Test func `The record of an emitter begins at rest, with neutral factors`() {
    let record = EmitterRecord()
    #expect(record.generation == 0 && record.order == 0 && record.laps == 0 && record.listener == 0)
    #expect([record.began, record.switched] == [0, 0] && record.start == 0)
    #expect([record.gain, record.fade, record.copyGain, record.pitch, record.shift] == [1, 1, 1, 1, 1])
    #expect(record.sound == 0 && record.rare == 0 && record.voice == nil && record.occupant == .free)
    #expect(record.velocity == .zero && record.status == .idle && record.clock.course.frameCount == 0)
    #expect(record.hasHandle && record.hasPosition && record.isPlaced && !record.isUsed && !record.isOnce)
    #expect(!record.isLimited && !record.isCounted && !record.isPitchChanged && !record.keepsPosition)
    #expect(!record.hasSounded && !record.hasEnded && record.deferredEnd == nil)
    #expect(record.priority == .normal && record.behavior == .elapsedTime)
    let rare = RareSettings()
    #expect(rare.direction == .zero && rare.cone == Cone() && rare.radius == 0 && rare.sends.isEmpty)
    #expect(rare.occlusion == 0 && rare.obstruction == 0 && rare.wholeOcclusion == 0 && rare.wholeObstruction == 0)
    #expect(rare.sendsVersion == 0 && rare.family == nil && rare.variation == 1 && rare.bend == 1)
    #expect(rare.leader == nil && rare.derivedAt == nil && rare.observers.isEmpty && rare.rays == RayAnswer())
  }

  @Test func `Each status of an emitter counts for limits and sounds as its name says`() {
    var record = EmitterRecord()
    let table: [(EmitterRecord.Status, counts: Bool, isSounding: Bool)] = [
      (.idle, false, false), (.loading, true, false), (.playing, true, true), (.paused, false, false),
      (.pausedBeforeStart, false, false), (.stopping, false, true), (.pausing, false, true),
    ]
    for (status, counts, isSounding) in table {
      record.status = status
      record.isLimited = false
      #expect(record.counts == counts && record.isSounding == isSounding, "\(status)")
      record.isLimited = true
      #expect(!record.counts && record.isSounding == isSounding, "\(status)")
    }
  }

  @Test func `A voice begins free and with neutral values, and is taken while it sounds, opens or rests`() {
    let voice = Voice()
    #expect(voice.state == .free && voice.slot == nil && voice.use == 0 && voice.sound == nil && voice.begin == 0)
    #expect(!voice.isLooping && !voice.isStream && !voice.isStale && voice.role == .plain && voice.channelCount == 0)
    #expect(voice.underrunCount == 0 && voice.lateSince == nil && voice.feeds == VoiceFeeds())
    let states: [(Voice.State, Bool)] = [
      (.free, false), (.opening, true), (.sounding, true), (.resting, true), (.silencing, false),
      (.silenced(turn: 1), false), (.fading(since: 0, steps: 0), false), (.stopped(at: 0), false), (.draining, false),
    ]
    for (state, isTaken) in states {
      var voice = Voice()
      voice.state = state
      #expect(voice.isTaken == isTaken, "\(state)")
    }
    let values = VoiceValues()
    #expect([values.gain, values.pitch, values.radius] == [1, 1, 0])
    #expect([values.position, values.velocity, values.direction] == [.zero, .zero, .zero])
    #expect(values.occlusion == 0 && values.obstruction == 0 && values.isPlaced && !values.isDirect)
    #expect([values.sendsVersion, values.busSendsVersion] == [0, 0] && values.sendingBus == nil)
  }

  @Test func `A new state has counted nothing`() throws {
    let offline = try OfflineRenderer(format: Self.mono)
    let (context, physics) = (offline.context, offline.context.physics)
    let state = WorldState(voiceLimit: 5, poolSize: 7, mixesByFrames: true, context: context, physics: physics)
    #expect(
      state.playback.voices.limit == 5 && state.playback.voices.all.count == 7
        && state.playback.scene.time.mixesByFrames
        && state.playback.outbox.context === context
    )
    #expect(
      state.playback.voices.streamLimit == 16 && state.playback.now == physics.frame
        && state.playback.scene.players.hasTwoLoudspeakers
    )
    #expect(
      [
        state.playback.scene.time.lastTick, state.playback.outbox.lastTurn, state.playback.voices.lastUse,
        state.clocks.lastNumber,
        state.playback.scene.emitters.lastSendsVersion,
      ].allSatisfy { $0 == 0 }
    )
    #expect(
      [
        state.playback.scene.time.ticks, state.playback.scene.time.openUpdates, state.playback.scene.time.waitedTicks,
        state.playback.scene.emitters.activeCount,
      ].allSatisfy {
        $0 == 0
      }
    )
    #expect(
      [
        state.playback.scene.emitters.stoppingCount, state.playback.scene.mixer.buses.soloedCount,
        state.playback.scene.mixer.duckedUntil, state.playback.scene.emitters.derivedAt,
      ]
      .allSatisfy { $0 == 0 }
    )
    #expect(
      state.playback.scene.emitters.nextShift == 0 && state.playback.scene.emitters.lastOrder == 0
        && state.playback.scene.emitters.lastNumber == 0
        && state.playback.scene.sounds.variations.seed == 0
    )
    #expect(
      state.playback.scene.emitters.nextEnd == .max && !state.playback.log.isReplayed(0)
        && state.playback.scene.mixer.buses["main"] == .main
    )
    #expect(
      state.playback.scene.mixer.buses.bounds == [1] && state.playback.scene.mixer.buses.records.map(\.name) == ["main"]
        && state.playback.scene.space.listeners.first == Listener()
    )
    let flags = [
      state.playback.scene.space.listeners.isChanged, state.session.isInterrupted,
      state.session.hasReportedInterruption,
      state.playback.scene.mixer.isOtherAudioPlaying,
      state.playback.outbox.isCarryingOut, state.playback.voices.revives, state.playback.scene.limits.hasRoom,
      state.playback.scene.copies.hasNew,
      state.selector.hasReportedEssentials, state.playback.log.isRecording, state.playback.outbox.hasWork, state.isBusy,
      state.needsTicks,
    ]
    #expect(flags.allSatisfy { !$0 })
    #expect(state.playback.log.moment.frame == 0 && state.playback.log.moment.sampleRate == 0)
    var (random, expected) = (state.playback.scene.sounds.variations.random, RandomSequence(seed: 0))
    #expect(random.next() == expected.next())
    #expect(
      state.playback.scene.space.rays.call == 0 && state.playback.scene.space.rays.nextCandidate == 0
        && !state.playback.scene.space.rays.hasReportedWrong
    )
    #expect(
      state.playback.scene.space.rays.movedUntil == 0 && state.playback.scene.space.portals.wall == -30
        && state.playback.scene.space.portals.roomVersion == 0
    )
    let zones = ZoneState()
    #expect(zones.sendLimit == 2 && zones.openedCount == 0 && !zones.isInUse)
    #expect(!zones.hasReportedReverb)
    let path = PortalState.EmitterPath()
    #expect([path.roomVersion, path.search] == [nil, nil] && path.room == nil)
    #expect(path.isMoved && path.searched == nil)
    let plays = SoundPlays()
    #expect([plays.entries, plays.counted, plays.recent] == [0, 0, 0] && plays.lastBegin == nil && plays.key == nil)
    #expect(SoundTable.Use(index: 3).family == nil && KeptSounds().bankNumbers.isEmpty)
    #expect(WorldScene.Admission().victims.isEmpty && !WorldScene.Admission().isVirtual)
  }

  @Test func `The shares of a voice are two at most, found by their units`() {
    var feeds = VoiceFeeds()
    #expect(feeds.count == 0 && feeds.gain(of: 0) == nil)
    #expect(feeds.first == nil && feeds.second == nil)
    feeds.append(.init(unit: 0, gain: 0.5))
    #expect(feeds.count == 1 && feeds.gain(of: 0) == 0.5 && feeds.gain(of: 2) == nil)
    feeds.append(.init(unit: 2, gain: 0.25))
    #expect(feeds.count == 2 && feeds.gain(of: 0) == 0.5 && feeds.gain(of: 2) == 0.25)
    feeds.append(.init(unit: 1, gain: 1))
    #expect(feeds.count == 2 && feeds.gain(of: 1) == nil && feeds.second?.unit == 2)
  }

  @Test func `The time of a start is its place in the sound, with the fraction of a frame`() throws {
    let offline = try OfflineRenderer(format: Self.mono)
    for (rate, place, seconds) in [
      (48_000, 0, 0), (48_000, 24_000, 0.5), (44_100, 44_100.5, 44_100.5 / 44_100), (8_000, 1.25, 1.25 / 8_000),
    ] as [(Int, Double, Double)] {
      let samples = TestSignal.sine(frequency: 40, duration: .seconds(1), format: .mono(sampleRate: rate))
      let content = SoundContent(name: "tone", source: .samples(samples))
      let key = LoadKey(content: content.identity, isPlaced: true, loopRange: nil)
      let sound = try LoadedSound(content, key, convertsRate: false, in: offline.context)
      let start = VoiceStart(sound: sound, values: VoiceValues(), sends: [], place: place, isLooping: false)
      #expect(abs(start.time / .seconds(1) - seconds) < 1e-9, "\(place) at \(rate)")
      #expect(start.copies == 1 && start.moment == nil && !start.isHeld)
    }
  }
}
