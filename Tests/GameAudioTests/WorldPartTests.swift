import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// The objects of a world, and the world that they are in.
@Suite struct WorldPartTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  @Test func `Each object has the world that it was made in`() throws {
    let offline = try OfflineRenderer(format: Self.mono)
    let (world, other) = (AudioWorld(in: offline.context), AudioWorld(in: offline.context))
    let sound = Sound(TestSignal.silence(duration: .seconds(1), format: Self.mono))
    let (emitter, player) = (Emitter(playing: sound, in: world), try SoundPlayer(playing: sound, in: world))
    let (bank, clock) = (SoundBank(in: world), BeatClock(120, in: world))
    #expect(emitter.world === world && player.world === world && bank.world === world && clock.world === world)
    #expect(world.mixer.main.world === world && other.mixer.main.world === other)
  }

  @Test func `Two values of one bus are equal, with one hash, and buses of two worlds are not`() throws {
    let offline = try OfflineRenderer(format: Self.mono)
    let (world, other) = (AudioWorld(in: offline.context), AudioWorld(in: offline.context))
    let main = world.mixer.main
    #expect(main == world.mixer.main && main.hashValue == world.mixer.main.hashValue)
    #expect(main != other.mixer.main)
    #expect(Set([main, world.mixer.main, other.mixer.main]).count == 2)
  }

  @Test(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"), .hangLimit)
  func `A world without a context has one of its own on the default output`() throws {
    let (first, second) = (try AudioWorld(voiceLimit: 3), try AudioWorld())
    #expect(first.snapshot().voiceLimit == 3 && second.snapshot().voiceLimit == 64)
    #expect(first.context !== second.context)
  }
}
