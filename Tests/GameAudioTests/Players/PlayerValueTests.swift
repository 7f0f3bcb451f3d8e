import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The values of a player at the ends of their ranges, and the numbers of sounds that are being opened.
@Suite struct PlayerValueTests {
  @Test func `A pan, a rate and a volume end at their ranges, and a time before the beginning is the beginning`() throws
  {
    let fixture = try PlayerFixture()
    let player = try SoundPlayer(playing: Sound(try PlayerFixture.noise(48_000)), in: fixture.world)
    #expect(player.pan == 0 && player.pitch == 1 && player.volume == 1 && player.repeats == 0 && !player.isPlaying)
    #expect(player.priority == .mustBeHeard && player.bus == fixture.world.mixer.main && player.loopRange == nil)
    #expect(player.format == PlayerFixture.stereo && player.duration == .seconds(1) && player.playbackTime == .zero)
    for (value, used) in [(-2, -1), (-1, -1), (-0.5, -0.5), (0.25, 0.25), (1, 1), (7, 1)] as [(Float, Float)] {
      player.pan = value
      #expect(player.pan == used)
    }
    for (value, used) in [(-1, 0.25), (0.25, 0.25), (0.3, 0.3), (2, 2), (4, 4), (4.1, 4)] as [(Float, Float)] {
      player.pitch = value
      #expect(player.pitch == used)
    }
    for (value, used) in [(0, 0), (0.5, 0.5), (-1, 0.5), (1, 1), (1.5, 1)] as [(Gain, Gain)] {
      player.volume = value
      #expect(player.volume == used)
    }
    for (value, used) in [(-500, 0), (0, 0), (250, 250), (1_000, 1_000), (5_000, 1_000)] {
      player.playbackTime = .milliseconds(value)
      #expect(player.playbackTime == .milliseconds(used))
    }
  }

  @Test func `Each sound that was opened, or could not be, is one less that is being opened`() throws {
    let fixture = try PlayerFixture()
    let sound = Sound(try PlayerFixture.noise(4_800))
    let player = try SoundPlayer(playing: sound, in: fixture.world)
    func opening() -> Int? { player.inspector.openingCount }
    #expect(opening() == 0)
    player.schedule(sound)
    #expect(opening() == 0)
    player.inspector.openingCount = 3
    player.schedule(sound)
    #expect(opening() == 3)
    player.schedule(Sound("missing.wav"))
    #expect(opening() == 3)
    player.inspector.openingCount = 0
  }

  @Test func `A crossfade without a length begins the other player with its first frame, at its whole level`() throws {
    var fixture = try PlayerFixture()
    let noise = try PlayerFixture.noise(48_000)
    let players = try (0..<2).map { _ in try SoundPlayer(playing: Sound(noise), in: fixture.world) }
    players[0].play()
    fixture.offline.render(frameCount: 10_240)
    players[0].crossfade(to: players[1], .none)
    #expect(!players[0].isPlaying && players[1].isPlaying)
    let mix = fixture.offline.render(frameCount: 8_192)
    // The first player has faded out by then.
    let frames = 1_024..<8_192
    #expect(largestDifference(PlayerFixture.samples(mix, frames), PlayerFixture.samples(noise, frames)) < 2e-5)
    #expect(PlayerFixture.samples(mix, 0..<1_024).allSatisfy { $0.isFinite })
    let first = PlayerFixture.samples(mix, 520..<1_024)
    #expect(largestDifference(first, PlayerFixture.samples(noise, 520..<1_024)) < 0.02)
  }

  @Test
  func `A standing interruption takes the voice of a player that has not begun, and leaves that of one that plays`()
    throws
  {
    var fixture = try PlayerFixture()
    let sound = Sound(try PlayerFixture.noise(48_000))
    let (early, late) = (
      try SoundPlayer(playing: sound, in: fixture.world), try SoundPlayer(playing: sound, in: fixture.world)
    )
    early.play()
    fixture.offline.render(frameCount: 2_048)
    late.play(at: fixture.offline.context.clock + .milliseconds(100))
    func voices() -> [Bool] { [early, late].map { $0.inspector.voice != nil } }
    #expect(voices() == [true, true])
    fixture.world.beginInterruption(isStanding: true)
    #expect(voices() == [true, false] && !early.isPlaying && !late.isPlaying)
    #expect([early, late].allSatisfy { $0.inspector.status == .paused })
    fixture.world.endInterruption(shouldResume: true, resumingAfter: .zero)
    #expect(early.isPlaying && late.isPlaying)
    fixture.offline.render(frameCount: 2_048)
    #expect(voices() == [true, true])
    // An interruption fades players out while the mix goes on.
    fixture.world.beginInterruption()
    #expect([early, late].allSatisfy { $0.inspector.status == .pausing })
    fixture.offline.render(frameCount: 2_048)
    #expect([early, late].allSatisfy { $0.inspector.status == .paused })
  }
}
