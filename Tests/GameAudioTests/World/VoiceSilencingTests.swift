import Spatial3DTesting
import Testing

@testable import GameAudio

/// The states of a voice from its emitter's end to its next use, on an output and in a mix by frames.
@Suite struct VoiceSilencingTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let tone = Sound(TestSignal.sine(frequency: 400, duration: .seconds(9), format: mono))

  /// A state whose first emitter has the first voice, 1,000 frames after its beginning.
  private static func playing(_ sound: Sound = tone, mixesByFrames: Bool) throws -> CommandState {
    var scene = try CommandState([sound, sound], mixesByFrames: mixesByFrames)
    scene.state.play(0)
    #expect(scene.takeCommands() == [sound.variations[0].isStreamed ? "open 0" : "start 0"])
    scene.advance(by: 1_000)
    return scene
  }

  @Test func `On an output, a voice is stopped two ticks after the mix that may have set its gain`() throws {
    var scene = try Self.playing(mixesByFrames: false)
    #expect(scene.state.playback.voices.fadingFrames == 2_048)
    scene.state.playback.demote(0, isStolen: true)
    #expect(scene.takeCommands() == ["adopt 0", "silence 0"])
    #expect(scene.state.playback.voices[0].state == .silencing && scene.state.playback.voices[0].slot == nil)
    #expect(scene.state.playback.voices[0].values.gain == 0 && scene.state.playback.scene.emitters[0].voice == nil)
    #expect(
      scene.state.playback.voices.statistics.stolen == 1 && scene.state.playback.scene.emitters[0].switched == 1_000
    )
    scene.state.playback.collectVoices()
    #expect(scene.takeCommands() == [] && scene.state.playback.voices[0].state == .silencing)
    // Another voice, and another turn, change nothing.
    scene.state.playback.voices.silenced(1, in: 7)
    scene.state.playback.voices.silenced(0, in: 7)
    scene.state.playback.voices.silenced(0, in: 9)
    #expect(scene.state.playback.voices[1].state == .free && scene.state.playback.voices[0].state == .silenced(turn: 7))
    scene.state.playback.voices.beginFades(of: 8, at: 5_000)
    #expect(scene.state.playback.voices[0].state == .silenced(turn: 7))
    var late = scene
    late.state.playback.voices.beginFades(of: 7, at: 1_000)
    #expect(late.state.playback.voices[0].state == .fading(since: 1_000, steps: 0))
    scene.state.playback.voices.beginFades(of: 7, at: 1_300)
    #expect(scene.state.playback.voices[0].state == .fading(since: 1_300, steps: 0))
    for (frames, state, commands) in [
      (300, .fading(since: 1_300, steps: 0), []), (1, .fading(since: 1_301, steps: 1), []),
      (0, .fading(since: 1_301, steps: 1), []), (1, .stopped(at: 1_302), ["stop 0"]), (0, .stopped(at: 1_302), []),
      (1, .free, []),
    ] as [(Int, Voice.State, [String])] {
      scene.advance(by: frames)
      scene.state.playback.collectVoices()
      #expect(scene.state.playback.voices[0].state == state && scene.takeCommands() == commands, "\(frames), \(state)")
    }
  }

  @Test func `In a mix by frames, a voice is stopped one tick after its end`() throws {
    var scene = try Self.playing(mixesByFrames: true)
    #expect(scene.state.playback.voices.fadingFrames == 512)
    scene.state.playback.demote(0, isStolen: false)
    #expect(scene.takeCommands() == ["silence 0"] && scene.state.playback.voices.statistics.stolen == 0)
    for (frames, state, commands) in [
      (511, .fading(since: 1_000, steps: 0), []), (1, .stopped(at: 1_512), ["stop 0"]), (1, .free, []),
    ] as [(Int, Voice.State, [String])] {
      scene.advance(by: frames)
      scene.state.playback.collectVoices()
      #expect(scene.state.playback.voices[0].state == state && scene.takeCommands() == commands, "\(frames), \(state)")
    }
  }

  @Test(arguments: [false, true])
  func `A sound that has played drains, and one that is cut stops at once`(isLooping: Bool) throws {
    var scene = try Self.playing(mixesByFrames: true)
    scene.state.playback.voices.change(0) { ($0.isLooping, $0.isStale) = (isLooping, isLooping) }
    let key = VoiceKey(voice: 0, use: scene.state.playback.voices[0].use)
    var cut = scene
    cut.state.stop(0, .none)
    #expect(cut.takeCommands() == ["stop 0"] && cut.state.playback.voices[0].state == .stopped(at: 1_000))
    scene.state.playback.end(0, .played)
    #expect(
      scene.takeCommands() == (isLooping ? ["loop 0 false"] : []) && scene.state.playback.voices[0].state == .draining
    )
    scene.state.playback.collectVoices()
    #expect(scene.takeCommands() == ["poll 0"])
    // The end of another use of the voice does not end the present use.
    scene.state.playback.voiceEnded(VoiceKey(voice: 0, use: key.use + 1))
    scene.state.playback.voices.freeDrained(VoiceKey(voice: 0, use: key.use + 1), &scene.state.playback.outbox.commands)
    #expect(scene.state.playback.voices[0].state == .draining)
    var other = scene
    other.state.playback.voices.freeDrained(key, &other.state.playback.outbox.commands)
    scene.state.playback.voiceEnded(key)
    for scene in [scene, other] {
      #expect(scene.state.playback.voices[0].state == .free && !scene.state.playback.voices[0].isStale)
    }
    // A stale voice holds samples that nobody needs.
    #expect(scene.takeCommands() == (isLooping ? ["empty 0"] : []))
    #expect((scene.state.playback.voices[0].sound == nil) == isLooping)
  }

  @Test func `A voice that sounds and whose source stops has played its emitter to the end`() throws {
    var scene = try Self.playing(mixesByFrames: true)
    let key = VoiceKey(voice: 0, use: scene.state.playback.voices[0].use)
    scene.state.playback.voices.freeDrained(key, &scene.state.playback.outbox.commands)
    #expect(scene.state.playback.voices[0].state == .sounding)
    scene.state.playback.voiceEnded(VoiceKey(voice: 1, use: 0))
    scene.state.playback.voiceEnded(key)
    #expect(scene.state.playback.scene.emitters[0].status == .idle && scene.state.playback.voices[0].state == .free)
  }

  @Test func `A device that has paused its sources plays those of the world on, and that of a drain`() throws {
    var scene = try CommandState([Self.tone, Self.tone, Self.tone], mixesByFrames: false, voices: 3)
    for slot in [0, 1, 2] as [EmitterSlot] { scene.state.play(slot) }
    _ = scene.takeCommands()
    scene.state.playback.end(1, .played)
    scene.state.playback.voices.change(2) { $0.state = .resting }
    scene.state.playback.collectVoices()
    #expect(scene.takeCommands() == ["poll 1"])
    scene.state.playback.voices.revives = true
    scene.state.playback.collectVoices()
    #expect(scene.takeCommands() == ["revive 0", "revive 1", "poll 1"])
    scene.state.playback.giveUp(2, .fades)
    #expect(scene.takeCommands() == ["stop 2"] && scene.state.playback.voices[2].state == .stopped(at: 0))
  }

  @Test func `A voice that holds the sound already is taken first, else the first that is free`() throws {
    let other = Sound(TestSignal.sine(frequency: 700, duration: .seconds(9), format: Self.mono))
    var scene = try CommandState([Self.tone, other, Self.tone], mixesByFrames: true, voices: 3)
    for slot in [0, 1] as [EmitterSlot] { scene.state.play(slot) }
    #expect(scene.takeCommands() == ["start 0", "start 1"])
    #expect(scene.state.playback.voices.all.map(\.use).prefix(3) == [1, 2, 0])
    for slot in [0, 1] as [EmitterSlot] { scene.state.stop(slot, .none) }
    scene.tick(after: 512)
    #expect(scene.state.playback.voices.all.allSatisfy { $0.state == .free })
    _ = scene.takeCommands()
    scene.state.play(1)
    #expect(scene.takeCommands() == ["start 1"] && scene.state.playback.voices[1].use == 3)
    scene.state.play(0)
    scene.state.play(2)
    #expect(scene.takeCommands() == ["start 0", "start 2"])
    scene.state.playback.voices.replace(scene.state.playback.voices.all.map { _ in Voice(state: .draining) })
    #expect(!scene.state.playback.promote(0) && scene.takeCommands() == [])
  }

  @Test func `A stream begins 60 ms ahead on an output and at once in a mix by frames, or at its moment`() throws {
    let samples = TestSignal.sine(frequency: 400, duration: .seconds(9), format: Self.mono)
    let sound = Sound(streaming: "tone") { SampleReader(samples) }
    for (mixesByFrames, delay, begin) in [
      (false, 0, 2_880), (false, 2_000, 2_880), (false, 3_000, 3_000), (true, 0, nil), (true, 900, 900),
    ] as [(Bool, Int, Int?)] {
      var scene = try Self.playing(sound, mixesByFrames: mixesByFrames)
      let key = VoiceKey(voice: 0, use: scene.state.playback.voices[0].use)
      #expect(
        scene.state.playback.voices.isOpening(key) && scene.state.playback.voices[0].isStream
          && !scene.state.playback.isHeard(0)
      )
      #expect(!scene.state.playback.voices.isOpening(VoiceKey(voice: 0, use: key.use + 1)))
      #expect(!scene.state.playback.voices.isOpening(VoiceKey(voice: 1, use: 0)))
      if delay > 0 {
        scene.state.playback.scene.emitters[stored: 0].began = 1_000 + delay
        scene.state.playback.scene.emitters[stored: 0].clock = LogicalClock(
          scene.state.playback.scene.emitters[0].clock.course,
          at: 1_000 + delay,
          step: 1
        )
      }
      let loaded = try #require(
        scene.state.playback.scene.sounds[scene.state.playback.scene.emitters[0].sound].loaded
      )
      let start = VoiceStart(sound: loaded, values: VoiceValues(), sends: [], place: 0, isLooping: true)
      #expect(scene.state.playback.streamOpened(start, VoiceKey(voice: 0, use: key.use + 1)) == nil)
      scene.state.playback.scene.emitters[stored: 0].gain = 0.25
      let result = scene.state.playback.streamOpened(start, key)
      let opened = try #require(result)
      #expect(opened.moment == begin.map { Self.mono.duration(ofFrames: 1_000 + $0) })
      #expect(opened.place == (delay > 0 ? Double(max((begin ?? 0) - delay, 0)) : 1_000 + Double(begin ?? 0)))
      #expect(opened.values.gain == 0.25 && scene.state.playback.voices[0].values == opened.values && !opened.isLooping)
      #expect(
        scene.state.playback.isHeard(0) && scene.state.playback.scene.emitters[0].hasSounded
          && scene.state.playback.voices.statistics.promoted == 1
      )
      #expect(scene.state.playback.streamOpened(start, key) == nil)
    }
  }

  @Test func `A stream that cannot be opened ends its emitter, and one that was given up nobody`() throws {
    struct Failure: Error {}
    let samples = TestSignal.sine(frequency: 400, duration: .seconds(9), format: Self.mono)
    let sound = Sound(streaming: "tone") { SampleReader(samples) }
    for isGivenUp in [false, true] {
      var scene = try Self.playing(sound, mixesByFrames: true)
      let key = VoiceKey(voice: 0, use: scene.state.playback.voices[0].use)
      if isGivenUp {
        scene.state.playback.giveUpVoice(0, .fades)
        #expect(
          scene.takeCommands() == [] && scene.state.playback.voices[0].state == .free
            && scene.state.playback.voices[0].use == 0
        )
      }
      scene.state.playback.streamFailed(key, Failure())
      #expect(scene.state.playback.scene.emitters[0].status == (isGivenUp ? .playing : .idle))
      #expect(scene.state.playback.outbox.diagnostics.map(\.code) == [.soundUnavailable])
      #expect(scene.state.playback.voices[0].state == .free)
    }
  }

  @Test func `A clock adopts the place of its source until the program moves the emitter`() throws {
    let scene = try Self.playing(mixesByFrames: false)
    for (name, isAdopted, change) in [
      ("as it was", true, { _ in }),
      ("sought", false, { $0.playback.scene.emitters[stored: 0].clock.seek(to: 5, at: 1_000) }),
      ("with a voice", false, { $0.playback.promote(0) }),
      ("paused", false, { $0.playback.scene.modify(0) { $0.status = .paused } }),
      ("begun later", false, { $0.playback.scene.emitters[stored: 0].began = 1_001 }),
      ("begun then", true, { $0.playback.scene.emitters[stored: 0].began = 1_000 }),
      ("of another emitter", false, { $0.playback.scene.emitters[stored: 0].generation += 1 }),
    ] as [(String, Bool, (inout WorldState) -> Void)] {
      var copy = scene.state
      copy.playback.demote(0, isStolen: false)
      let (clock, id) = (copy.playback.scene.emitters[0].clock, EmitterKey(slot: 0, number: 1))
      change(&copy)
      let before = copy.playback.scene.emitters[0].clock
      copy.playback.scene.correctClock(place: 1_100, at: 1_000, of: id, withClock: clock)
      #expect((copy.playback.scene.emitters[0].clock.position(at: 1_000) == 1_100) == isAdopted, "\(name)")
      if isAdopted { #expect(copy.playback.scene.emitters.end(of: 0) == 1_000 + 432_000 - 1_100) }
      if !isAdopted { #expect(copy.playback.scene.emitters[0].clock == before, "\(name)") }
    }
  }

  @Test func `A sound in memory that may begin late is asked for its place a second later, once`() throws {
    var scene = try Self.playing(mixesByFrames: false)
    scene.state.playback.voices.setDelay(of: 0, since: 1_000)
    for (frames, commands) in [(47_999, []), (1, ["adopt delay 0"]), (1, [])] as [(Int, [String])] {
      scene.advance(by: frames)
      scene.state.playback.collectVoices()
      #expect(scene.takeCommands() == commands, "\(scene.state.playback.now)")
    }
    let (now, key) = (scene.state.playback.now, VoiceKey(voice: 0, use: scene.state.playback.voices[0].use))
    // A source of 1.19 may be ahead of its clock, as the library rounds its steps.
    for place in [now - 1_024, now + 6] {
      scene.state.playback.adoptDelay(place: Double(place), at: now, key)
      #expect(scene.state.playback.scene.emitters[0].clock.position(at: now) == Double(place))
    }
  }

  @Test func `A stream that had an underrun is asked for its place a second later, once`() throws {
    let samples = TestSignal.sine(frequency: 400, duration: .seconds(9), format: Self.mono)
    var scene = try Self.playing(Sound(streaming: "tone") { SampleReader(samples) }, mixesByFrames: true)
    let key = VoiceKey(voice: 0, use: scene.state.playback.voices[0].use)
    scene.state.playback.noteUnderruns(1, of: key)
    #expect(scene.state.playback.voices[0].lateSince == nil)
    let loaded = try #require(
      scene.state.playback.scene.sounds[scene.state.playback.scene.emitters[0].sound].loaded
    )
    let start = VoiceStart(sound: loaded, values: VoiceValues(), sends: [], place: 0, isLooping: false)
    #expect(scene.state.playback.streamOpened(start, key) != nil)
    scene.state.playback.noteUnderruns(1, of: VoiceKey(voice: 0, use: key.use + 1))
    scene.state.playback.noteUnderruns(0, of: key)
    #expect(scene.state.playback.voices[0].lateSince == nil)
    scene.state.playback.noteUnderruns(1, of: key)
    #expect(scene.state.playback.voices[0].lateSince == 1_000 && scene.state.playback.voices[0].underrunCount == 1)
    scene.advance(by: 500)
    scene.state.playback.noteUnderruns(1, of: key)
    #expect(scene.state.playback.voices[0].lateSince == 1_000)
    for (frames, commands) in [(47_499, ["poll 0"]), (1, ["poll 0", "adopt delay 0"]), (1, ["poll 0"])] {
      scene.advance(by: frames)
      scene.state.playback.collectVoices()
      #expect(scene.takeCommands() == commands, "\(scene.state.playback.now)")
    }
    scene.state.playback.noteUnderruns(3, of: key)
    scene.state.playback.scene.modify(0) { $0.status = .stopping }
    scene.state.playback.catchUp(key)
    #expect(scene.takeCommands() == [] && scene.state.playback.voices[0].lateSince == 49_001)
    let now = scene.state.playback.now
    for (status, began, use, isAdopted) in [
      (.playing, now, key.use, true), (.stopping, now, key.use, false), (.playing, now + 1, key.use, false),
      (.playing, now, key.use + 1, false),
    ] as [(EmitterRecord.Status, Int, Int, Bool)] {
      var copy = scene.state
      copy.playback.scene.modify(0) { $0.status = status }
      copy.playback.scene.emitters[stored: 0].began = began
      copy.playback.adoptDelay(place: 40_000, at: now, VoiceKey(voice: 0, use: use))
      #expect((copy.playback.scene.emitters[0].clock.position(at: now) == 40_000) == isAdopted)
      if isAdopted { #expect(copy.playback.scene.emitters.end(of: 0) == now + 432_000 - 40_000) }
    }
  }
}
