import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// Sounds that begin at a moment, on players that do not play.
@Suite struct PlayerScheduledSoundTests {
  private func time(_ frames: Int) -> Duration { PlayerFixture.stereo.duration(ofFrames: frames) }

  @Test(arguments: [false, true], [false, true])
  func `Two sounds with moments play both, in any order of the calls`(isReversed: Bool, isPaused: Bool) throws {
    var fixture = try PlayerFixture()
    let sounds = try (1...2).map { try PlayerFixture.noise(9_000, seed: $0) }
    let player = try SoundPlayer(playing: Sound(try PlayerFixture.noise(48_000, seed: 3)), in: fixture.world)
    if isPaused {
      player.play()
      fixture.offline.render(frameCount: 5_120)
      player.pause()
    }
    fixture.offline.render(frameCount: 5_120)
    let now = fixture.offline.context.clock
    let order = isReversed ? [1, 0] : [0, 1]
    for index in order { player.schedule(Sound(sounds[index]), .at(now + time(index == 0 ? 2_400 : 7_200))) }
    let mix = fixture.offline.render(frameCount: 20_000)
    #expect(mix.frames(0..<2_400).isSilent(below: -120))
    let first = PlayerFixture.samples(sounds[0], 64..<4_800)
    #expect(largestDifference(PlayerFixture.samples(mix, 2_464..<7_200), first) < 2e-5)
    let second = PlayerFixture.samples(sounds[1], 2_048..<9_000)
    #expect(largestDifference(PlayerFixture.samples(mix, 9_248..<16_200), second) < 2e-5)
    #expect(mix.frames(16_200..<20_000).isSilent(below: -120))
    #expect(!player.isPlaying && fixture.world.inspector.usedVoiceCount == 0)
  }

  @Test func `A sound with a moment goes ahead of a player's own start`() throws {
    var fixture = try PlayerFixture()
    let (first, second) = (try PlayerFixture.noise(48_000), try PlayerFixture.noise(9_000, seed: 2))
    let player = try SoundPlayer(playing: Sound(first), in: fixture.world)
    let now = fixture.offline.context.clock
    player.play(at: now + time(7_200))
    player.schedule(Sound(second), .at(now + time(2_400)))
    let mix = fixture.offline.render(frameCount: 14_000)
    #expect(mix.frames(0..<2_400).isSilent(below: -120))
    let expected = PlayerFixture.samples(second, 1_024..<9_000)
    #expect(largestDifference(PlayerFixture.samples(mix, 3_424..<11_400), expected) < 2e-5)
    #expect(mix.frames(11_400..<14_000).isSilent(below: -120))
  }

  @Test func `A paused player keeps its position up to the moment of the next sound`() throws {
    var fixture = try PlayerFixture()
    let (first, second) = (try PlayerFixture.noise(48_000), try PlayerFixture.noise(9_000, seed: 2))
    let player = try SoundPlayer(playing: Sound(first), in: fixture.world)
    player.play()
    fixture.offline.render(frameCount: 10_240)
    player.pause()
    fixture.offline.render(frameCount: 4_096)
    player.schedule(Sound(second), .at(fixture.offline.context.clock + time(9_216)))
    fixture.offline.render(frameCount: 4_096)
    #expect(!player.isPlaying && player.playbackTime == time(10_752) && player.duration == time(48_000))
    player.play()
    let mix = fixture.offline.render(frameCount: 16_384)
    let resumed = PlayerFixture.samples(first, 10_752 + 1_024..<10_752 + 5_120)
    #expect(largestDifference(PlayerFixture.samples(mix, 1_024..<5_120), resumed) < 2e-5)
    let next = PlayerFixture.samples(second, 2_048..<9_000)
    #expect(largestDifference(PlayerFixture.samples(mix, 7_168..<14_120), next) < 2e-5)
  }

  @Test(arguments: ["stop", "release", "crossfade"])
  func `A voice that is reserved for a moment is free after the end of the scheduled sound`(call: String) throws {
    var fixture = try PlayerFixture()
    var player: SoundPlayer? = try SoundPlayer(playing: Sound(try PlayerFixture.noise(100)), in: fixture.world)
    let other = try SoundPlayer(playing: Sound(try PlayerFixture.noise(100)), in: fixture.world)
    player?.schedule(Sound(try PlayerFixture.noise(9_000)), .at(fixture.offline.context.clock + time(7_200)))
    fixture.offline.render(frameCount: 1_024)
    #expect(fixture.world.inspector.takenVoiceCount == 1)
    switch call {
    case "stop": player?.stop()
    case "release": player = nil
    default: player?.crossfade(to: other, .none)
    }
    fixture.offline.render(frameCount: 2_048)
    #expect(fixture.world.inspector.usedVoiceCount == 0 && !fixture.world.inspector.needsTicks)
    #expect(fixture.offline.render(frameCount: 9_600).isSilent(below: -120))
  }

  @Test(arguments: [24_000, 96_000])
  func `The moments of a player, and those of a late stream, stay where they are at another rate`(rate: Int) throws {
    var fixture = try PlayerFixture()
    let sound = Sound(try PlayerFixture.noise(48_000))
    let player = try SoundPlayer(playing: sound, in: fixture.world)
    player.play()
    fixture.offline.render(frameCount: 10_240)
    for seconds in [2, 3] { player.schedule(sound, .at(.seconds(seconds))) }
    player.pause()
    let physics = fixture.offline.context.physics
    var state = fixture.world.inspector.state
    state.adopt(physics)
    state.playback.voices.change(0) { $0.lateSince = 4_800 }
    let silent = state.playback.scene.players.records[0].playlist?.silentSince
    #expect(
      silent != nil
        && state.playback.scene.players.records[0].playlist?.scheduledSounds.map(\.begin) == [96_000, 144_000]
    )
    var other = physics
    (other.frame, other.sampleRate) = (physics.frame * rate / 48_000, rate)
    state.adopt(other)
    #expect(state.playback.scene.players.records[0].playlist?.scheduledSounds.map(\.begin) == [2 * rate, 3 * rate])
    #expect(state.playback.scene.players.records[0].playlist?.silentSince == silent.map { $0 * rate / 48_000 })
    #expect(state.playback.voices[0].lateSince == rate / 10)
  }
}
