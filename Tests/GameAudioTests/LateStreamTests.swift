import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio
@testable import Spatial3D

/// Streams that are late after an underrun.
///
/// Offline no stream has an underrun: a test moves the source back, and counts one.
@Suite struct LateStreamTests {
  private static let delay = 4_800

  /// The source of a slot, moved back by the delay, as after an underrun.
  private func delay(_ slot: Int32, of world: AudioWorld) throws -> SoundSource {
    let source = try #require(world.source(ofSlot: Int(slot)))
    source.playbackFrame -= Self.delay
    world.act { state in
      let voice = Int(state.records[Int(slot)].voice)
      state.noteUnderruns(1, of: VoiceKey(voice: voice, use: state.voices[voice].use))
    }
    return source
  }

  @Test func `A player is at its clock again a second after an underrun`() throws {
    let sound = try PlayerFixture.noise(3 * 48_000)
    func mix(isLate: Bool) throws -> [Float] {
      var fixture = try PlayerFixture()
      let player = try SoundPlayer(playing: Sound(streaming: "noise") { SampleReader(sound) }, in: fixture.world)
      player.play()
      var samples = fixture.offline.render(frameCount: 24_000).samples
      if isLate { _ = try delay(player.id.slot, of: fixture.world) }
      samples += fixture.offline.render(frameCount: 72_000).samples
      #expect(player.isPlaying && player.playbackTime == .seconds(2))
      return samples
    }
    let (mix, late) = (try mix(isLate: false), try mix(isLate: true))
    let isLate = { (frame: Int) in mix[2 * frame] != late[2 * frame] }
    #expect(largestDifference(mix.prefix(48_000), late.prefix(48_000)) == 0)
    // The voice that goes on plays silently for two ticks before it takes over.
    #expect((25_000..<72_000).allSatisfy(isLate))
    #expect(largestDifference(mix.suffix(2 * 20_000), late.suffix(2 * 20_000)) < 1e-6)
  }

  @Test func `The clock of an emitter adopts the place of its stream a second after an underrun`() throws {
    let sound = TestSignal.noise(duration: .seconds(4), format: PlayerFixture.mono)
    var fixture = try PlayerFixture()
    let emitter = Emitter(playing: Sound(streaming: "noise") { SampleReader(sound) }, in: fixture.world)
    emitter.play()
    _ = fixture.offline.render(frameCount: 24_000)
    let source = try delay(emitter.id.slot, of: fixture.world)
    _ = fixture.offline.render(frameCount: 47_000)
    func frames(ahead: Duration) -> Double { ahead / .seconds(1) * 48_000 }
    #expect(abs(frames(ahead: emitter.playbackTime - source.playbackTime) - Double(Self.delay)) < 0.01)
    _ = fixture.offline.render(frameCount: 3_000)
    #expect(abs(frames(ahead: emitter.playbackTime - source.playbackTime)) < 0.01)
    // It ends when its stream does.
    _ = fixture.offline.render(frameCount: 192_000 - 24_000 - 50_000)
    #expect(emitter.isPlaying)
    _ = fixture.offline.render(frameCount: Self.delay + 1_024)
    #expect(!emitter.isPlaying)
  }
}
