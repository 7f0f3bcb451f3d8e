import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// The volume, the pan and the meters of players.
@Suite struct PlayerLevelTests {
  private static let pans: [Float] = [-1, -0.9, -0.75, -0.5, -0.25, -0.1, 0, 0.1, 0.25, 0.5, 0.75, 0.9, 1]

  private func levels(_ pcm: PCMBuffer<Float>, pan: Float) throws -> (left: Float, right: Float) {
    var fixture = try PlayerFixture()
    let player = try SoundPlayer(playing: Sound(pcm), in: fixture.world)
    player.pan = pan
    player.play()
    let mix = fixture.offline.render(frameCount: 9_600)
    return (mix.level(ofChannel: 0).factor, mix.level(ofChannel: 1).factor)
  }

  @Test func `A mono sound has constant power on its way to one side`() throws {
    let noise = try PlayerFixture.noise(9_600, PlayerFixture.mono)
    let level = noise.level.factor
    for pan in Self.pans {
      let (left, right) = try levels(noise, pan: pan)
      let ratio: Float = (left * left + right * right) / (level * level)
      let power = Decibels(factor: ratio.squareRoot())
      #expect(abs(power.rawValue) < 0.3, "\(pan): \(power)")
      let angle = (pan + 1) * .pi / 4
      #expect(abs(right / level - sinOf(angle)) < 0.03, "\(pan)")
      if abs(pan) == 1 { #expect(min(left, right) < 1e-3 * level) }
    }
  }

  @Test func `A stereo sound has constant power on its way to one side`() throws {
    let noise = try PlayerFixture.noise(9_600)
    let level = noise.level.factor
    for pan in Self.pans {
      let (left, right) = try levels(noise, pan: pan)
      let ratio: Float = (left * left + right * right) / (2 * level * level)
      let power = Decibels(factor: ratio.squareRoot())
      #expect(abs(power.rawValue) < 0.3, "\(pan): \(power)")
      if abs(pan) == 1 { #expect(min(left, right) < 1e-3 * level) }
    }
  }

  private func sinOf(_ angle: Float) -> Float {
    var (term, sum) = (angle, angle)
    for index in 1...6 {
      term *= -angle * angle / Float(2 * index * (2 * index + 1))
      sum += term
    }
    return sum
  }

  @Test func `A surround sound ignores the pan, and the player says so`() throws {
    let fixture = try PlayerFixture()
    let diagnostics = Collected<Diagnostic>()
    fixture.offline.context.onDiagnostic = { diagnostics.append($0) }
    let format = PCMFormat(sampleRate: 48_000, layout: .surround51)
    let player = try SoundPlayer(
      playing: Sound(TestSignal.noise(duration: .milliseconds(100), format: format)),
      in: fixture.world
    )
    player.pan = 0.5
    player.pan = -0.5
    #expect(diagnostics.all.map(\.code) == [.panIgnored])
    #expect(fixture.world.explain(player).ignored == ["pan of a sound with 6 channels"])
    player.pan = .infinity
    #expect(player.pan == -0.5)
  }

  @Test func `Each surround sound of a playlist is reported once`() throws {
    var fixture = try PlayerFixture()
    let diagnostics = Collected<Diagnostic>()
    fixture.offline.context.onDiagnostic = { diagnostics.append($0) }
    let format = PCMFormat(sampleRate: 48_000, layout: .surround51)
    let sound = Sound(TestSignal.noise(duration: .milliseconds(100), format: format))
    let player = try SoundPlayer(playing: sound, in: fixture.world)
    player.schedule(Sound(try PlayerFixture.noise(4_800)))
    player.schedule(sound)
    player.pan = 0.5
    player.play()
    fixture.offline.render(frameCount: 7_200)
    #expect(diagnostics.all.map(\.code) == [.panIgnored])
    fixture.offline.render(frameCount: 4_800)
    #expect(diagnostics.all.map(\.code) == [.panIgnored, .panIgnored])
  }

  @Test func `The law of the pan is that of the present output`() throws {
    var fixture = try PlayerFixture()
    let noise = Sound(try PlayerFixture.noise(96_000, PlayerFixture.mono))
    let player = try SoundPlayer(playing: noise, in: fixture.world)
    player.play()
    let world = fixture.world
    func gain() -> Float { world.inspector.soundingGains.first ?? 0 }
    fixture.offline.render(frameCount: 4_096)
    let before = gain()
    #expect(before > 1.1)
    try fixture.offline.context.device.reset(OutputSettings(hrtf: .on))
    guard case .on = fixture.offline.context.output.hrtf else { return }
    fixture.offline.render(frameCount: 4_096)
    #expect(gain() == 1)
    try fixture.offline.context.device.reset(OutputSettings(hrtf: .off))
    fixture.offline.render(frameCount: 4_096)
    #expect(gain() == before)
  }

  @Test func `The volume is linear, and fades`() throws {
    var fixture = try PlayerFixture()
    let player = try SoundPlayer(playing: Sound(try PlayerFixture.noise(96_000)), in: fixture.world)
    player.volume = 3
    #expect(player.volume == 1)
    player.play()
    let loud = fixture.offline.render(frameCount: 9_600).level
    player.volume = 0.5
    fixture.offline.render(frameCount: 1_024)
    let half = fixture.offline.render(frameCount: 9_600).level
    #expect(abs(half.rawValue - loud.rawValue + 6.02) < 0.1)
    player.fade(to: 0, Fade(.milliseconds(100), .linear))
    fixture.offline.render(frameCount: 5_888)
    #expect(fixture.offline.render(frameCount: 2_048).isSilent(below: -120))
    #expect(player.isPlaying && player.volume == 0)
    player.fade(to: 1, Fade(.milliseconds(100)))
    fixture.offline.render(frameCount: 9_600)
    #expect(abs(fixture.offline.render(frameCount: 9_600).level.rawValue - loud.rawValue) < 0.2)
    player.volume = Gain(.nan)
    #expect(player.volume == 1)
  }

  @Test(arguments: [false, true])
  func `The meter predicts the mix to half a decibel`(streamed: Bool) throws {
    var fixture = try PlayerFixture()
    var samples: [Float] = []
    let noise = try PlayerFixture.noise(48_000)
    for frame in 0..<48_000 {
      // Two channels of different levels, which change each second tenth.
      let level: Float = (frame / 9_600).isMultiple(of: 2) ? 1 : 0.25
      samples += [noise.samples[2 * frame] * level, noise.samples[2 * frame + 1] * level / 4]
    }
    let file = try SoundFile(try PCMBuffer(samples: samples, format: PlayerFixture.stereo))
    let bus = fixture.world.mixer.makeBus("music")
    bus.gain = .decibels(-6)
    let player = try SoundPlayer(playing: file.sound(streamed: streamed), in: fixture.world, on: bus)
    #expect(player.meter.map(\.average) == [-160, -160])
    player.volume = 0.8
    player.repeats = .forever
    player.play()
    for step in 0..<20 {
      fixture.offline.render(frameCount: 4_800)
      // The window of the present position is mixed next.
      let readings = player.meter
      let mix = fixture.offline.render(frameCount: 960)
      for channel in 0..<2 where step > 0 {
        let level = mix.level(ofChannel: channel)
        #expect(abs(readings[channel].average.rawValue - level.rawValue) < 0.5, "\(step)")
        #expect(abs(readings[channel].peak.rawValue - mix.peak(ofChannel: channel).rawValue) < 0.5)
      }
      fixture.offline.render(frameCount: 4_800 - 960)
    }
    player.stop()
    #expect(player.meter.map(\.peak) == [-160, -160])
  }

  @Test(arguments: [Float(1), 0.7])
  func `The meter predicts a sound of another rate at any place`(rate: Float) throws {
    var fixture = try PlayerFixture(PlayerFixture.mono)
    // Its level changes each fifth of a second, at the ends of windows.
    let tone = TestSignal.sine(frequency: 500, duration: .seconds(2), format: .mono(sampleRate: 44_100), amplitude: 0.5)
    let samples = tone.samples.enumerated().map { ($0.offset / 8_820).isMultiple(of: 2) ? $0.element : $0.element / 4 }
    let player = try SoundPlayer(
      playing: Sound(try PCMBuffer(samples: samples, format: tone.format)),
      in: fixture.world
    )
    player.pitch = rate
    player.play()
    fixture.offline.render(frameCount: 1_024)
    for step in 0..<30 {
      let reading = player.meter[0]
      let frame = Int(player.playbackTime / .seconds(1) * 44_100)
      let mix = fixture.offline.render(frameCount: 700)
      fixture.offline.render(frameCount: 397)
      // A position before a change of the level has the reading of its own window alone.
      guard frame / 8_820 == (frame + 1_000) / 8_820 else { continue }
      #expect(abs((reading.average - mix.level(ofChannel: 0)).rawValue) < 0.15, "\(step)")
      #expect(abs((reading.peak - mix.peak(ofChannel: 0)).rawValue) < 0.05, "\(step)")
    }
  }

  @Test func `A player obeys its bus`() throws {
    var fixture = try PlayerFixture(PlayerFixture.mono)
    let tone = TestSignal.sine(frequency: 400, duration: .seconds(2), format: PlayerFixture.mono)
    let bus = fixture.world.mixer.makeBus("music")
    let player = try SoundPlayer(playing: Sound(tone), in: fixture.world, on: bus)
    player.play()
    fixture.offline.render(frameCount: 2_048)
    (bus.gain, bus.pitch) = (.decibels(-12), 2)
    fixture.offline.render(frameCount: 1_024)
    let mix = fixture.offline.render(frameCount: 9_600)
    #expect(abs(mix.level(at: 800).rawValue - tone.level(at: 400).rawValue + 12) < 0.2)
  }
}
