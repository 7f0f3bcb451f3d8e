import GameAudio
import Spatial3DTesting
import Testing

/// Snapshots that a program reads, beside the objects of the world.
@Suite struct SnapshotReadingTests {
  private static let noise = Sound(TestSignal.noise(duration: .seconds(2), format: .mono(sampleRate: 48_000)))

  @Test func `A player has its settings, its place in the sound and its level`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let player = try SoundPlayer(playing: Self.noise, in: world)
    let idle = try #require(world.snapshot().players.first)
    #expect(idle.state == .idle && idle.silence == .notPlaying && idle.level == .silence)
    #expect(idle.sound == "A sound in memory" && idle.bus == "main")
    #expect(idle.pitch == nil && idle.repeats == nil && idle.place == 0)
    (player.volume, player.repeats) = (0.5, .forever)
    player.play()
    offline.render(.milliseconds(500))
    let playing = try #require(world.snapshot().players.first)
    #expect(playing.state == .playing && playing.silence == nil && playing.volume == 0.5 && playing.repeats == -1)
    #expect(abs(playing.place - 0.5) < 0.01)
    #expect(abs((playing.level - world.explain(player).level).rawValue) < 0.01)
    player.pitch = 2
    world.mixer.main.isMuted = true
    let muted = try #require(world.snapshot().players.first)
    #expect(muted.pitch == 2 && muted.silence == .muted(by: "the bus main"))
    player.pause()
    offline.render(.milliseconds(200))
    #expect(world.snapshot().players.map(\.state) == [.paused])
  }

  @Test func `An emitter has its motion, its attenuation and its behavior, or no value for a default`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let emitter = Emitter(playing: Self.noise, in: world)
    let plain = try #require(world.snapshot().emitters.first)
    #expect(plain.velocity == nil && plain.direction == nil && plain.obstruction == nil)
    #expect(plain.virtualBehavior == nil && plain.state == .idle)
    (emitter.velocity, emitter.direction) = ([0, 4, 0], [0, 0, 2])
    (emitter.obstruction, emitter.virtualBehavior) = (-8, .stop)
    emitter.play()
    offline.render(.milliseconds(100))
    let playing = try #require(world.snapshot().emitters.first)
    #expect(playing.velocity == [0, 4, 0] && playing.direction == [0, 0, 2] && playing.obstruction == -8)
    #expect(playing.virtualBehavior == .stop && playing.state == .playing)
    emitter.pause()
    offline.render(.milliseconds(200))
    #expect(world.snapshot().emitters.map(\.state) == [WorldSnapshot.State.paused])
  }

  @Test func `A clock runs from its start to its stop`() throws {
    let offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let beats = BeatClock(90, in: world)
    #expect(world.snapshot().clocks.map(\.isRunning) == [false])
    beats.start()
    #expect(world.snapshot().clocks.map(\.isRunning) == [true])
    beats.stop()
    #expect(world.snapshot().clocks.map(\.isRunning) == [false])
  }
}
