import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// Sounds in a row, and sounds that begin together.
@Suite struct PlayerScheduleTests {
  /// The calls that end a sound.
  enum End: CaseIterable { case release, stop, pause, seek }

  @Test(arguments: End.allCases)
  func `A sound of another format that has begun since the last tick ends without a click`(end: End) throws {
    var fixture = try PlayerFixture()
    let tone = TestSignal.sine(
      frequency: 300,
      duration: .seconds(1),
      format: PlayerFixture.mono,
      amplitude: 0.5
    )
    let silence = TestSignal.silence(duration: .milliseconds(200), format: PlayerFixture.stereo)
    var player: SoundPlayer? = try SoundPlayer(playing: Sound(silence), in: fixture.world)
    player?.schedule(Sound(tone), .afterQueue)
    player?.play()
    var samples = fixture.offline.render(frameCount: 9_640).samples
    #expect(samples.contains { $0 != 0 })
    switch end {
    case .release: player = nil
    case .stop: player?.stop()
    case .pause: player?.pause()
    case .seek: player?.playbackTime = .milliseconds(500)
    }
    samples += fixture.offline.render(frameCount: 2_048).samples
    let mix = try PCMBuffer(samples: samples, format: fixture.offline.format)
    #expect(mix.clicks(highestFrequency: 600).isEmpty, "\(mix.clicks(highestFrequency: 600))")
  }

  @Test(arguments: [false, true], [0, 3_000])
  func `Sounds of one format follow each other without a gap`(streamed: Bool, delay: Int) throws {
    var fixture = try PlayerFixture()
    let files = try (1...3).map { try SoundFile(try PlayerFixture.noise(5_000 + Int($0), seed: $0)) }
    let player = try SoundPlayer(playing: files[0].sound(streamed: streamed), in: fixture.world)
    player.play()
    var samples = fixture.offline.render(frameCount: delay).samples[...]
    for file in files[1...] { player.schedule(file.sound(streamed: streamed)) }
    samples += fixture.offline.render(frameCount: 17_000 - delay).samples
    let expected = try files.flatMap { try $0.decoded().samples }
    #expect(largestDifference(samples.prefix(expected.count), expected) < 2e-4)
    #expect(samples.dropFirst(expected.count).allSatisfy { $0 == 0 })
    #expect(player.duration == PlayerFixture.stereo.duration(ofFrames: 5_003))
  }

  /// The sound of frames at 44,100 Hz as one file.
  @Test func `A playlist at another rate is one sound to the resampler`() throws {
    let format = PCMFormat.mono(sampleRate: 44_100)
    let tone = TestSignal.sine(frequency: 441, duration: .seconds(1), format: format)
    func mix(_ parts: [Range<Int>], scheduledAfter delay: Int) throws -> [Float] {
      var fixture = try PlayerFixture(PlayerFixture.mono)
      let player = try SoundPlayer(playing: Sound(tone.frames(parts[0])), in: fixture.world)
      player.play()
      var samples = fixture.offline.render(frameCount: delay).samples
      for part in parts.dropFirst() { player.schedule(Sound(tone.frames(part))) }
      samples += fixture.offline.render(frameCount: 49_000 - delay).samples
      return samples
    }
    let whole = try mix([0..<44_100], scheduledAfter: 0)
    let parts = [0..<11_111, 11_111..<30_001, 30_001..<44_100]
    #expect(largestDifference(try mix(parts, scheduledAfter: 0), whole) < 1e-6)
    // Another voice takes over, between two frames: OpenAL Soft 1.25 differs by 0.006 there, and 1.19 by 0.001.
    #expect(largestDifference(try mix(parts, scheduledAfter: 4_096), whole) < 1e-2)
  }

