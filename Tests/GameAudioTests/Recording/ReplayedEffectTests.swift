import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// Replays of effects that were made while the recording ran.
@Suite struct ReplayedEffectTests {
  private static let noise = Sound(TestSignal.noise(duration: .seconds(2), format: .mono(sampleRate: 48_000)))

  /// The first frame at which the replay of a game differs from its mix; `nil` for none.
  private func firstDifference(
    _ game: (inout OfflineRenderer, AudioWorld) throws -> [PCMBuffer<Float>]
  ) throws -> Int? {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context, voiceLimit: 4)
    let recording = world.record()
    let mix = try game(&offline, world)
    recording.stop()
    #expect(recording.isComplete)
    var other = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let copy = AudioWorld(in: other.context, voiceLimit: 4)
    recording.replay(in: copy)
    let own = mix.flatMap(\.samples)
    let replayed = mix.flatMap { other.render(frameCount: $0.frameCount).samples }
    #expect(own.contains { $0 != 0 })
    return zip(own, replayed).enumerated().first { $0.element.0 != $0.element.1 }.map { $0.offset / 2 }
  }

  @Test func `An effect that was made after the effect of a zone is mixed after it`() throws {
    let difference = try firstDifference { offline, world in
      world.zones = [ReverbZone(.sphere(center: .zero, radius: 9), Reverb(.largeHall, level: 0))]
      let unit = try EffectUnit(.reverb(Reverb(efx: .cave)), in: world.context)
      let emitter = Emitter(playing: Self.noise, in: world)
      emitter.position = [1, 0, -1]
      emitter.send(to: unit, gain: .decibels(-3))
      emitter.play()
      return [offline.render(.milliseconds(300))]
    }
    #expect(difference == nil)
  }

  @Test func `The modulation of an effect begins at the frame at which the game made the effect`() throws {
    let difference = try firstDifference { offline, world in
      let emitter = Emitter(playing: Self.noise, in: world)
      emitter.play()
      let before = offline.render(frameCount: 1_000)
      let unit = try EffectUnit(.chorus(.chorus), in: world.context)
      let between = offline.render(frameCount: 3_000)
      emitter.send(to: unit, gain: .unity)
      return [before, between, offline.render(.milliseconds(300))]
    }
    #expect(difference == nil)
  }
}
