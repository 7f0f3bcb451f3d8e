import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// Play, pause, stop and seek of a player.
@Suite struct PlayerPlaybackTests {
  private func time(_ frames: Int) -> Duration { PlayerFixture.stereo.duration(ofFrames: frames) }

  @Test(arguments: [false, true], [false, true])
  func `Play goes on where the player was paused or stopped`(stops: Bool, streamed: Bool) throws {
    var fixture = try PlayerFixture()
    let file = try SoundFile(try PlayerFixture.noise(48_000))
    let sound = try file.decoded()
    let player = try SoundPlayer(playing: file.sound(streamed: streamed), in: fixture.world)
    player.play()
    fixture.offline.render(frameCount: 10_240)
    #expect(player.playbackTime == time(10_240))
    if stops { player.stop() } else { player.pause() }
    #expect(!player.isPlaying)
    let tail = fixture.offline.render(frameCount: 10_240)
    #expect(tail.frames(1_024..<10_240).isSilent(below: -120))
    #expect(fixture.world.voiceStatistics().real == 0)
    let place = stops ? 10_240 : 10_752
    #expect(player.playbackTime == time(place))
    player.play()
    let mix = fixture.offline.render(frameCount: 10_240)
    let expected = PlayerFixture.samples(sound, place + 1_024..<place + 10_240)
    #expect(largestDifference(PlayerFixture.samples(mix, 1_024..<10_240), expected) < 2e-5)
  }

  @Test func `A pause keeps the voice, and a stop frees it`() throws {
    var fixture = try PlayerFixture()
    let player = try SoundPlayer(playing: Sound(try PlayerFixture.noise(48_000)), in: fixture.world)
    let world = fixture.world
    func voices() -> Int { world.inspector.usedVoiceCount }
    player.play()
    fixture.offline.render(frameCount: 2_048)
    player.pause()
    fixture.offline.render(frameCount: 4_096)
    #expect(voices() == 1)
    #expect(!fixture.world.inspector.needsTicks)
    player.stop()
    fixture.offline.render(frameCount: 4_096)
    #expect(voices() == 0)
    #expect(player.playbackTime == time(2_560))
  }

  @Test func `Pauses, stops and seeks do not click`() throws {
    var fixture = try PlayerFixture(PlayerFixture.mono)
    let tone = TestSignal.sine(frequency: 300, duration: .seconds(4), format: PlayerFixture.mono)
    let player = try SoundPlayer(playing: Sound(tone), in: fixture.world)
    player.play()
    var samples: [Float] = []
    for step in 0..<24 {
      samples += fixture.offline.render(frameCount: 3_001).samples
      switch step % 6 {
      case 0: player.pause()
      case 1, 3: player.play()
      case 2: player.stop()
      case 4: player.playbackTime = .milliseconds(700)
      default: player.volume = step.isMultiple(of: 2) ? 1 : 0.5
      }
    }
    let mix = try PCMBuffer(samples: samples, format: PlayerFixture.mono)
    #expect(mix.frames(512..<mix.frameCount).clicks(highestFrequency: 400).isEmpty)
  }

  private enum Call: CaseIterable {
    case play, playLater, pause, stop, seek

    func make(on player: SoundPlayer, atFrame frame: Int) {
      switch self {
      case .play: player.play()
      case .playLater: player.play(at: PlayerFixture.mono.duration(ofFrames: frame + 1_700))
      case .pause: player.pause()
      case .stop: player.stop()
      case .seek: player.playbackTime = .milliseconds(700)
      }
    }
  }

  @Test(arguments: [1_561, 1_024])
  func `Three calls in one frame do not click`(frame: Int) throws {
    let tone = TestSignal.sine(frequency: 300, duration: .seconds(4), format: PlayerFixture.mono)
    for first in Call.allCases {
      for second in Call.allCases {
        for third in Call.allCases {
          var fixture = try PlayerFixture(PlayerFixture.mono)
          let player = try SoundPlayer(playing: Sound(tone), in: fixture.world)
          player.play()
          var samples = fixture.offline.render(frameCount: frame).samples
          for call in [first, second, third] { call.make(on: player, atFrame: frame) }
          samples += fixture.offline.render(frameCount: 3_000).samples
          let mix = try PCMBuffer(samples: samples, format: PlayerFixture.mono)
          let clicks = mix.frames(512..<mix.frameCount).clicks(highestFrequency: 400)
          #expect(clicks.isEmpty, "\(first), \(second), \(third)")
        }
      }
    }
  }