  @Test func `A sound of another format begins with the next frame`() throws {
    var fixture = try PlayerFixture(PlayerFixture.stereo)
    let first = try PlayerFixture.noise(10_001)
    let second = try PlayerFixture.noise(5_001, PlayerFixture.mono)
    let third = try PlayerFixture.noise(5_000, seed: 3)
    let player = try SoundPlayer(playing: Sound(first), in: fixture.world)
    let events = Collected<PlayerEvent>()
    let token = player.observe { events.append($0) }
    player.schedule(Sound(second))
    player.schedule(Sound(third))
    player.play()
    let mix = fixture.offline.render(frameCount: 22_000)
    #expect(largestDifference(PlayerFixture.samples(mix, 0..<10_001), first.samples) < 2e-5)
    let left = (10_001..<15_002).map { mix.samples[2 * $0] }
    #expect(largestDifference(left, second.samples.map { $0 * Float(0.5).squareRoot() }) < 2e-3)
    #expect(largestDifference(PlayerFixture.samples(mix, 15_002..<20_002), third.samples) < 2e-5)
    #expect(mix.frames(20_002..<22_000).isSilent(below: -120))
    #expect(events.all == [.finished(successfully: true)])
    withExtendedLifetime(token) {}
  }

  @Test func `A change of the rate moves the start of what follows`() throws {
    var fixture = try PlayerFixture(PlayerFixture.mono)
    let first = TestSignal.sine(frequency: 200, duration: .seconds(1), format: PlayerFixture.mono, amplitude: 0.1)
    let second = try PlayerFixture.noise(9_600, .mono(sampleRate: 24_000))
    let player = try SoundPlayer(playing: Sound(first), in: fixture.world)
    player.schedule(Sound(second))
    player.play()
    fixture.offline.render(frameCount: 40_960)
    player.pitch = 0.5
    let mix = fixture.offline.render(frameCount: 30_000)
    // The rest of 7,040 frames takes twice as long.
    let start = mix.samples.firstIndex { abs($0) > 0.2 } ?? 0
    #expect((14_060..<14_700).contains(start))
  }

