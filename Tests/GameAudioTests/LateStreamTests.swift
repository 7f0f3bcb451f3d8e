import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// Streams that are late after an underrun.
///
/// Offline no stream has an underrun: a test moves the source back, and counts one.
@Suite struct LateStreamTests {
  private static let delay = 4_800

  /// The source of an emitter or player, moved back by the delay, as after an underrun.
  private func delay(_ slot: WorldInspector.Slot) throws -> SoundSource {
    let source = try #require(slot.source)
    source.playbackFrame -= Self.delay
    slot.noteUnderrun()
    return source
  }

  @Test func `A player is at its clock again a second after an underrun`() throws {
    let sound = try PlayerFixture.noise(3 * 48_000)
    func mix(isLate: Bool) throws -> [Float] {
      var fixture = try PlayerFixture()
      let player = try SoundPlayer(playing: Sound(streaming: "noise") { SampleReader(sound) }, in: fixture.world)
      player.play()
      var samples = fixture.offline.render(frameCount: 24_000).samples
      if isLate { _ = try delay(player.inspector) }
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
    let source = try delay(emitter.inspector)
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
