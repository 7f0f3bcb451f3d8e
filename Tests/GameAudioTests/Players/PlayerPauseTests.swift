import Spatial3DTesting
import Testing

@testable import GameAudio

/// Calls of a player within the 10 ms of a pause or of a stop.
@Suite struct PlayerPauseTests {
  @Test func `A player that plays again while it fades to a pause goes on with its voice, where it would be`() throws {
    var fixture = try PlayerFixture()
    let noise = try PlayerFixture.noise(48_000)
    let player = try SoundPlayer(playing: Sound(noise), in: fixture.world)
    player.play()
    fixture.offline.render(frameCount: 4_096)
    let before = player.inspector.voiceKey
    player.pause()
    fixture.offline.render(frameCount: 200)
    player.play()
    #expect(player.inspector.voiceKey == before && player.isPlaying)
    fixture.offline.render(frameCount: 1_000)
    let mix = fixture.offline.render(frameCount: 4_000)
    let expected = PlayerFixture.samples(noise, 5_296..<9_296)
    #expect(largestDifference(mix.samples, expected) < 2e-5 && player.inspector.voiceKey == before)
  }

  @Test(arguments: [false, true])
  func `A player that is to play at a moment while it fades out is silent until then, and exact to the frame`(
    stops: Bool
  ) throws {
    var fixture = try PlayerFixture()
    let noise = try PlayerFixture.noise(48_000)
    let player = try SoundPlayer(playing: Sound(noise), in: fixture.world)
    player.play()
    fixture.offline.render(frameCount: 4_096)
    if stops {
      let other = try SoundPlayer(playing: Sound(noise), in: fixture.world)
      other.volume = 0
      player.crossfade(to: other, Fade(.seconds(1)))
    } else {
      player.pause()
    }
    fixture.offline.render(frameCount: 200)
    let moment = fixture.offline.context.clock + PlayerFixture.stereo.duration(ofFrames: 9_000)
    player.play(at: moment)
    let place = player.playbackTime
    let mix = fixture.offline.render(frameCount: 15_000)
    #expect(mix.frames(1_100..<9_000).isSilent(below: -100))
    let first = PlayerFixture.stereo.frameCount(in: place)
    #expect((4_096...4_300).contains(first))
    let expected = PlayerFixture.samples(noise, first + 100..<first + 6_000)
    #expect(largestDifference(PlayerFixture.samples(mix, 9_100..<15_000), expected) < 2e-5)
  }

  @Test func `A loop of the last frame alone is a loop, and one behind it is none`() throws {
    let fixture = try PlayerFixture()
    let reports = Collected<Diagnostic>()
    fixture.offline.context.onDiagnostic = { reports.append($0) }
    let player = try SoundPlayer(playing: Sound(try PlayerFixture.noise(1_000)), in: fixture.world)
    player.repeats = 4
    for range in [999..<1_000, 0..<1] {
      player.loopRange = range
      #expect(player.loopRange == range && reports.all.isEmpty, "\(range)")
    }
    for range in [1_000..<1_001, -7..<0, 5..<5] {
      player.loopRange = range
      #expect(player.loopRange == 0..<1, "\(range)")
    }
    #expect(reports.all.map(\.code) == Array(repeating: .loopRangeIgnored, count: 3))
    var sound = Sound(try PlayerFixture.noise(1_000))
    sound.loopRange = 999..<1_000
    #expect(throws: Never.self) { try OpenedSound(sound) }
    sound.loopRange = 1_000..<1_001
    #expect(throws: GameAudioError.self) { try OpenedSound(sound) }
  }

  @Test func `A loop range partly outside of a player's sound is reported once, wherever it is set`() throws {
    let fixture = try PlayerFixture()
    let reports = Collected<Diagnostic>()
    fixture.offline.context.onDiagnostic = { reports.append($0) }
    var sound = Sound(try PlayerFixture.noise(1_000))
    sound.loopRange = 900..<1_200
    let players = try (0..<2).map { _ in try SoundPlayer(playing: sound, in: fixture.world) }
    #expect(reports.all.map(\.code) == [.loopRangeIgnored])
    for range in [999..<2_000, -7..<1, 999..<2_000, 900..<1_200] {
      players[0].loopRange = range
      #expect(players[0].loopRange == range)
    }
    #expect(reports.all.count == 3)
    sound.loopRange = 100..<1_001
    for player in players { player.schedule(sound) }
    #expect(reports.all.count == 4)
    #expect(
      reports.all[3].message.hasPrefix(
        "The loop range 100..<1001 is not inside of A sound in memory, which has 1000 frames: 100..<1000 repeats."
      )
    )
  }
}