  @Test func `A sound that interrupts begins at once`() throws {
    var fixture = try PlayerFixture()
    let (first, second) = (try PlayerFixture.noise(48_000), try PlayerFixture.noise(9_000, seed: 2))
    let player = try SoundPlayer(playing: Sound(first), in: fixture.world)
    player.schedule(Sound(first))
    player.play()
    fixture.offline.render(frameCount: 5_120)
    player.schedule(Sound(second), .now)
    let mix = fixture.offline.render(frameCount: 12_000)
    #expect(
      largestDifference(PlayerFixture.samples(mix, 1_024..<9_000), PlayerFixture.samples(second, 1_024..<9_000)) < 2e-5
    )
    #expect(mix.frames(9_000..<12_000).isSilent(below: -120))
  }

  @Test(arguments: [4_096, 9_728, 17_920])
  func `A sound begins at the end of the loop`(delay: Int) throws {
    var fixture = try PlayerFixture()
    let (first, second) = (try PlayerFixture.noise(9_000), try PlayerFixture.noise(3_000, seed: 2))
    var sound = Sound(first)
    sound.loopRange = 2_000..<8_000
    let player = try SoundPlayer(playing: sound, in: fixture.world)
    player.repeats = .forever
    player.play()
    var samples = fixture.offline.render(frameCount: delay).samples[...]
    player.schedule(Sound(second), .atLoopEnd)
    samples += fixture.offline.render(frameCount: 30_000 - delay).samples
    let laps = (delay - 2_000) / 6_000
    let end = 8_000 + laps * 6_000
    let intro = PlayerFixture.samples(first, 0..<8_000)
    let expected = intro + (0..<laps).flatMap { _ in PlayerFixture.samples(first, 2_000..<8_000) } + second.samples
    #expect(largestDifference(samples.prefix(2 * (end + 3_000)), expected) < 2e-4)
    #expect(samples.dropFirst(2 * (end + 3_000)).allSatisfy { $0 == 0 })
  }

  @Test(arguments: [false, true], [2_000, 30_000])
  func `A sound begins at its moment`(isPlaying: Bool, delay: Int) throws {
    var fixture = try PlayerFixture()
    let (first, second) = (try PlayerFixture.noise(96_000), try PlayerFixture.noise(9_000, seed: 2))
    let player = try SoundPlayer(playing: Sound(first), in: fixture.world)
    if isPlaying { player.play() }
    fixture.offline.render(frameCount: 5_120)
    let moment = fixture.offline.context.clock + PlayerFixture.stereo.duration(ofFrames: delay)
    player.schedule(Sound(second), .at(moment))
    let mix = fixture.offline.render(frameCount: delay + 12_000)
    let before = isPlaying ? PlayerFixture.samples(first, 5_120..<5_120 + delay) : Array(repeating: 0, count: 2 * delay)
    #expect(largestDifference(PlayerFixture.samples(mix, 0..<delay), before) < 2e-5)
    let after = PlayerFixture.samples(second, 2_048..<9_000)
    #expect(largestDifference(PlayerFixture.samples(mix, delay + 2_048..<delay + 9_000), after) < 2e-5)
    #expect(mix.frames(delay + 9_000..<delay + 12_000).isSilent(below: -120))
  }

  @Test func `Repetitions of a scheduled sound are its own`() throws {
    var fixture = try PlayerFixture()
    let (first, second) = (try PlayerFixture.noise(3_000), try PlayerFixture.noise(2_000, seed: 2))
    let player = try SoundPlayer(playing: Sound(first), in: fixture.world)
    player.schedule(Sound(second), repeats: 2)
    player.play()
    let mix = fixture.offline.render(frameCount: 9_000)
    #expect(largestDifference(mix.samples, first.samples + second.samples + second.samples + second.samples) < 2e-5)
    #expect(player.repeats == 2)
  }

  @Test func `Stems start on one frame, and are in phase after an hour`() throws {
    // A third of a second, whose frames are eight frames of the mix: an hour of few samples.
    let format = PCMFormat.mono(sampleRate: 1_500)
    var fixture = try PlayerFixture(.mono(sampleRate: 12_000))
    let noise = try PlayerFixture.noise(500, format)
    let inverse = try PCMBuffer(samples: noise.samples.map { -$0 }, format: format)
    let players = try [noise, inverse].map { try SoundPlayer(playing: Sound($0), in: fixture.world) }
    for player in players { player.repeats = .forever }
    fixture.offline.render(frameCount: 333)
    SoundPlayer.play(players)
    for minute in 0..<60 {
      // Without a voice in between: their readers begin anew for the last two minutes.
      if minute == 2 || minute == 58 { for player in players { player.volume = minute == 2 ? 0 : 1 } }
      #expect(fixture.offline.render(frameCount: 720_000).isSilent(below: -120))
      #expect(fixture.world.voiceStatistics().real == ((2..<58).contains(minute) ? 0 : 2))
      for player in players { #expect(player.playbackTime == .zero && player.isPlaying) }
    }
    for player in players { player.pause() }
    fixture.offline.render(frameCount: 2_048)
    SoundPlayer.play(players, at: fixture.offline.context.clock + .milliseconds(100))
    #expect(fixture.offline.render(frameCount: 12_000).isSilent(below: -120))
    #expect(players[0].playbackTime == players[1].playbackTime)
    players[1].stop()
    #expect(!fixture.offline.render(frameCount: 4_800).isSilent())
  }

  @Test func `Two players cross with equal power`() throws {
    var fixture = try PlayerFixture(PlayerFixture.mono)
    let players = try [UInt64(1), 2].map { seed in
      let noise = try PlayerFixture.noise(192_000, seed: seed, PlayerFixture.mono)
      return try SoundPlayer(playing: Sound(noise), in: fixture.world)
    }
    players[0].play()
    let before = fixture.offline.render(frameCount: 24_000).level
    players[0].crossfade(to: players[1])
    #expect(players[0].isPlaying && players[1].isPlaying)
    for _ in 0..<10 {
      let level = fixture.offline.render(frameCount: 4_800).level
      #expect(abs(level.rawValue - before.rawValue) < 0.4)
    }
    fixture.offline.render(frameCount: 1_024)
    #expect(!players[0].isPlaying && players[1].isPlaying)
    #expect(players[0].volume == 1 && players[1].volume == 1)
    #expect(players[0].playbackTime >= Duration.milliseconds(1_490))
  }
}