  @Test(arguments: [false, true])
  func `The current time is set in each state`(streamed: Bool) throws {
    var fixture = try PlayerFixture()
    let file = try SoundFile(try PlayerFixture.noise(48_000))
    let sound = try file.decoded()
    let player = try SoundPlayer(playing: file.sound(streamed: streamed), in: fixture.world)
    func expectSound(from frame: Int) {
      let mix = fixture.offline.render(frameCount: 8_192)
      let expected = PlayerFixture.samples(sound, frame + 2_048..<frame + 8_192)
      #expect(largestDifference(PlayerFixture.samples(mix, 2_048..<8_192), expected) < 2e-5)
    }
    player.playbackTime = time(20_000)
    #expect(player.playbackTime == time(20_000) && !player.isPlaying)
    player.play()
    expectSound(from: 20_000)
    player.playbackTime = time(5_000)
    #expect(player.playbackTime == time(5_000) && player.isPlaying)
    expectSound(from: 5_000)
    player.pause()
    fixture.offline.render(frameCount: 4_096)
    player.playbackTime = time(30_000)
    fixture.offline.render(frameCount: 4_096)
    #expect(player.playbackTime == time(30_000) && !player.isPlaying)
    player.play()
    expectSound(from: 30_000)
    player.pause()
    player.playbackTime = time(1_000)
    fixture.offline.render(frameCount: 4_096)
    #expect(player.playbackTime == time(1_000) && !player.isPlaying)
    player.play()
    expectSound(from: 1_000)
  }

  @Test func `A time beyond the end is the end, and play begins at the start then`() throws {
    var fixture = try PlayerFixture()
    let sound = try PlayerFixture.noise(8_000)
    let player = try SoundPlayer(playing: Sound(sound), in: fixture.world)
    let events = Collected<PlayerEvent>()
    let token = player.observe { events.append($0) }
    player.playbackTime = .seconds(1_000_000_000)
    #expect(player.playbackTime == player.duration)
    player.play()
    let mix = fixture.offline.render(frameCount: 4_096)
    #expect(largestDifference(mix.samples, PlayerFixture.samples(sound, 0..<4_096)) < 2e-5)
    player.playbackTime = .seconds(-3)
    #expect(player.playbackTime == .zero)
    player.playbackTime = .seconds(10)
    fixture.offline.render(frameCount: 1_024)
    #expect(events.all == [.finished(successfully: true)])
    #expect(!player.isPlaying && player.playbackTime == .zero)
    withExtendedLifetime(token) {}
  }

  @Test func `Duration and format are those of the sound without its padding`() throws {
    let fixture = try PlayerFixture()
    for ending in ["mp3", "opus", "ogg"] {
      let file = try SoundFile(try PlayerFixture.noise(30_001), ending)
      let player = try SoundPlayer(playing: Sound(file.path), in: fixture.world)
      #expect(player.duration == time(30_001))
      #expect(player.format == PlayerFixture.stereo)
    }
  }

  @Test(.hangLimit) func `A prepared player is in the next mix`() async throws {
    var fixture = try PlayerFixture()
    let file = try SoundFile(try PlayerFixture.noise(48_000))
    let sound = try file.decoded()
    for place in [0, 20_000] {
      let player = try SoundPlayer(playing: file.sound(streamed: true), in: fixture.world)
      player.playbackTime = time(place)
      await player.prepareToPlay()
      await player.prepareToPlay()
      #expect(fixture.world.inspector.restingVoiceCount == 1)
      #expect(!player.isPlaying)
      player.play()
      let mix = fixture.offline.render(frameCount: 4_096)
      let expected = PlayerFixture.samples(sound, place + 64..<place + 4_096)
      #expect(largestDifference(PlayerFixture.samples(mix, 64..<4_096), expected) < 2e-5)
      player.stop()
      fixture.offline.render(frameCount: 2_048)
    }
  }

  @Test(.hangLimit) func `A prepared player has a voice of the quietest emitter`() async throws {
    var fixture = try PlayerFixture(voices: 2)
    let noise = Sound(try PlayerFixture.noise(96_000, PlayerFixture.mono))
    let emitters = [Float(-1), -5].map { place in
      let emitter = Emitter(playing: noise, in: fixture.world)
      emitter.position = [0, 0, place]
      emitter.play()
      return emitter
    }
    fixture.offline.render(frameCount: 8_192)
    let player = try SoundPlayer(playing: noise, in: fixture.world)
    await player.prepareToPlay()
    #expect(!emitters[0].isVirtual && emitters[1].isVirtual)
    player.play()
    fixture.offline.render(frameCount: 8_192)
    #expect(!emitters[0].isVirtual && emitters[1].isVirtual)
    #expect(fixture.world.explain(player).verdict == .hasVoice)
  }

  @Test(arguments: [0, 1, 700, 20_000], [false, true])
  func `A start has its frame`(frame: Int, resumes: Bool) throws {
    var fixture = try PlayerFixture()
    let sound = try PlayerFixture.noise(48_000)
    let player = try SoundPlayer(playing: Sound(sound), in: fixture.world)
    var place = 0
    if resumes {
      player.play()
      fixture.offline.render(frameCount: 4_096)
      player.pause()
      fixture.offline.render(frameCount: 4_096)
      place = 4_608
    }
    player.play(at: fixture.offline.context.clock + time(frame))
    #expect(player.isPlaying)
    let mix = fixture.offline.render(frameCount: frame + 4_096)
    #expect(mix.frames(0..<frame).isSilent(below: -120))
    let expected = PlayerFixture.samples(sound, place + 64..<place + 4_096)
    #expect(largestDifference(PlayerFixture.samples(mix, frame + 64..<frame + 4_096), expected) < 2e-5)
  }

