import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// Repetitions and loops of players, to the sample.
@Suite struct PlayerRepeatTests {
  @Test(arguments: ["wav", "aiff", "caf", "flac", "ogg", "opus", "mp3"], [false, true])
  func `Three repetitions play four times, to the sample`(ending: String, streamed: Bool) throws {
    var fixture = try PlayerFixture()
    let file = try SoundFile(try PlayerFixture.noise(4_001), ending)
    let sound = try file.decoded()
    #expect(sound.frameCount == 4_001)
    let player = try SoundPlayer(playing: file.sound(streamed: streamed), in: fixture.world)
    player.repeats = 3
    player.play()
    let mix = fixture.offline.render(frameCount: 4 * 4_001 + 2_000)
    let expected = (0..<4).flatMap { _ in sound.samples }
    #expect(largestDifference(PlayerFixture.samples(mix, 0..<4 * 4_001), expected) < 2e-5)
    // OpenAL Soft 1.25 holds the last sample of a sound to the end of the mix. A lossy codec does not end with silence.
    #expect(mix.frames(4 * 4_001 + 1_100..<mix.frameCount).isSilent(below: -120))
    #expect(!player.isPlaying && player.playbackTime == .zero)
  }

  @Test(arguments: [2, 7, 63, 64, 500], [false, true])
  func `Short sounds repeat exactly`(frameCount: Int, streamed: Bool) throws {
    var fixture = try PlayerFixture()
    let file = try SoundFile(try PlayerFixture.noise(frameCount))
    let sound = try file.decoded()
    let player = try SoundPlayer(playing: file.sound(streamed: streamed), in: fixture.world)
    player.repeats = 99
    player.play()
    let mix = fixture.offline.render(frameCount: 100 * frameCount + 2_000)
    let expected = (0..<100).flatMap { _ in sound.samples }
    #expect(largestDifference(PlayerFixture.samples(mix, 0..<100 * frameCount), expected) < 2e-5)
    #expect(mix.frames(100 * frameCount..<mix.frameCount).isSilent(below: -120))
  }

  @Test(arguments: [false, true])
  func `An introduction plays once, then its loop, then the end`(streamed: Bool) throws {
    var fixture = try PlayerFixture()
    let file = try SoundFile(try PlayerFixture.noise(12_000), loop: 3_000..<7_000)
    let sound = try file.decoded()
    let player = try SoundPlayer(playing: file.sound(streamed: streamed), in: fixture.world)
    player.repeats = 2
    player.play()
    let mix = fixture.offline.render(frameCount: 22_000)
    let parts = [0..<7_000, 3_000..<7_000, 3_000..<12_000].flatMap { PlayerFixture.samples(sound, $0) }
    #expect(largestDifference(PlayerFixture.samples(mix, 0..<20_000), parts) < 2e-5)
    #expect(mix.frames(20_000..<22_000).isSilent(below: -120))
  }

  @Test func `A loop range of the player wins over that of the file`() throws {
    var fixture = try PlayerFixture()
    let file = try SoundFile(try PlayerFixture.noise(6_000), loop: 3_000..<5_000)
    let sound = try file.decoded()
    let player = try SoundPlayer(playing: Sound(file.path), in: fixture.world)
    player.loopRange = 1_000..<2_000
    player.repeats = .forever
    player.play()
    let mix = fixture.offline.render(frameCount: 9_000)
    let parts =
      PlayerFixture.samples(sound, 0..<2_000) + (0..<7).flatMap { _ in PlayerFixture.samples(sound, 1_000..<2_000) }
    #expect(largestDifference(mix.samples, parts) < 2e-5)
    #expect(player.playbackTime == PlayerFixture.stereo.duration(ofFrames: 1_000))
  }

  @Test func `Repetitions that end while the sound plays end exactly`() throws {
    var fixture = try PlayerFixture()
    let sound = try PlayerFixture.noise(9_000)
    let player = try SoundPlayer(playing: Sound(sound), in: fixture.world)
    player.repeats = .forever
    player.play()
    var samples = fixture.offline.render(frameCount: 20_480).samples[...]
    // The reader is ahead, in the fourth lap: another reader takes over in the third.
    player.repeats = 2
    samples += fixture.offline.render(frameCount: 9_520).samples
    let expected = (0..<3).flatMap { _ in sound.samples } + Array(repeating: 0, count: 2 * 3_000)
    #expect(largestDifference(samples, expected) < 2e-4)
  }

  @Test func `Repetitions that are added while the sound plays come without a gap`() throws {
    var fixture = try PlayerFixture()
    let sound = try PlayerFixture.noise(9_000)
    let player = try SoundPlayer(playing: Sound(sound), in: fixture.world)
    player.play()
    var samples = fixture.offline.render(frameCount: 4_096).samples[...]
    player.repeats = 1
    samples += fixture.offline.render(frameCount: 15_000).samples
    let expected = (0..<2).flatMap { _ in sound.samples } + Array(repeating: 0, count: 2 * 1_096)
    #expect(largestDifference(samples, expected) < 2e-4)
  }

  @Test func `Laps are counted once each`() throws {
    var fixture = try PlayerFixture()
    let player = try SoundPlayer(playing: Sound(try PlayerFixture.noise(1_000)), in: fixture.world)
    let events = Collected<PlayerEvent>()
    let token = player.observe { events.append($0) }
    player.repeats = 24
    player.play()
    fixture.offline.render(frameCount: 26_000)
    let laps = events.all.reduce(0) { if case .looped(let count) = $1 { $0 + count } else { $0 } }
    #expect(laps == 24)
    #expect(events.all.last == .finished(successfully: true))
    withExtendedLifetime(token) {}
  }

  @Test func `A loop range may be one frame, the first or the last one, and none is outside of the sound`() throws {
    var fixture = try PlayerFixture()
    let reports = Collected<Diagnostic>()
    fixture.offline.context.onDiagnostic = { reports.append($0) }
    let noise = try PlayerFixture.noise(1_000)
    let player = try SoundPlayer(playing: Sound(noise), in: fixture.world)
    for range in [0..<1, 998..<999, 999..<1_000] {
      player.loopRange = range
      #expect(player.loopRange == range && reports.all.isEmpty, "\(range)")
    }
    player.loopRange = 998..<999
    player.repeats = .forever
    player.play()
    let mix = fixture.offline.render(frameCount: 3_000)
    let last = PlayerFixture.samples(noise, 998..<999)
    let expected = PlayerFixture.samples(noise, 0..<999) + (0..<2_001).flatMap { _ in last }
    #expect(largestDifference(mix.samples, expected) < 2e-5)
    player.loopRange = 1_000..<1_001
    #expect(player.loopRange == 998..<999 && reports.all.count == 1)
  }
}
