import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// The beginnings of emitters that limits, pauses and fades delay.
@Suite struct BeginningTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  @Test(arguments: [true, false])
  func `A play that comes too soon leaves what plays`(isOfBus: Bool) throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    var sound = Sound.tone(.seconds(1))
    let limit = PlaybackLimit(4, spacing: .milliseconds(40))
    if isOfBus { world.mixer.main.limit = limit } else { sound.limit = limit }
    let emitter = Emitter(playing: sound, in: world)
    let events = Collected<EmitterEvent>()
    let token = emitter.observe { events.append($0) }
    emitter.play()
    offline.render(.milliseconds(20))
    emitter.play()
    offline.render(.milliseconds(10))
    #expect(emitter.isPlaying && emitter.playbackTime == .milliseconds(30))
    offline.render(.milliseconds(20))
    emitter.play()
    #expect(emitter.playbackTime == .zero)
    offline.render(.milliseconds(10))
    #expect(events.all == [.becameReal, .ended(.refused), .ended(.stopped), .becameReal])
    withExtendedLifetime(token) {}
  }

  @Test func `The spacing counts from beginning to beginning, whenever they were ordered`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    var sound = Sound.tone(.seconds(0.1))
    sound.limit = PlaybackLimit(8, spacing: .milliseconds(40))
    let emitters = (0..<4).map { _ in Emitter(playing: sound, in: world) }
    for index in 0..<3 { emitters[index].play(at: .seconds(index + 1)) }
    #expect(emitters.map(\.isPlaying) == [true, true, true, false])
    emitters[3].play(at: .milliseconds(3_020))
    #expect(!emitters[3].isPlaying)
    offline.render(.milliseconds(10))
  }

  @Test func `A pause of a bus keeps the emitters that its limit keeps virtual`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let bus = world.mixer.makeBus("steps")
    bus.limit = PlaybackLimit(2, whenReached: .virtualize)
    let emitters = (0..<6).map { _ in Emitter(playing: Sound.tone(.seconds(20)), in: world, on: bus) }
    for emitter in emitters { emitter.play() }
    offline.render(.milliseconds(50))
    bus.pause()
    offline.render(.milliseconds(100))
    bus.resume()
    offline.render(.milliseconds(100))
    #expect(emitters.indices.filter { !emitters[$0].isVirtual } == [0, 1])
    emitters[0].stop()
    offline.render(.milliseconds(100))
    #expect(emitters.indices.filter { emitters[$0].isPlaying && !emitters[$0].isVirtual } == [1, 2])
  }

  @Test func `An emitter that is resumed waits for room`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    var sound = Sound.tone(.seconds(20))
    sound.limit = PlaybackLimit(1)
    let emitters = (0..<2).map { _ in Emitter(playing: sound, in: world) }
    emitters[0].play()
    offline.render(.milliseconds(50))
    emitters[0].pause(.none)
    emitters[1].play()
    emitters[0].play()
    offline.render(.milliseconds(50))
    #expect(emitters[0].isVirtual && !emitters[1].isVirtual)
    emitters[1].stop()
    offline.render(.milliseconds(50))
    #expect(!emitters[0].isVirtual)
  }

  @Test func `Copies that begin at one moment ahead are as loud as one`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    var sound = Sound(TestSignal.noise(duration: .seconds(1), format: Self.mono))
    sound.loudnessOfMany = .compensated
    let emitters = (0..<10).map { _ in Emitter(playing: sound, in: world) }
    for (index, emitter) in emitters.enumerated() { emitter.play(at: .seconds(index < 9 ? 1 : 2)) }
    offline.render(.milliseconds(1_200))
    for emitter in emitters[..<9] {
      #expect(abs(emitter.inspector.copyGain - 1 / 3) < 1e-6)
    }
    offline.render(.seconds(1))
    #expect(emitters[9].inspector.copyGain == 1)
  }

  @Test func `An emitter that must be heard ends the fade of a stopped one`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context, voiceLimit: 2)
    let reports = Collected<Diagnostic>()
    offline.context.onDiagnostic = { reports.append($0) }
    let fading = (0..<2).map { _ in Emitter(playing: Sound.tone(.seconds(20)), in: world) }
    for emitter in fading { emitter.play() }
    offline.render(.milliseconds(200))
    fading[0].stop(Fade(.seconds(5)))
    offline.render(.milliseconds(100))
    fading[1].stop(Fade(.seconds(5)))
    let speech = Emitter(playing: Sound.tone(.seconds(1)), in: world)
    speech.priority = .mustBeHeard
    speech.play()
    offline.render(.milliseconds(100))
    #expect(!speech.isVirtual && !fading[0].isPlaying && fading[1].isPlaying)
    #expect(reports.all.isEmpty)
  }

  @Test func `A sound that begins beside a listener who has just moved is heard there from its first frame`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let hum = Emitter(playing: Sound.tone(.seconds(5)), in: world)
    hum.gain = .silence
    hum.play()
    offline.render(.milliseconds(100))
    world.listener.position = [1_000, 0, 0]
    let emitter = world.playOnce(Sound.tone(.seconds(1)), at: [1_000, 0, 0])
    let mix = offline.render(frameCount: 512)
    #expect(mix.level(at: 400) > -12)
    withExtendedLifetime(emitter) {}
  }

  @Test func `A follower goes to the bus of its leader`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let (cave, field) = (world.mixer.makeBus("cave"), world.mixer.makeBus("field"))
    let monster = Emitter(playing: Sound.tone(.seconds(5)), in: world, on: cave)
    monster.play()
    let growl = monster.playOnce(Sound.tone(.seconds(5)))
    offline.render(.milliseconds(50))
    monster.bus = field
    offline.render(.milliseconds(50))
    #expect(growl.bus.name == "field")
  }

  @Test func `More loops than spare voices keep sounding when their sound is read again`() async throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let (bank, folder) = (SoundBank(in: world), try SoundFolder())
    let old = TestSignal.sine(frequency: 400, duration: .milliseconds(200), format: Self.mono)
    let new = TestSignal.sine(frequency: 800, duration: .milliseconds(200), format: Self.mono)
    bank.define("hum", Sound(try folder.write("hum.wav", old)))
    try await bank.load("hum")
    let emitters = try (0..<20).map { _ in try bank.play("hum", repeats: .times(9)) }
    offline.render(.milliseconds(300))
    try folder.write("hum.wav", new)
    try await bank.reload("hum")
    offline.render(.milliseconds(600))
    #expect(emitters.allSatisfy { $0.isPlaying && !$0.isVirtual && $0.repeats == 9 })
    offline.render(.milliseconds(1_150))
    #expect(emitters.allSatisfy { !$0.isPlaying })
  }
}