  @Test func `The rate is varispeed, and counts in the mixer's own step`() throws {
    var fixture = try PlayerFixture(PlayerFixture.mono)
    let tone = TestSignal.sine(frequency: 400, duration: .seconds(2), format: PlayerFixture.mono)
    let player = try SoundPlayer(playing: Sound(tone), in: fixture.world)
    player.pitch = 2
    player.play()
    let mix = fixture.offline.render(frameCount: 24_000)
    #expect(abs(mix.level(at: 800).rawValue - tone.level(at: 400).rawValue) < 0.3)
    #expect(player.playbackTime == .seconds(1))
    player.pitch = 9
    #expect(player.pitch == 4)
    player.pitch = .nan
    #expect(player.pitch == 4)
  }

  @Test func `Released players fall silent, and free their slots`() throws {
    var fixture = try PlayerFixture()
    for _ in 0..<20 {
      let player = try SoundPlayer(playing: Sound(try PlayerFixture.noise(48_000)), in: fixture.world)
      player.play()
      fixture.offline.render(frameCount: 1_024)
    }
    fixture.offline.render(frameCount: 4_096)
    #expect(fixture.offline.render(frameCount: 1_024).isSilent(below: -120))
    #expect(fixture.world.inspector.playerCount == 0 && fixture.world.inspector.playerRecordCount < 4)
    #expect(fixture.world.inspector.usedVoiceCount == 0)
  }

  @Test func `A stream of an hour is read at most half a second ahead`() throws {
    var fixture = try PlayerFixture()
    let read = Collected<Int>()
    let player = try SoundPlayer(playing: Sound(streaming: "an hour") { Hour(read: read) }, in: fixture.world)
    #expect(player.duration == .seconds(3_600))
    player.repeats = .forever
    player.playbackTime = .seconds(3_598)
    player.play()
    fixture.offline.render(.seconds(3))
    #expect(player.playbackTime == .seconds(1))
    let frames = read.all.reduce(0, +)
    #expect((3 * 48_000...3 * 48_000 + 32_000).contains(frames))
  }

  @Test func `A pause and a play between two mixes change nothing`() throws {
    func mix(pauses: Bool) throws -> [Float] {
      var fixture = try PlayerFixture()
      let player = try SoundPlayer(playing: Sound(try PlayerFixture.noise(48_000)), in: fixture.world)
      player.play()
      let first = fixture.offline.render(frameCount: 10_300).samples
      if pauses {
        player.pause()
        player.play()
      }
      return first + fixture.offline.render(frameCount: 10_240).samples
    }
    let (paused, whole) = (try mix(pauses: true), try mix(pauses: false))
    let places = paused.indices.filter { paused[$0] != whole[$0] }
    #expect(places.isEmpty, "frames \((places.first ?? 0) / 2) to \((places.last ?? 0) / 2)")
  }

  @Test func `A player that is paused and plays at a moment is silent until then`() throws {
    var fixture = try PlayerFixture()
    let noise = try PlayerFixture.noise(48_000)
    let player = try SoundPlayer(playing: Sound(noise), in: fixture.world)
    player.play()
    fixture.offline.render(frameCount: 10_240)
    player.pause()
    player.play(at: time(20_480))
    let mix = fixture.offline.render(frameCount: 20_480)
    #expect(mix.frames(1_024..<10_240).isSilent(below: -120))
    #expect(!mix.frames(10_240..<12_288).isSilent(below: -20))
    #expect(player.playbackTime == time(20_480))
  }

  @Test func `A player that is prepared twice reserves one voice`() async throws {
    var fixture = try PlayerFixture(voices: 2)
    let player = try SoundPlayer(playing: Sound(try PlayerFixture.noise(48_000)), in: fixture.world)
    let world = fixture.world
    for _ in 0..<3 {
      await player.prepareToPlay()
      #expect(world.inspector.usedVoiceCount == 1)
    }
    player.play()
    fixture.offline.render(frameCount: 2_048)
    #expect(world.voiceStatistics().real == 1)
  }
}

/// A quiet hour, which counts the frames that are read.
private struct Hour: PCMReader, Sendable {
  let format = PlayerFixture.stereo
  let frameCount: Int? = 3_600 * 48_000
  let read: Collected<Int>
  private var next = 0

  init(read: Collected<Int>) { self.read = read }

  mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) -> Int {
    let count = min(maxFrames, 3_600 * 48_000 - next)
    next += count
    read.append(count)
    buffer.removeAll(adopting: format)
    buffer.append(frames: count) { room in for _ in 0..<2 * count { room.append(0.1) } }
    return count
  }

  mutating func seek(toFrame frame: Int) { next = frame }
}
