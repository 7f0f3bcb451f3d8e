import Spatial3DTesting
import Synchronization
import TestSupport
import Testing

@testable import GameAudio
@testable import Spatial3D

/// Another voice that takes over from the voice of a player, with the same sound.
@Suite struct PlayerReplacementTests {
  /// The error of a sound that cannot be opened again.
  private struct Gone: Error {}

  private final class Counter: Sendable {
    let count = Atomic(0)
  }

  /// A sound that can be opened a number of times.
  private final class Limited: Sendable {
    let sound: Sound
    private let opened = Counter()

    init(_ pcm: PCMBuffer<Float>, opensAtMost most: Int = .max) {
      let opened = opened
      sound = Sound(streaming: "limited") {
        guard opened.count.wrappingAdd(1, ordering: .relaxed).newValue <= most else { throw Gone() }
        return SampleReader(pcm)
      }
    }

    var count: Int { opened.count.load(ordering: .relaxed) }
  }

  /// A player that plays on a direct bus since a tenth of a second.
  private static func player(_ sound: Sound, in fixture: inout PlayerFixture) throws -> SoundPlayer {
    let player = try SoundPlayer(playing: sound, in: fixture.world, on: fixture.world.mixer.bus("music", kind: .direct))
    player.play()
    fixture.offline.render(frameCount: 5_120)
    return player
  }

  private static func source(of player: SoundPlayer) throws -> SoundSource {
    try #require(player.world.source(ofSlot: Int(player.id.slot)))
  }

