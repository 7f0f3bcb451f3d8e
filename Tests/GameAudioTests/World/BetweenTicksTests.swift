import Spatial3D
import Spatial3DTesting
import Testing

@testable import GameAudio

/// A game that reads a property between two ticks gets the value of the present frame of the mix.
@Suite struct BetweenTicksTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  /// A sound that is silent for 4,800 frames, and loud for 200 then.
  private static func sound() throws -> Sound {
    let loud = (0..<200).map { $0 % 2 == 0 ? Float(0.5) : -0.5 }
    return Sound(try PCMBuffer(samples: [Float](repeating: 0, count: 4_800) + loud, format: mono))
  }

  /// A world after 4,950 frames, whose last tick was at 4,608, with a voice and an emitter without one.
  private final class Scene {
    var offline: OfflineRenderer
    let world: AudioWorld
    let emitters: [Emitter]

    init() throws {
      offline = try OfflineRenderer(format: BetweenTicksTests.mono)
      let world = AudioWorld(in: offline.context, voiceLimit: 1)
      self.world = world
      let sound = try BetweenTicksTests.sound()
      emitters = [.unity, .decibels(-20)].map { (gain: Gain) in
        let emitter = Emitter(playing: sound, in: world)
        (emitter.repeats, emitter.gain) = (.forever, gain)
        emitter.play()
        return emitter
      }
      var events: [EmitterNotification] = []
      world.takeEvents(into: &events)
      offline.render(frameCount: 4_950)
    }
  }

  @Test func `Levels are those of the present frame`() throws {
    let level: Float = -6.02
    let (first, second) = try (Scene(), Scene())
    #expect(abs(first.world.mixer.main.level.rawValue - level) < 0.1)
    #expect(abs(second.world.voiceStatistics().virtualLevel.rawValue - (level - 20)) < 0.1)
    let explained = try Scene()
    #expect(abs(explained.world.explain(explained.emitters[0]).level.rawValue - level) < 0.1)
    let pictured = try Scene()
    let snapshot = pictured.world.snapshot()
    #expect(abs(snapshot.time - 4_950 / 48_000) < 1e-6)
    #expect(snapshot.emitters.map { ($0.level.rawValue * 2).rounded() / 2 } == [-6, -26])
    #expect(abs(snapshot.emitters[0].place - 4_950 / 48_000) < 1e-6)
    withExtendedLifetime((first, second, explained, pictured)) {}
  }

  @Test func `Times and laps are those of the present frame`() throws {
    let scene = try Scene()
    #expect(abs(scene.emitters[0].playbackTime / .seconds(1) - 4_950 / 48_000) < 1e-9)
    scene.offline.render(frameCount: 100)
    // The last tick was at 4,608 frames, and the lap has ended at 5,000.
    #expect(abs(scene.emitters[1].playbackTime / .seconds(1) - 50 / 48_000) < 1e-9)
    let other = try Scene()
    other.offline.render(frameCount: 100)
    var events: [EmitterNotification] = []
    other.world.takeEvents(into: &events)
    #expect(events.map(\.event) == [.looped(1), .looped(1)])
    // A play, a fade and a stop begin now.
    other.offline.render(frameCount: 30)
    other.emitters[0].play()
    other.emitters[1].fade(to: .decibels(-30), Fade(.seconds(1)))
    other.world.mixer.main.fade(to: .decibels(-30), Fade(.seconds(1)))
    let state = other.world.inspector.state
    #expect(state.playback.now == 5_080 && state.playback.scene.emitters[0].began == 5_080)
    #expect(
      state.playback.scene.fades.running.map(\.begin) == [5_080]
        && state.playback.scene.mixer.fades.running.map(\.begin) == [5_080]
    )
  }

  @Test func `A copy for a snapshot holds no effect, no clock and no recording`() throws {
    let scene = try Scene()
    let world = scene.world
    world.zones = [ReverbZone(.sphere(center: .zero, radius: 5), Reverb(.smallRoom))]
    let beats = BeatClock(90, in: world)
    let recording = world.record()
    let state = world.inspector.state
    let copy = WorldCopy(state)
    #expect(
      state.playback.scene.space.zones.effects[0] != nil && state.clocks.count == 1
        && state.playback.log.logs.count == 1
    )
    #expect(
      copy.scene.space.zones.effects.allSatisfy { $0 == nil } && copy.scene.space.zones.effects.count == 3
    )
    #expect(copy.clocks.map(\.id) == [1] && copy.suspensions == [])
    #expect(copy.silence == nil)
    recording.stop()
    withExtendedLifetime(beats) {}
  }
}
