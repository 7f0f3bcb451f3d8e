import AudioSupport
import FileDecode
import PCM
import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// Sounds, streams, players and effects of buses that get a sum, also while they play.
@Suite(.hangLimit) struct StemMoveTests {
  private static let stereo = PCMFormat.stereo(sampleRate: 48_000)
  private static let tone = TestSignal.sine(frequency: 400, duration: .seconds(2), format: .mono(sampleRate: 48_000))
  private static let low: [Insert] = [.lowPass(60), .lowPass(60), .lowPass(60)]

  private static func level(_ mix: PCMBuffer<Float>) -> Float { mix.level(at: 400).rawValue }

  @Test(arguments: [false, true]) func `A loop moves to the sum of its bus without a click or a gap`(
    hasVariations: Bool
  ) throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let bus = world.mixer.makeBus("sfx")
    var sound = Sound(Self.tone)
    if hasVariations { sound.pitchVariation = 0.001...0.002 }
    let emitter = Emitter(playing: sound, in: world, on: bus)
    (emitter.repeats, emitter.gain) = (.forever, 0.5)
    emitter.play()
    let before = offline.render(.seconds(1))
    let meter = bus.meter()
    let change = offline.render(.seconds(1))
    let after = offline.render(.seconds(1))
    #expect(change.clicks(highestFrequency: 500).isEmpty && after.clicks(highestFrequency: 500).isEmpty)
    #expect(abs(Self.level(before) - Self.level(after)) < 0.01)
    let windows = stride(from: 0, to: change.frameCount - 2_400, by: 1_200)
    let levels = windows.map { Self.level(change.frames($0..<$0 + 2_400)) }
    // Two sources cross over with the same sound in phase.
    #expect(levels.allSatisfy { abs($0 - Self.level(before)) < 0.6 }, "\(levels)")
    #expect(meter.channels.first.map { $0.average > -20 } == true)
    #expect(emitter.isPlaying)
    bus.inserts = Self.low
    offline.render(.seconds(1))
    #expect(Self.level(offline.render(.seconds(1))) < Self.level(before) - 60)
  }

  @Test func `An emitter moves between buses with sums while it plays`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let (first, second) = (world.mixer.makeBus("first"), world.mixer.makeBus("second"))
    first.inserts = Self.low
    second.inserts = [.width(1)]
    let emitter = Emitter(playing: Sound(Self.tone), in: world, on: first)
    (emitter.repeats, emitter.gain) = (.forever, 0.5)
    emitter.play()
    offline.render(.seconds(1))
    let quiet = Self.level(offline.render(.seconds(1)))
    emitter.bus = second
    let change = offline.render(.seconds(1))
    #expect(change.clicks(highestFrequency: 500).isEmpty)
    #expect(Self.level(offline.render(.seconds(1))) > quiet + 60)
    emitter.bus = world.mixer.main
    offline.render(.milliseconds(500))
    second.isMuted = true
    #expect(Self.level(offline.render(.seconds(1))) > quiet + 60)
    emitter.bus = first
    offline.render(.seconds(1))
    #expect(Self.level(offline.render(.seconds(1))) < quiet + 1)
    // No move is left behind, and no sound is loaded that nothing uses.
    emitter.stop()
    offline.render(.milliseconds(100))
    #expect(world.inspector.hasNoMoves)
  }

  @Test func `A player moves to the sum of its bus without a gap`() async throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let bus = world.mixer.makeBus("music", kind: .direct)
    let samples = TestSignal.sine(frequency: 400, duration: .seconds(20), format: Self.stereo)
    let player = try SoundPlayer(playing: Sound(samples), in: world, on: bus)
    player.volume = 0.5
    player.play()
    let before = offline.render(.seconds(1))
    bus.inserts = [.width(1)]
    let change = offline.render(.seconds(1))
    #expect(change.clicks(highestFrequency: 500).isEmpty)
    #expect(abs(Self.level(change) - Self.level(before)) < 0.2)
    bus.inserts = Self.low
    offline.render(.seconds(1))
    #expect(Self.level(offline.render(.seconds(1))) < Self.level(before) - 60)
    #expect(player.isPlaying)
  }

  @Test func `A paused player goes on in the sum of its bus`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let bus = world.mixer.makeBus("music", kind: .direct)
    let samples = TestSignal.sine(frequency: 400, duration: .seconds(20), format: Self.stereo)
    let player = try SoundPlayer(playing: Sound(samples), in: world, on: bus)
    player.play()
    let before = Self.level(offline.render(.seconds(1)))
    player.pause()
    offline.render(.seconds(1))
    bus.inserts = Self.low
    offline.render(.seconds(1))
    player.play()
    offline.render(.seconds(1))
    #expect(Self.level(offline.render(.seconds(1))) < before - 60)
  }

  @Test func `A streamed emitter plays in the sum of its bus`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let bus = world.mixer.makeBus("sfx")
    bus.inserts = Self.low
    let samples = Self.tone
    let emitter = Emitter(
      playing: Sound(streaming: "tone") { SampleReader(samples) },
      in: world,
      on: bus
    )
    (emitter.repeats, emitter.gain) = (.forever, 0.5)
    emitter.play()
    offline.render(.seconds(1))
    let quiet = Self.level(offline.render(.seconds(1)))
    bus.inserts = []
    offline.render(.seconds(1))
    #expect(Self.level(offline.render(.seconds(1))) > quiet + 60)
  }

  @Test func `The sounds of a bus with a sum feed its effects as the sounds of another bus do`() throws {
    func mix(summed: Bool, _ prepare: (AudioWorld, Bus, EffectUnit) -> Void) throws -> PCMBuffer<Float> {
      var offline = try OfflineRenderer(format: Self.stereo)
      let world = AudioWorld(in: offline.context)
      let bus = world.mixer.makeBus("sfx")
      let unit = try EffectUnit(.echo(Effect.Echo()), in: offline.context)
      let meter = summed ? bus.meter() : nil
      prepare(world, bus, unit)
      let burst = TestSignal.noise(duration: .milliseconds(100), format: .mono(sampleRate: 48_000))
      world.playOnce(Sound(burst), at: [0, 0, -1], on: bus)
      let mix = offline.render(.seconds(2))
      withExtendedLifetime(meter) {}
      return mix
    }
    func compare(_ prepare: (AudioWorld, Bus, EffectUnit) -> Void) throws {
      let (plain, summed) = (try mix(summed: false, prepare), try mix(summed: true, prepare))
      let tail = plain.frames(in: .milliseconds(200)..<(.seconds(2)))
      #expect(tail.samples.contains { abs($0) > 0.001 })
      let peak = plain.samples.map(abs).max() ?? 0
      let difference = zip(plain.samples, summed.samples).map { abs($0 - $1) }.max() ?? 1
      #expect(difference < peak * Decibels(-90).factor)
    }
    try compare { $1.send(to: $2, gain: 0.8, .none) }
    try compare { world, _, unit in
      unit.gain = 0.5; world.mixer["sfx"]?.send(to: unit, gain: 1, .none)
    }
    try compare { world, _, _ in
      world.zones = [ReverbZone(.sphere(center: .zero, radius: 50), Reverb(.largeHall))]
    }
  }

  @Test func `A changed effect changes the effect of a sum`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let bus = world.mixer.makeBus("sfx")
    let unit = try EffectUnit(.echo(Effect.Echo()), in: offline.context)
    bus.send(to: unit, gain: 1, .none)
    bus.inserts = [.width(1)]
    let emitter = Emitter(playing: Sound(Self.tone), in: world, on: bus)
    emitter.repeats = .forever
    emitter.play()
    offline.render(.seconds(1))
    let mirror = try #require(world.mirrors.withLock { $0.pairs.first?.unit })
    #expect(mirror.context !== offline.context)
    unit.gain = 0.25
    unit.effect = .reverb(Reverb(.largeHall))
    offline.render(.milliseconds(100))
    #expect(mirror.gain == 0.25 && mirror.effect == unit.effect)
  }

  @Test func `A sum without room for an effect is reported once, and its sounds go on without the effect`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let reports = Collected<Diagnostic>()
    offline.context.onDiagnostic = { reports.append($0) }
    let world = AudioWorld(in: offline.context)
    let bus = world.mixer.makeBus("sfx")
    bus.inserts = [.width(1)]
    var units: [EffectUnit] = []
    while units.count < 100, let unit = try? EffectUnit(.compressor, in: world.context(of: 1)) { units.append(unit) }
    let unit = try EffectUnit(.echo(Effect.Echo()), in: offline.context)
    bus.send(to: unit, gain: 1, .none)
    for _ in 0..<2 { world.playOnce(Sound(Self.tone), on: bus) }
    #expect(offline.render(.milliseconds(500)).samples.contains { abs($0) > 0.1 })
    #expect(reports.all.map(\.code) == [.stemUnavailable])
    #expect(reports.all.first?.message.contains("the library has no more room for effects") == true)
    withExtendedLifetime(units) {}
  }

  @Test func `A sound of a bank is copied for a sum, and not read again`() async throws {
    let folder = try SoundFolder()
    let path = try folder.write("tone.wav", Self.tone)
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let bank = SoundBank(in: world)
    bank.define("tone", Sound(path))
    try await bank.load("tone")
    try folder.remove("tone.wav")
    let bus = world.mixer.makeBus("sfx")
    bus.inserts = [.width(1)]
    let emitter = try bank.play("tone", at: [0, 0, -1], on: bus)
    #expect(offline.render(.milliseconds(500)).samples.contains { abs($0) > 0.1 })
    emitter.stop()
    offline.render(.milliseconds(200))
    bank.unload("tone")
    #expect(world.inspector.sources.allSatisfy { $0.buffer == nil })
  }

  @Test func `The end of a world ends its sums`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let stem: Weak<AudioContext>
    do {
      let world = AudioWorld(in: offline.context)
      world.mixer.makeBus("sfx").inserts = [.delay(.milliseconds(200), feedback: 0)]
      world.playOnce(Sound(Self.tone), on: world.mixer["sfx"])
      offline.render(.milliseconds(500))
      stem = Weak(world.context(of: 1))
    }
    let mix = offline.render(.seconds(3))
    #expect(mix.clicks(highestFrequency: 500).isEmpty && mix.samples.contains { $0 != 0 })
    #expect(stem.object == nil)
    let next = AudioWorld(in: offline.context)
    next.mixer.makeBus("sfx").inserts = [.width(1)]
    next.playOnce(Sound(Self.tone), on: next.mixer["sfx"])
    #expect(offline.render(.milliseconds(500)).samples.contains { abs($0) > 0.1 })
  }

  @Test func `A renderer and its world that end together leave no sum`() throws {
    let references = try Self.endedScene()
    #expect(references.stem.object == nil && references.context.object == nil)
  }

  private static func endedScene() throws -> (stem: Weak<AudioContext>, context: Weak<AudioContext>) {
    var offline = try OfflineRenderer(format: stereo)
    let world = AudioWorld(in: offline.context)
    world.mixer.makeBus("sfx").inserts = [.delay(.milliseconds(200))]
    world.playOnce(Sound(tone), on: world.mixer["sfx"])
    offline.render(.milliseconds(100))
    return (Weak(world.context(of: 1)), Weak(offline.context))
  }

  @Test func `A replay has the sums of its recording, to the bit`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let (sfx, music) = (world.mixer.makeBus("sfx"), world.mixer.makeBus("music", kind: .direct))
    sfx.inserts = [.highPass(200)]
    let recording = world.record()
    let noise = Sound(TestSignal.noise(duration: .seconds(2), format: .mono(sampleRate: 48_000)))
    var (mix, meter): ([Float], BusMeter?) = ([], nil)
    let emitter = Emitter(playing: noise, in: world, on: music)
    emitter.repeats = .forever
    emitter.play()
    for block in 0..<100 {
      switch block {
      case 5: world.playOnce(noise, at: [1, 0, 0], on: sfx)
      case 20: meter = music.meter()
      case 30: sfx.inserts = [.limiter(ceiling: -20)]
      case 40: music.inserts = [.lowPass(500)]
      case 50: music.fade(to: 0.2, Fade(.milliseconds(300)))
      case 60: emitter.bus = sfx
      default: break
      }
      mix += offline.render(frameCount: 512).samples
    }
    recording.stop()
    #expect(recording.isComplete)
    var other = try OfflineRenderer(format: Self.stereo)
    let copy = AudioWorld(in: other.context)
    recording.replay(in: copy)
    let replayed = other.render(frameCount: 100 * 512).samples
    #expect(replayed == mix && mix.contains { abs($0) > 0.05 })
    withExtendedLifetime(meter) {}
  }
}