  @Test(arguments: 1...8)
  func `A pan that is set and taken back leaves direct channels, whatever the time between`(ticks: Int) throws {
    var fixture = try PlayerFixture()
    let player = try Self.player(Sound(try PlayerFixture.noise(48_000)), in: &fixture)
    #expect(try Self.source(of: player).usesDirectChannels)
    player.pan = 0.5
    fixture.offline.render(frameCount: ticks * AudioWorld.tick)
    player.pan = 0
    fixture.offline.render(frameCount: 8 * AudioWorld.tick)
    let source = try Self.source(of: player)
    #expect(source.usesDirectChannels && source.stereoAngles == StereoAngles())
    player.pan = -0.5
    fixture.offline.render(frameCount: ticks * AudioWorld.tick)
    player.pan = 0.5
    fixture.offline.render(frameCount: 8 * AudioWorld.tick)
    let panned = try Self.source(of: player)
    #expect(
      !panned.usesDirectChannels
        && panned.stereoAngles == PanLaw(pan: 0.5, channelCount: 2, onTwoLoudspeakers: true).angles
    )
    #expect(fixture.world.withState { $0.voices.count { $0.state != .free } } == 1)
  }

  @Test(arguments: ["rate", "pan", "bus gain", "send"])
  func `A voice that takes over has what was set while it was silent`(property: String) throws {
    var fixture = try PlayerFixture()
    let player = try Self.player(Sound(try PlayerFixture.noise(96_000)), in: &fixture)
    let unit = try EffectUnit(.echo(Effect.Echo()), in: fixture.offline.context)
    player.pan = 0.5
    fixture.offline.render(frameCount: AudioWorld.tick)
    switch property {
    case "rate": player.rate = 1.5
    case "pan": player.pan = 0.25
    case "bus gain": player.bus.gain = -6
    default: player.bus.send(to: unit, gain: -6)
    }
    fixture.offline.render(frameCount: 8 * AudioWorld.tick)
    let source = try Self.source(of: player)
    let law = PanLaw(pan: player.pan, channelCount: 2, onTwoLoudspeakers: true)
    #expect(source.pitch == (property == "rate" ? 1.5 : 1) && source.stereoAngles == law.angles)
    #expect(abs(source.gain - law.gain * (property == "bus gain" ? Decibels(-6).gain : 1)) < 1e-5)
    #expect(source.effectSends.count == (property == "send" ? 1 : 0))
  }

  @Test func `A player whose sound cannot be opened again plays on with the routing that it has`() throws {
    var fixture = try PlayerFixture()
    let reports = Collected<Diagnostic>()
    fixture.offline.context.onDiagnostic = { reports.append($0) }
    let pcm = try PlayerFixture.noise(96_000)
    let count = Limited(pcm)
    _ = try Self.player(count.sound, in: &fixture)
    let limited = Limited(pcm, opensAtMost: count.count)
    let player = try Self.player(limited.sound, in: &fixture)
    let events = Collected<PlayerEvent>()
    let token = player.observe { events.append($0) }
    player.pan = 0.5
    fixture.offline.render(frameCount: 40_000)
    #expect(player.isPlaying && player.currentTime == fixture.offline.format.duration(ofFrames: 45_120))
    #expect(try Self.source(of: player).usesDirectChannels)
    #expect(limited.count == count.count + 1, "It is not tried again in each tick.")
    #expect(reports.all.map(\.code) == [.soundUnavailable])
    #expect(reports.all.first?.message.hasSuffix("Its player goes on with the reader that is open.") == true)
    player.pan = 0.25
    fixture.offline.render(frameCount: 4_000)
    #expect(limited.count == count.count + 2 && reports.all.count == 2, "Another pan is another reason.")
    #expect(events.all.isEmpty)
    fixture.offline.render(frameCount: 60_000)
    #expect(events.all == [.finished(successfully: true)])
    token.cancel()
  }

  @Test func `A reader that is too slow for a pan is replaced by another one after a second`() throws {
    var fixture = try PlayerFixture()
    let player = try Self.player(Sound(try PlayerFixture.noise(192_000)), in: &fixture)
    player.pan = 0.5
    fixture.offline.render(frameCount: AudioWorld.tick)
    let physics = fixture.offline.context.physics
    fixture.world.withState { state in
      let slot = Int(player.id.slot)
      guard let key = state.deck(of: slot)?.replacement?.voice else { return #expect(Bool(false), "No reader opens.") }
      let position = state.records[slot].clock.position(at: physics.frame)
      state.settleReplacement(place: position - 4_800, at: physics.frame, key)
      #expect(state.deck(of: slot)?.replacement == nil)
      #expect(state.deck(of: slot)?.earliestReplacement == state.now + 48_000)
    }
    fixture.offline.render(frameCount: 47_104)
    #expect(try Self.source(of: player).usesDirectChannels)
    fixture.offline.render(frameCount: 4_096)
    #expect(try !Self.source(of: player).usesDirectChannels)
    #expect(player.currentTime == fixture.offline.format.duration(ofFrames: 5_120 + 512 + 47_104 + 4_096))
  }

  @Test func `A late player whose sound cannot be opened again gets the position that it plays`() throws {
    var fixture = try PlayerFixture()
    let pcm = try PlayerFixture.noise(240_000)
    let count = Limited(pcm)
    _ = try Self.player(count.sound, in: &fixture)
    let player = try Self.player(Limited(pcm, opensAtMost: count.count).sound, in: &fixture)
    let source = try Self.source(of: player)
    source.playbackFrame -= 4_800
    fixture.world.act { state in
      let voice = Int(state.records[Int(player.id.slot)].voice)
      state.noteUnderruns(1, of: VoiceKey(voice: voice, use: state.voices[voice].use))
    }
    fixture.offline.render(frameCount: 60_000)
    #expect(player.isPlaying && player.currentTime == source.playbackTime)
    #expect(source.playbackFrame == 65_120 - 4_800)
  }

  @Test func `A sound of another format that waits is opened once, also if the pan changes meanwhile`() throws {
    var fixture = try PlayerFixture()
    let next = Limited(try PlayerFixture.noise(9_000, .mono(sampleRate: 44_100)))
    let player = try Self.player(Sound(try PlayerFixture.noise(24_000)), in: &fixture)
    player.schedule(next.sound)
    let scheduled = next.count
    // The voice of the next sound waits for the last 0.2 s or so.
    fixture.offline.render(frameCount: 18_000 - 5_120)
    #expect(next.count == scheduled + 1)
    player.pan = 0.5
    let mix = fixture.offline.render(frameCount: 6_000 + 2_048)
    #expect(next.count == scheduled + 1)
    #expect((0..<mix.frameCount - 256).allSatisfy { !mix.frames($0..<$0 + 256).isSilent(below: -60) })
  }

  @Test(arguments: [100, 400, 600, 1_500, 3_000])
  func `The end of a sound is audible if the pan changes right before it`(framesLeft: Int) throws {
    var fixture = try PlayerFixture()
    let player = try Self.player(Sound(try PlayerFixture.noise(12_000)), in: &fixture)
    fixture.offline.render(frameCount: 12_000 - 5_120 - framesLeft)
    player.pan = 0.5
    let mix = fixture.offline.render(frameCount: framesLeft)
    #expect(!mix.frames(framesLeft - 60..<framesLeft).isSilent(below: -40))
    fixture.offline.render(frameCount: 2_048)
    #expect(!player.isPlaying)
  }

  @Test(.hangLimit) func `A pan on a direct bus acts on an output that plays`() async throws {
    let contexts = [try AudioContext(device: .silent)] + [try? AudioContext()].compactMap(\.self)
    for context in contexts {
      let world = AudioWorld(in: context)
      let file = try SoundFile(try PlayerFixture.noise(48_000))
      let player = try SoundPlayer(
        playing: file.sound(streamed: true),
        in: world,
        on: world.mixer.bus("music", kind: .direct)
      )
      player.repeats = .forever
      player.play()
      try await eventually("the player plays") { world.source(ofSlot: Int(player.id.slot))?.state == .playing }
      for pan in [Float(0.5), 0, -1] {
        player.pan = pan
        let angles = PanLaw(pan: pan, channelCount: 2, onTwoLoudspeakers: world.withState { $0.hasTwoLoudspeakers })
          .angles
        try await eventually("the source has the angles of \(pan)") {
          guard let source = world.source(ofSlot: Int(player.id.slot)) else { return false }
          return source.stereoAngles == angles && source.usesDirectChannels == (pan == 0)
        }
      }
      player.stop()
    }
  }

  @Test func `A pause ends the delay of a stream after an underrun`() throws {
    var fixture = try PlayerFixture()
    let player = try Self.player(Sound(try PlayerFixture.noise(96_000)), in: &fixture)
    fixture.world.withState { state in
      let voice = Int(state.records[Int(player.id.slot)].voice)
      let key = VoiceKey(voice: voice, use: state.voices[voice].use)
      state.noteUnderruns(1, of: key)
      #expect(state.voices[voice].lateSince != nil)
    }
    player.pause()
    fixture.offline.render(frameCount: 2_048)
    fixture.world.withState { state in
      let voice = Int(state.records[Int(player.id.slot)].voice)
      state.adoptRest(5_000, of: VoiceKey(voice: voice, use: state.voices[voice].use))
      #expect(state.voices[voice].lateSince == nil)
    }
    #expect(player.currentTime == fixture.offline.format.duration(ofFrames: 5_000))
  }

  @Test func `The place of a late source is that of its last lap behind the clock`() {
    var random = SplitMix64(seed: 23)
    for _ in 0..<3_000 {
      let count = Int.random(in: 100...2_000, using: &random)
      let first = Int.random(in: 0..<count / 2, using: &random)
      let times = Int.random(in: -1...6, using: &random)
      let course = LogicalClock.Course(
        frameCount: count,
        loopRange: first..<count - Int.random(in: 0...9, using: &random),
        repeats: Repeats(integerLiteral: times)
      )
      var clock = LogicalClock(course, at: 0, step: 1)
      let frame = Int.random(in: 0...6_000, using: &random)
      let computed = clock.position(at: frame)
      // Less than a lap: the place of a longer delay is ambiguous.
      let delay = min(Double.random(in: 0...Double(course.loopRange.count) - 2, using: &random), computed)
      let real = computed - delay
      clock.adoptDelay(place: course.place(of: real), at: frame)
      #expect(abs(clock.position(at: frame) - real) < 1e-6, "\(course) \(computed) \(real)")
      #expect(abs(clock.position(at: frame + 5) - min(real + 5, course.length ?? .infinity)) < 1e-6)
    }
  }
}
