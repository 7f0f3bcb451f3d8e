import GameAudio
import Spatial3D
import Spatial3DTesting
import Testing

/// The reports of values that a property cannot take: each property once, with its name, the value and the result.
///
/// `ClampTableTests` and `ClampSentenceTests` have the reports of values out of a range.
@Suite struct UnusableValueTests {
  private let reports = Collected<Diagnostic>()
  private let context: AudioContext
  private let world: AudioWorld
  private static let tone = Sound(
    TestSignal.sine(frequency: 440, duration: .seconds(1), format: .mono(sampleRate: 48_000))
  )

  init() throws {
    context = try OfflineRenderer(format: .mono(sampleRate: 48_000)).context
    world = AudioWorld(in: context)
    let reports = reports
    context.onDiagnostic = { reports.append($0) }
  }

  private var sentences: [String] { reports.all.map(\.message) }

  @Test func `Each property of an emitter reports a value that is not finite, once`() {
    let emitter = Emitter(playing: Self.tone, in: world)
    let other = Emitter(playing: Self.tone, in: world)
    for emitter in [emitter, other] {
      emitter.position = [1, .nan, 0]
      emitter.velocity = [.infinity, 0, 0]
      emitter.gain = .decibels(Decibels(.nan))
      emitter.pitch = .infinity
      emitter.direction = [.nan, 0, 0]
      emitter.cone = Cone(innerAngle: .nan)
      emitter.radius = .nan
      emitter.occlusion = Decibels(.nan)
      emitter.obstruction = Decibels(.nan)
    }
    let names = [
      "position", "velocity", "gain", "pitch", "direction", "cone.innerAngle", "radius", "occlusion", "obstruction",
    ]
    #expect(sentences.count == names.count)
    for (name, sentence) in zip(names, sentences) { #expect(sentence.hasPrefix("The \(name) of emitter 1 (")) }
    #expect(reports.all.allSatisfy { $0.code == .valueNotUsable })
    #expect(sentences[0].contains("was set to [1.0, nan, 0.0], which is not usable: it stays [0.0, 0.0, 0.0]."))
    #expect(emitter.position == .zero && emitter.pitch == 1 && emitter.gain == .unity)
    emitter.fade(to: .decibels(Decibels(.nan)), .declick)
    #expect(sentences.count == names.count)
  }

  @Test func `A sound that is played at a place that is not finite is reported`() {
    world.playOnce(Self.tone, at: [0, 0, .infinity])
    #expect(sentences.count == 1 && sentences[0].contains("[0.0, 0.0, inf]"))
  }

  @Test func `A move to a place that is not finite, and one of unequal lists, are reported once`() {
    let emitters = (0..<3).map { _ in Emitter(playing: Self.tone, in: world) }
    let places: [SIMD3<Float>] = [[1, 0, 0], [.nan, 0, 0], [3, 0, 0]]
    for _ in 0..<2 {
      world.move(emitters, to: places.span)
      world.move(emitters, to: places.span.extracting(0..<1))
    }
    #expect(emitters.map(\.position.x) == [1, 0, 3])
    #expect(sentences.count == 2)
    #expect(sentences.first?.hasPrefix("The position of emitter 2 (") == true)
    #expect(sentences.last?.contains("3 emitters and 1 positions, and has moved the first 1.") == true)
  }

  @Test func `Values in range are not reported`() {
    let emitters = [Emitter(playing: Self.tone, in: world)]
    emitters[0].position = [1e9, 0, 0]
    emitters[0].radius = 0
    emitters[0].pitch = 100
    world.move(emitters, to: [[1, 2, 3]].span)
    world.listener.gain = 16
    world.listeners = [Listener(), Listener()]
    world.mixer.main.pitch = 4
    #expect(sentences.isEmpty)
  }

  @Test func `A move to a place out of the range is reported once, apart from one that is not finite`() {
    let emitters = (0..<3).map { _ in Emitter(playing: Self.tone, in: world) }
    let places: [SIMD3<Float>] = [[1, 0, 0], [3e9, 0, 0], [.nan, 0, 0]]
    for _ in 0..<2 { world.move(emitters, to: places.span) }
    #expect(emitters.map(\.position.x) == [1, 1e9, 0])
    #expect(Set(reports.all.map(\.code)) == [.valueNotUsable, .valueClamped] && reports.all.count == 2)
    let clamp = reports.all.first { $0.code == .valueClamped }?.message
    #expect(
      clamp?.hasPrefix("The position of emitter 2 (A sound in memory) was set to [3e+09, 0.0, 0.0], outside") == true
    )
    #expect(clamp?.contains(": [1e+09, 0.0, 0.0] is used.") == true)
  }

