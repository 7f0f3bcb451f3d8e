import GameAudio
import Spatial3DReports
import Spatial3DTesting
import Testing

/// A game that imports GameAudio, and its tests that import the products for tests.
@Suite struct GameTests {
  private static let stereo = PCMFormat.stereo(sampleRate: 48_000)

  private static let noise = Sound(TestSignal.noise(duration: .seconds(1), format: .mono(sampleRate: 48_000)))

  @Test func `A recorded game is louder where its sound is, replays to the bit, and has a page`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let recording = world.record()
    world.playOnce(Self.noise, at: [4, 0, 0])
    let mix = offline.render(.milliseconds(500))
    recording.stop()
    #expect(mix.level(ofChannel: 1) > mix.level(ofChannel: 0))

    var other = try OfflineRenderer(format: Self.stereo)
    let copy = AudioWorld(in: other.context)
    recording.replay(in: copy)
    let difference = try other.render(.milliseconds(500)).difference(from: mix)
    #expect(difference.firstFrame == nil, "\(difference)")
    #expect(WorldPage(recording, title: "Growl").markup.contains("<title>Growl</title>"))
    withExtendedLifetime((world, copy)) {}
  }

  @Test func `A call silences a game that follows its session, until the call ends`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let system = SimulatedSession()
    let session = AudioSession(system)
    try session.activate()
    let following = world.follow(session)
    let emitter = Emitter(playing: Self.noise, in: world)
    emitter.repeats = .forever
    emitter.play()
    #expect(!offline.render(.milliseconds(500)).isSilent())

    system.post(.phoneCallBegan)
    offline.render(.milliseconds(100))
    #expect(offline.render(.milliseconds(500)).isSilent())
    #expect(world.explain(emitter).verdict == .silent(.silencedBySession))

    system.post(.phoneCallEnded(shouldResume: true))
    #expect(!offline.render(.milliseconds(500)).isSilent())
    withExtendedLifetime(following) {}
  }
}
