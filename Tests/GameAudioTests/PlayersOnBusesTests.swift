import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// Players on buses: pauses, kinds and sends.
@Suite struct PlayersOnBusesTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let stereo = PCMFormat.stereo(sampleRate: 48_000)

  @Test(arguments: [false, true])
  func `A player on a paused bus goes on where it was`(isPrepared: Bool) async throws {
    // Each frame of the sound has a value of its own.
    let ramp = try PCMBuffer(samples: (0..<96_000).map { Float($0) / 100_000 }, format: Self.mono)
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let music = world.mixer.makeBus("music", kind: .direct)
    let player = try SoundPlayer(playing: Sound(ramp), in: world, on: music)
    if isPrepared { await player.prepareToPlay() }
    player.play()
    offline.render(frameCount: 512 * 20)
    music.pause()
    offline.render(frameCount: 512)
    let place = player.playbackTime
    offline.render(frameCount: 512 * 4)
    #expect(offline.render(frameCount: 512 * 60).isSilent())
    #expect(player.playbackTime == place && player.isPlaying)
    music.resume()
    let after = offline.render(frameCount: 512 * 10)
    let frame = Int((place / .seconds(1) * 48_000).rounded())
    // The middle of two loudspeakers has 3 dB less on each, and the only loudspeaker of this output has all.
    let gain = after.samples[3_000] / (Float(frame + 3_000) / 100_000)
    #expect(gain > 0.5)
    for offset in [1_000, 2_000, 5_000] {
      #expect(abs(after.samples[offset] - gain * Float(frame + offset) / 100_000) < 3e-5)
    }
  }

  @Test func `A player that begins on a paused bus begins with its resume`() async throws {
    for isPrepared in [false, true] {
      var offline = try OfflineRenderer(format: Self.mono)
      let world = AudioWorld(in: offline.context)
      let music = world.mixer.makeBus("music")
      let tone = TestSignal.sine(frequency: 500, duration: .seconds(1), format: Self.mono)
      let player = try SoundPlayer(playing: Sound(tone), in: world, on: music)
      if isPrepared { await player.prepareToPlay() }
      music.pause(.none)
      player.play()
      #expect(offline.render(.seconds(2)).isSilent())
      #expect(player.isPlaying && player.playbackTime == .zero)
      music.resume()
      let heard = offline.render(.seconds(2))
      #expect(!heard.frames(4_096..<44_000).isSilent() && heard.frames(49_000..<96_000).isSilent())
      #expect(!player.isPlaying)
    }
  }

  @Test func `A pan on a direct bus moves a stereo sound to one side`() throws {
    var samples: [Float] = []
    for frame in 0..<96_000 { samples += [Float(frame % 97) / 200, Float(frame % 89) / -200] }
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let sound = Sound(try PCMBuffer(samples: samples, format: Self.stereo))
    let player = try SoundPlayer(playing: sound, in: world, on: world.mixer.makeBus("music", kind: .direct))
    player.play()
    let middle = offline.render(frameCount: 4_096)
    for sample in stride(from: 2_000, to: 8_000, by: 501) {
      #expect(abs(middle.samples[sample] - samples[sample]) < 1e-4)
    }
    player.pan = 1
    offline.render(frameCount: 4_096)
    let right = offline.render(frameCount: 4_096)
    #expect(right.level(ofChannel: 0) < right.level(ofChannel: 1) - 40)
  }

  @Test func `The level of a bus with players is the rendered one`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let music = world.mixer.makeBus("music", kind: .direct)
    let tones = [(300.0, 0.1), (700, 0.2)].map { frequency, amplitude in
      Sound(
        TestSignal.sine(frequency: frequency, duration: .seconds(2), format: Self.stereo, amplitude: Float(amplitude))
      )
    }
    let players = try tones.map { try SoundPlayer(playing: $0, in: world, on: music) }
    #expect(music.level == -160)
    for player in players { player.play() }
    players[1].volume = 0.5
    music.gain = .decibels(-4)
    offline.render(.milliseconds(200))
    let mix = offline.render(.milliseconds(500))
    #expect(abs((music.level - mix.level(ofChannel: 0)).rawValue) < 0.5)
    offline.render(.seconds(2))
    #expect(music.level == -160)
  }

  @Test func `A player ducks by the level of its sound: a silent one not at all`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let (music, speech) = (world.mixer.makeBus("music"), world.mixer.makeBus("speech"))
    music.duck(under: speech, Ducking(by: -12))
    world.playOnce(
      Sound(TestSignal.sine(frequency: 440, duration: .seconds(5), format: Self.mono, amplitude: 0.1)),
      on: music
    )
    // A second of silence, and then a word of a second.
    let word = TestSignal.sine(frequency: 1_000, duration: .seconds(1), format: Self.mono).samples
    let pcm = try PCMBuffer(samples: [Float](repeating: 0, count: 48_000) + word, format: Self.mono)
    let player = try SoundPlayer(playing: Sound(pcm), in: world, on: speech)
    let alone = offline.render(.milliseconds(500)).level(at: 440)
    player.play()
    let silent = offline.render(.seconds(1)).level(at: 440)
    offline.render(.milliseconds(200))
    let spoken = offline.render(.milliseconds(500)).level(at: 440)
    #expect(abs((silent - alone).rawValue) < 0.1)
    #expect(abs((spoken - alone).rawValue + 12) < 0.2)
  }

  @Test(arguments: ["reader", "loop"])
  func `A player counts once while a second voice takes over`(change: String) throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let music = world.mixer.makeBus("music")
    let tone = TestSignal.sine(frequency: 500, duration: .milliseconds(200), format: Self.mono, amplitude: 0.3)
    let player = try SoundPlayer(playing: Sound(tone), in: world, on: music)
    player.repeats = .times(9)
    player.play()
    offline.render(frameCount: 20_480)
    let (level, meter) = (music.level, player.meter[0].average)
    #expect(level > -20 && meter > -20)
    if change == "loop" { player.loopRange = 0..<9_216 } else { player.repeats = .times(3) }
    for _ in 0..<4 {
      #expect(abs((music.level - level).rawValue) < 0.3 && abs((player.meter[0].average - meter).rawValue) < 0.3)
      offline.render(frameCount: 512)
    }
    #expect(!player.inspector.hasPrevious)
  }

  @Test func `A player counts once while a second voice waits for the next sound`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let music = world.mixer.makeBus("music")
    let tone = TestSignal.sine(frequency: 500, duration: .milliseconds(500), format: Self.mono, amplitude: 0.3)
    let player = try SoundPlayer(playing: Sound(tone), in: world, on: music)
    player.schedule(Sound(TestSignal.sine(frequency: 500, duration: .seconds(1), format: Self.stereo, amplitude: 0.3)))
    player.play()
    offline.render(frameCount: 4_800)
    let level = music.level
    offline.render(frameCount: 14_400)
    #expect(world.inspector.soundingVoiceCount == 2)
    #expect(abs((music.level - level).rawValue) < 0.3)
  }
}
