import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// Crossfades of players, and their fades.
@Suite struct PlayerCrossfadeTests {
  private func player(_ frequency: Double, in fixture: borrowing PlayerFixture) throws -> SoundPlayer {
    let tone = TestSignal.sine(
      frequency: frequency,
      duration: .seconds(8),
      format: PlayerFixture.mono,
      amplitude: 0.3
    )
    return try SoundPlayer(playing: Sound(tone), in: fixture.world)
  }

  @Test func `A crossfade back begins with the levels in force`() throws {
    var fixture = try PlayerFixture(PlayerFixture.mono)
    let (first, second) = (try player(300, in: fixture), try player(500, in: fixture))
    let fade = Fade(.seconds(1), .equalPower)
    first.play()
    let before = fixture.offline.render(frameCount: 24_000)
    first.crossfade(to: second, fade)
    var samples = fixture.offline.render(frameCount: 19_200).samples
    second.crossfade(to: first, fade)
    #expect(first.isPlaying && second.isPlaying)
    var levels: [Float] = []
    for _ in 0..<10 {
      let part = fixture.offline.render(frameCount: 4_800)
      levels.append((part.level(at: 300) - before.level(at: 300)).rawValue)
      samples += part.samples
    }
    // 0.4 s into the first fade, the level is that of the cosine: -1.8 dB.
    #expect(zip(levels, levels.dropFirst()).allSatisfy { $1 > $0 - 0.05 } && levels[0] > -2, "\(levels)")
    #expect(abs(levels[9]) < 0.1)
    let mix = try PCMBuffer(samples: samples, format: PlayerFixture.mono)
    #expect(mix.clicks(highestFrequency: 1_000).isEmpty)
    fixture.offline.render(frameCount: 2_048)
    #expect(first.isPlaying && !second.isPlaying)
    #expect(first.playbackTime == PlayerFixture.mono.duration(ofFrames: 24_000 + 19_200 + 48_000 + 2_048))
  }

  @Test func `A play in a crossfade ends the fade-out`() throws {
    var fixture = try PlayerFixture(PlayerFixture.mono)
    let (first, second) = (try player(300, in: fixture), try player(500, in: fixture))
    first.play()
    var samples = fixture.offline.render(frameCount: 9_600).samples
    first.crossfade(to: second, Fade(.seconds(1)))
    samples += fixture.offline.render(frameCount: 9_600).samples
    first.play()
    samples += fixture.offline.render(frameCount: 9_600).samples
    let mix = try PCMBuffer(samples: samples, format: PlayerFixture.mono)
    #expect(mix.frames(512..<mix.frameCount).clicks(highestFrequency: 1_000).isEmpty)
    fixture.offline.render(.seconds(2))
    #expect(first.isPlaying && second.isPlaying && first.volume == 1)
  }

  @Test func `A player that fades out forgets its moments`() throws {
    var fixture = try PlayerFixture(PlayerFixture.mono)
    let (first, second) = (try player(300, in: fixture), try player(500, in: fixture))
    first.play()
    fixture.offline.render(frameCount: 9_600)
    let noise = Sound(try PlayerFixture.noise(48_000, PlayerFixture.mono))
    first.schedule(noise, .at(fixture.offline.context.clock + .milliseconds(1_500)))
    first.crossfade(to: second)
    fixture.offline.render(.seconds(2))
    #expect(!first.isPlaying && second.isPlaying)
    #expect(fixture.world.inspector.takenVoiceCount == 1)
  }

  @Test(arguments: [1_000, 100, 20], [Fade.Curve.equalPower, .decibels])
  func `A crossfade does not click`(milliseconds: Int, curve: Fade.Curve) throws {
    var fixture = try PlayerFixture(PlayerFixture.mono)
    let (first, second) = (try player(300, in: fixture), try player(500, in: fixture))
    first.play()
    fixture.offline.render(frameCount: 9_600)
    first.crossfade(to: second, Fade(.milliseconds(milliseconds), curve))
    #expect(fixture.offline.render(frameCount: 60_000).clicks(highestFrequency: 1_000).isEmpty)
    #expect(!first.isPlaying && second.isPlaying)
  }
}
