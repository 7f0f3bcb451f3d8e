import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// Buses in a mix: levels, fades, filters, kinds, sends and duckers.
@Suite struct MixerTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let stereo = PCMFormat.stereo(sampleRate: 48_000)

  private static func tone(_ frequency: Double, _ seconds: Int = 4, gain: Float = 0.5) -> Sound {
    Sound(TestSignal.sine(frequency: frequency, duration: .seconds(seconds), format: mono, amplitude: gain))
  }

  @Test func `Speech ducks the music by 12 dB`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let (music, speech) = (world.mixer.makeBus("music", kind: .direct), world.mixer.makeBus("speech"))
    music.duck(under: speech, Ducking(by: -12))
    let theme = world.playOnce(Self.tone(440), on: music)
    let before = offline.render(.seconds(1))
    world.playOnce(Self.tone(1_000, 1), on: speech)
    let during = offline.render(.seconds(1))
    let fallen = during.frames(in: .milliseconds(300)..<(.milliseconds(900))).level(at: 440) - before.level(at: 440)
    #expect(abs(fallen.rawValue + 12) < 0.2, "\(world.explain(theme))")
    #expect(during.clicks(highestFrequency: 1_000).isEmpty)
    // 300 ms of hold and 700 ms of release.
    let after = offline.render(.seconds(2))
    let risen = after.frames(in: .milliseconds(1_100)..<(.seconds(2))).level(at: 440) - before.level(at: 440)
    #expect(abs(risen.rawValue) < 0.05)
    let held = after.frames(in: .milliseconds(50)..<(.milliseconds(250))).level(at: 440) - before.level(at: 440)
    #expect(abs(held.rawValue + 12) < 0.2)
    #expect(after.clicks(highestFrequency: 1_000).isEmpty)
  }

  @Test func `The decibels of two duckers add up, and a silent sound ducks nothing`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let (music, speech, alarm) = (
      world.mixer.makeBus("music"), world.mixer.makeBus("speech"), world.mixer.makeBus("alarm")
    )
    music.duck(under: speech, Ducking(by: -6))
    music.duck(under: alarm, Ducking(by: -9))
    world.playOnce(Self.tone(440), on: music)
    let silence = Sound(try PCMBuffer(samples: [Float](repeating: 0, count: 48_000), format: Self.mono))
    world.playOnce(silence, on: speech)
    let before = offline.render(.seconds(1))
    world.playOnce(Self.tone(1_000), on: speech)
    world.playOnce(Self.tone(1_500), on: alarm)
    offline.render(.milliseconds(500))
    let during = offline.render(.milliseconds(500))
    #expect(abs((during.level(at: 440) - before.level(at: 440)).rawValue + 15) < 0.2)
    music.duck(under: speech, nil)
    music.duck(under: alarm, nil)
    offline.render(.milliseconds(800))
    #expect(abs((offline.render(.milliseconds(500)).level(at: 440) - before.level(at: 440)).rawValue) < 0.1)
  }

  @Test func `A ducker that decides about itself is refused with a sentence`() throws {
    let offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let reports = Collected<Diagnostic>()
    offline.context.onDiagnostic = { reports.append($0) }
    let (music, speech) = (world.mixer.makeBus("music"), world.mixer.makeBus("speech"))
    let inner = world.mixer.makeBus("inner", in: music)
    music.duck(under: music, Ducking(by: -6))
    music.duck(under: inner, Ducking(by: -6))
    inner.duck(under: world.mixer.main, Ducking(by: -6))
    music.duck(under: speech, Ducking(by: -6))
    speech.duck(under: inner, Ducking(by: -6))
    #expect(reports.all.map(\.code) == Array(repeating: .duckingRefused, count: 4))
    #expect(reports.all.last?.message.contains("The bus speech cannot duck under inner") == true)
    #expect(world.inspector.duckerPairs.count == 1)
  }

  @Test func `A ducker that has ended permits the opposite one, and does not return beside it`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let reports = Collected<Diagnostic>()
    offline.context.onDiagnostic = { reports.append($0) }
    let (music, speech) = (world.mixer.makeBus("music"), world.mixer.makeBus("speech"))
    func pairs() -> [[String]] { world.inspector.duckerPairs }
    music.duck(under: speech, Ducking(by: -6))
    music.duck(under: speech, nil)
    // It was not lowered, so that there is no release.
    #expect(pairs().isEmpty)
    music.duck(under: speech, Ducking(by: -6))
    world.playOnce(Self.tone(440), on: speech)
    offline.render(.milliseconds(300))
    music.duck(under: speech, nil)
    speech.duck(under: music, Ducking(by: -6))
    #expect(reports.all.isEmpty && pairs() == [["music", "speech"], ["speech", "music"]])
    music.duck(under: speech, Ducking(by: -6))
    #expect(reports.all.map(\.code) == [.duckingRefused])
    offline.render(.seconds(1))
    #expect(pairs() == [["speech", "music"]])
  }

  @Test func `A paused bus is silent, and goes on where it was`() throws {
    // Each frame of the sound has a value of its own.
    let ramp = try PCMBuffer(samples: (0..<96_000).map { Float($0) / 100_000 }, format: Self.mono)
    for behavior in VirtualBehavior.allCases {
      var offline = try OfflineRenderer(format: Self.mono)
      let world = AudioWorld(in: offline.context)
      let (sfx, menu) = (world.mixer.makeBus("sfx"), world.mixer.makeBus("menu"))
      let emitter = Emitter(playing: Sound(ramp), in: world, on: sfx)
      emitter.virtualBehavior = behavior
      emitter.play()
      offline.render(frameCount: 512 * 20)
      sfx.pause()
      offline.render(frameCount: 512)
      let place = emitter.playbackTime
      let late = world.playOnce(Self.tone(500), on: sfx)
      world.playOnce(Self.tone(500, 1), on: menu)
      offline.render(frameCount: 512 * 2)
      let menuOnly = offline.render(frameCount: 512 * 60)
      #expect(emitter.playbackTime == place && emitter.isPlaying)
      #expect(world.explain(emitter).verdict == .silent(.paused(by: "the bus sfx")))
      #expect(menuOnly.level(at: 500) > -20 && late.playbackTime == .zero)
      late.stop(.none)
      offline.render(frameCount: 512 * 40)
      #expect(offline.render(frameCount: 512 * 10).isSilent())
      sfx.resume()
      let after = offline.render(frameCount: 512 * 10)
      // The first frames fade in.
      let frame = Int((place / .seconds(1) * 48_000).rounded())
      for offset in [1_000, 2_000, 5_000] {
        let difference = after.samples[offset] - Float(frame + offset) / 100_000
        #expect(abs(difference) < 2e-5, "\(behavior), \(offset) frames after the resume")
      }
    }
  }

  @Test func `Each pause needs its own resume, and a pause above holds a bus inside`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let sfx = world.mixer.makeBus("sfx")
    let steps = world.mixer.makeBus("steps", in: sfx)
    world.playOnce(Self.tone(500, 10), on: steps)
    func isSounding() -> Bool {
      offline.render(frameCount: 2_048)
      return !offline.render(frameCount: 2_048).isSilent()
    }
    sfx.pause(Fade(.seconds(10)))
    #expect(isSounding() && steps.isPaused)
    sfx.resume()
    #expect(isSounding() && !steps.isPaused)
    sfx.pause()
    steps.pause()
    steps.pause()
    #expect(!isSounding() && steps.isPaused && sfx.isPaused)
    sfx.resume()
    #expect(!isSounding() && steps.isPaused && !sfx.isPaused)
    steps.resume()
    #expect(!isSounding())
    steps.resume()
    #expect(isSounding() && !steps.isPaused)
    steps.resume()
    #expect(isSounding())
  }

  @Test func `A muted bus and buses beside a soloed one are silent`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let (music, sfx) = (world.mixer.makeBus("music"), world.mixer.makeBus("sfx"))
    let steps = world.mixer.makeBus("steps", in: sfx)
    let emitters = [(music, 300.0), (sfx, 700.0), (steps, 1_100.0)].map { bus, frequency in
      world.playOnce(Self.tone(frequency, 20), on: bus)
    }
    func heard() -> [Bool] {
      offline.render(frameCount: 4_096)
      let mix = offline.render(frameCount: 9_600)
      return [300.0, 700, 1_100].map { mix.level(at: $0) > -40 }
    }
    #expect(heard() == [true, true, true])
    music.isMuted = true
    #expect(heard() == [false, true, true])
    #expect(world.explain(emitters[0]).verdict == .silent(.muted(by: "the bus music")))
    steps.isSoloed = true
    #expect(heard() == [false, false, true])
    #expect(world.explain(emitters[1]).verdict == .silent(.soloedElsewhere))
    sfx.isSoloed = true
    #expect(heard() == [false, true, true])
    sfx.isMuted = true
    #expect(heard() == [false, false, false])
    #expect(world.voiceStatistics().real == 0)
    (music.isMuted, sfx.isMuted, sfx.isSoloed, steps.isSoloed) = (false, false, false, false)
    #expect(heard() == [true, true, true])
  }

  @Test func `A filter of buses is exact at its frequencies, and reaches them without a click`() throws {
    for (frequency, filter, sum) in [(250.0, ToneFilter(low: -6), Float(-12)), (5_000, ToneFilter(high: -12), -24)] {
      var offline = try OfflineRenderer(format: Self.mono)
      let world = AudioWorld(in: offline.context)
      let sfx = world.mixer.makeBus("sfx")
      world.playOnce(Self.tone(frequency, 8), on: sfx)
      offline.render(.milliseconds(200))
      let before = offline.render(.milliseconds(500))
      sfx.filter = filter
      world.mixer.main.filter = filter
      // In steps of a quarter of a decibel, and more.
      let change = offline.render(frameCount: 512 * 100)
      #expect(change.clicks(highestFrequency: frequency).isEmpty)
      let after = offline.render(.milliseconds(500))
      #expect(abs((after.level(at: frequency) - before.level(at: frequency)).rawValue - sum) < 0.1)
      sfx.filter = ToneFilter(high: Decibels(.nan))
      #expect(sfx.filter == filter)
    }
  }

  @Test func `Occlusion that jumps in a sound glides without a click`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitter = Emitter(playing: Self.tone(200, 8), in: world)
    emitter.play()
    offline.render(.milliseconds(200))
    emitter.occlusion = -18
    #expect(offline.render(.seconds(1)).clicks(highestFrequency: 200).isEmpty)
    #expect(world.inspector.sources.contains { $0.occlusion == -18 })
    emitter.occlusion = 0
    #expect(offline.render(.seconds(1)).clicks(highestFrequency: 200).isEmpty)
    #expect(world.inspector.sources.allSatisfy { $0.occlusion == 0 })
  }

  @Test func `A direct bus plays stereo as it is, and ignores places`() throws {
    var samples: [Float] = []
    for frame in 0..<48_000 { samples += [Float(frame % 97) / 200, Float(frame % 89) / -200] }
    let sound = Sound(try PCMBuffer(samples: samples, format: Self.stereo))
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let music = world.mixer.makeBus("music", kind: .direct)
    #expect(music.kind == .direct && world.mixer.main.kind == .spatial)
    let emitter = Emitter(playing: sound, in: world, on: music)
    emitter.position = [100, 0, 0]
    emitter.play()
    let mix = offline.render(frameCount: 4_096)
    for sample in stride(from: 2_000, to: 8_000, by: 501) { #expect(abs(mix.samples[sample] - samples[sample]) < 1e-4) }
    #expect(world.explain(emitter).ignored == ["position on the direct bus music"])
    // The settings travel with the emitter.
    emitter.stop()
    emitter.bus = world.mixer.main
    #expect(emitter.position == [100, 0, 0] && world.explain(emitter).ignored.isEmpty)
    offline.render(frameCount: 4_096)
    emitter.play()
    let placed = offline.render(frameCount: 4_096).frames(2_048..<4_096)
    #expect(placed.level(ofChannel: 0) < placed.level(ofChannel: 1) - 20)
  }

  @Test func `An emitter that moves to a direct bus while it plays does not stop`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let music = world.mixer.makeBus("music", kind: .direct)
    let emitter = Emitter(playing: Self.tone(500, 3), in: world)
    emitter.position = [20, 0, 0]
    emitter.play()
    let far = offline.render(.milliseconds(500))
    let place = emitter.playbackTime
    emitter.bus = music
    let near = offline.render(.milliseconds(500)).frames(2_048..<24_000)
    #expect(near.level(ofChannel: 0) > far.level(ofChannel: 1) + 20)
    #expect(abs((near.level(ofChannel: 0) - near.level(ofChannel: 1)).rawValue) < 0.01)
    #expect(emitter.playbackTime - place == .milliseconds(500))
  }

  @Test func `A bus sends its sounds to an effect, and an emitter's own share replaces that`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let unit = try EffectUnit(.reverb(Reverb(.largeHall)), in: offline.context)
    let sfx = world.mixer.makeBus("sfx")
    let emitter = Emitter(playing: Self.tone(500, 20), in: world, on: world.mixer.makeBus("steps", in: sfx))
    emitter.play()
    offline.render(.milliseconds(100))
    func sends() -> [Float] {
      offline.render(frameCount: 1_024)
      return world.inspector.sources.flatMap { $0.effectSends.map(\.gain.rawValue) }
    }
    sfx.send(to: unit, gain: .decibels(-6))
    #expect(abs((sends().first ?? 0) - 0.501) < 1e-3)
    emitter.send(to: unit, gain: .decibels(-20))
    #expect(abs((sends().first ?? 0) - 0.1) < 1e-3)
    emitter.send(to: unit, gain: nil)
    #expect(abs((sends().first ?? 0) - 0.501) < 1e-3)
    emitter.bus = world.mixer.main
    #expect(sends().isEmpty)
    emitter.bus = sfx
    #expect(sends().count == 1)
    sfx.send(to: unit, gain: .decibels(-26), Fade(.seconds(1)))
    offline.render(.milliseconds(500))
    #expect(abs(Decibels(factor: sends().first ?? 0).rawValue + 16.4) < 0.5)
    sfx.send(to: unit, gain: nil, Fade(.milliseconds(500)))
    offline.render(.milliseconds(600))
    #expect(sends().isEmpty)
  }

  @Test func `The predicted level of a bus is the rendered one`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let sfx = world.mixer.makeBus("sfx")
    let steps = world.mixer.makeBus("steps", in: sfx)
    world.playOnce(Self.tone(300), on: sfx)
    world.playOnce(Self.tone(700, gain: 0.2), at: [0, 0, -3], on: steps)
    (sfx.gain, steps.gain) = (.decibels(-4), .decibels(-3))
    offline.render(.milliseconds(200))
    let mix = offline.render(.milliseconds(500))
    #expect(abs((sfx.level - mix.level(ofChannel: 0)).rawValue) < 0.3)
    #expect(world.mixer.main.level == sfx.level && steps.level < sfx.level)
    #expect(world.mixer.makeBus("empty").level == -160)
  }

  @Test func `A sound that begins at a moment has no level before it`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let (music, speech) = (world.mixer.makeBus("music"), world.mixer.makeBus("speech"))
    music.duck(under: speech, Ducking(by: -12))
    world.playOnce(Self.tone(440), on: music)
    let word = Emitter(playing: Self.tone(1_000), in: world, on: speech)
    word.play(at: .milliseconds(180))
    offline.render(.milliseconds(170))
    #expect(speech.level == -160 && !word.isVirtual)
    #expect(world.inspector.duckedLevels.first == 0)
    offline.render(.milliseconds(400))
    #expect(speech.level > -20)
    #expect(world.inspector.duckedLevels.first == -12)
  }

  @Test func `A bus that rises gives its emitters a voice, without a change of them`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context, voiceLimit: 4)
    let (loud, quiet) = (world.mixer.makeBus("loud"), world.mixer.makeBus("quiet"))
    let first = (0..<8).map { _ in world.playOnce(Self.tone(500, 20), on: loud) }
    let second = (0..<8).map { _ in world.playOnce(Self.tone(700, 20), on: quiet) }
    quiet.gain = .decibels(-20)
    offline.render(.milliseconds(500))
    #expect(first.count { !$0.isVirtual } == 4 && second.allSatisfy(\.isVirtual))
    loud.gain = .decibels(-40)
    offline.render(.milliseconds(500))
    #expect(first.allSatisfy(\.isVirtual) && second.count { !$0.isVirtual } == 4)
  }
}
