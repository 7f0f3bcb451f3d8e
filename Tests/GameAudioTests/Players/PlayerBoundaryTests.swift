import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// Calls between the end of a sound and the next tick: they act on the sound that plays.
@Suite struct PlayerBoundaryTests {
  private func time(_ frames: Int) -> Duration { PlayerFixture.stereo.duration(ofFrames: frames) }

  /// A player whose second sound plays since 240 frames.
  private func player(_ second: PCMBuffer<Float>, in fixture: inout PlayerFixture) throws -> SoundPlayer {
    let player = try SoundPlayer(playing: Sound(try PlayerFixture.noise(10_000)), in: fixture.world)
    player.schedule(Sound(second))
    player.play()
    fixture.offline.render(frameCount: 10_240)
    return player
  }

  private static let seeks = ["seek", "pause", "interruption", "interruption without a mix", "stop"]

  @Test(arguments: seeks)
  func `A seek right behind a gapless boundary is one of the sound that plays`(call: String) throws {
    var fixture = try PlayerFixture()
    let second = try PlayerFixture.noise(20_000, seed: 2)
    let player = try player(second, in: &fixture)
    switch call {
    case "pause": player.pause()
    case "interruption": fixture.world.beginInterruption()
    case "interruption without a mix": fixture.world.beginInterruption(isStanding: true)
    case "stop": player.stop()
    default: break
    }
    if call != "seek" {
      fixture.offline.render(frameCount: 4_096)
      #expect(player.duration == time(20_000))
    }
    player.playbackTime = .zero
    #expect(player.duration == time(20_000))
    player.play()
    let mix = fixture.offline.render(frameCount: 8_192)
    let expected = PlayerFixture.samples(second, 2_048..<8_192)
    #expect(largestDifference(PlayerFixture.samples(mix, 2_048..<8_192), expected) < 2e-5)
  }

  @Test func `A seek right behind a change of the format is one of the sound that plays`() throws {
    var fixture = try PlayerFixture()
    let second = try PlayerFixture.noise(20_000, PlayerFixture.mono)
    let player = try player(second, in: &fixture)
    player.playbackTime = .milliseconds(100)
    #expect(player.format == PlayerFixture.mono && player.playbackTime == .milliseconds(100))
    fixture.offline.render(frameCount: 16_384)
    #expect(!player.isPlaying && player.playbackTime == .zero && player.format == PlayerFixture.mono)
  }

  @Test func `Repetitions and loops right behind a boundary are those of the sound that plays`() throws {
    var fixture = try PlayerFixture()
    let second = try PlayerFixture.noise(20_000, seed: 2)
    let player = try player(second, in: &fixture)
    player.repeats = 1
    #expect(player.repeats == 1 && player.duration == time(20_000))
    player.loopRange = 4_000..<12_000
    let mix = fixture.offline.render(frameCount: 30_000)
    let expected = [240..<12_000, 4_000..<20_000].flatMap { PlayerFixture.samples(second, $0) }
    #expect(largestDifference(PlayerFixture.samples(mix, 0..<27_760), expected) < 2e-4)
    #expect(mix.frames(27_760..<30_000).isSilent(below: -120))
  }

  @Test func `The end of the loop right behind a boundary is that of the sound that plays`() throws {
    var fixture = try PlayerFixture()
    let (second, third) = (try PlayerFixture.noise(20_000, seed: 2), try PlayerFixture.noise(3_000, seed: 3))
    let player = try player(second, in: &fixture)
    player.schedule(Sound(third), .atLoopEnd)
    #expect(player.duration == time(20_000))
    let mix = fixture.offline.render(frameCount: 24_000)
    let expected = PlayerFixture.samples(second, 240..<20_000) + third.samples
    #expect(largestDifference(PlayerFixture.samples(mix, 0..<22_760), expected) < 2e-4)
    #expect(mix.frames(22_760..<24_000).isSilent(below: -120))
    #expect(player.duration == time(3_000))
  }

  @Test func `A last sound that is shorter than a tick stays the sound of the player`() throws {
    var fixture = try PlayerFixture()
    let player = try player(try PlayerFixture.noise(100, seed: 2), in: &fixture)
    fixture.offline.render(frameCount: 2_048)
    #expect(!player.isPlaying && player.duration == time(100))
  }

  @Test func `Sounds of other formats that are shorter than a tick are over in one`() throws {
    var fixture = try PlayerFixture()
    let first = try PlayerFixture.noise(5_000)
    let player = try SoundPlayer(playing: Sound(first), in: fixture.world)
    for index in 0..<12 {
      let format = index % 2 == 0 ? PlayerFixture.mono : PlayerFixture.stereo
      player.schedule(Sound(try PlayerFixture.noise(10, seed: UInt64(index + 2), format)))
    }
    let last = try PlayerFixture.noise(9_000, seed: 20, PlayerFixture.mono)
    player.schedule(Sound(last))
    player.play()
    fixture.offline.render(frameCount: 5_632)
    // The tick at frame 5,120 is the first one behind the end of all of them.
    #expect(fixture.world.snapshot().players[0].queued == nil && player.isPlaying)
    #expect(player.duration == PlayerFixture.mono.duration(ofFrames: 9_000))
    let mix = fixture.offline.render(frameCount: 4_000)
    let left = (1_000..<4_000).map { mix.samples[2 * $0] }
    let begin = 5_632 - 5_120
    let expected = last.frames(begin + 1_000..<begin + 4_000).samples.map { $0 * Float(0.5).squareRoot() }
    #expect(largestDifference(left, expected) < 2e-3)
  }
}