  @Test func `The later listeners have reports of their own, and each part has one`() {
    for _ in 0..<2 { world.listeners = [Listener(gain: 17), Listener(position: [0, 2e9, 0], gain: 20)] }
    #expect(world.listeners.map(\.gain) == [16, 16] && world.listeners[1].position == [0, 1e9, 0])
    let beginnings = [
      "The gain of the listener was set to 17.0", "The position of listener 1 was set to [0.0, 2e+09, 0.0]",
      "The gain of listener 1 was set to 20.0",
    ]
    #expect(sentences.count == beginnings.count)
    for (beginning, sentence) in zip(beginnings, sentences) { #expect(sentence.hasPrefix(beginning)) }
  }

  @Test func `A cone beyond its ranges counts as one at their ends`() throws {
    let world = AudioWorld(in: try OfflineRenderer(format: .stereo(sampleRate: 48_000)).context)
    let tone = TestSignal.sine(frequency: 300, duration: .seconds(1), format: .mono(sampleRate: 48_000))
    let emitter = Emitter(playing: Sound(tone), in: world)
    emitter.position = [0, 0, -1]
    emitter.direction = [0, 0, -1]
    emitter.cone = Cone(innerAngle: -5, outerAngle: -5, outerGain: 1e9, outerHighFrequencyGain: 2)
    let ends = Cone(innerAngle: 0, outerAngle: 0, outerGain: 1, outerHighFrequencyGain: 1)
    #expect(emitter.cone == ends && world.snapshot().emitters.map(\.cone) == [ends])
    emitter.play()
    #expect(world.explain(emitter).factors.allSatisfy { $0.level <= 0 })
  }

  @Test func `The parts of a listener, an empty list and a fifth listener are reported once`() {
    for _ in 0..<2 {
      world.listener.position = [.nan, 0, 0]
      world.listener.gain = Gain(.infinity)
      world.listeners = []
      world.listeners = Array(repeating: Listener(), count: 5)
      world.listeners = [Listener(), Listener(velocity: [.nan, 0, 0])]
    }
    #expect(world.listener.position == .zero && world.listeners.count == 2)
    let beginnings = [
      "The position of the listener was set to [nan, 0.0, 0.0]", "The gain of the listener was set to inf",
      "The list of listeners of a world was set to an empty one", "The velocity of listener 1",
    ]
    // The list is one property.
    #expect(sentences.count == beginnings.count)
    for (beginning, sentence) in zip(beginnings, sentences) { #expect(sentence.hasPrefix(beginning)) }
  }

  @Test func `The values of buses and walls are reported with the name of the bus`() {
    let bus = world.mixer.makeBus("music")
    bus.gain = .decibels(Decibels(.nan))
    bus.fade(to: .decibels(Decibels(.nan)), .declick)
    bus.pitch = .nan
    bus.filter = ToneFilter(low: Decibels(.nan))
    world.wallOcclusion = Decibels(.nan)
    #expect(sentences.count == 4)
    #expect(sentences.prefix(3).allSatisfy { $0.contains("of the bus music was set to") })
    #expect(bus.gain == .unity && bus.pitch == 1)
  }

  @Test func `A negative volume is reported, with the form of a level in decibels`() throws {
    let player = try SoundPlayer(playing: Self.tone, in: world)
    player.fade(to: -10, .none)
    #expect(sentences.count == 1)
    #expect(sentences[0].contains("The volume of a player (") && sentences[0].contains("-10.0"))
    #expect(sentences[0].contains(".decibels(-10.0)"))
    player.volume = 3
    #expect(player.volume == 1 && sentences.count == 2)
    player.volume = Gain(.nan)
    (player.pan, player.pitch) = (.nan, .infinity)
    #expect(player.volume == 1 && sentences.count == 4)
  }

  @Test func `A number of voices out of range is reported as it was asked for`() throws {
    let none = AudioWorld(in: context, voiceLimit: 0)
    #expect(none.inspector.voiceLimit == 1)
    let sentence = "The voiceLimit of a world was set to 0, outside of its range 1 to 4096: 1 is used."
    #expect(sentences == ["\(sentence) This is reported once."] && reports.all[0].code == .valueClamped)
    reports.removeAll()
    let many = AudioWorld(in: context, voiceLimit: 10_000)
    let granted = many.inspector.voiceLimit
    #expect(sentences.count == 1)
    if granted < 4_096 { #expect(sentences[0].hasPrefix("A world has \(granted) voices instead of 10000")) }
  }
}
