import GameAudio
import Spatial3D
import Spatial3DTesting
import Testing

/// Each call of a world, an emitter and a bus: it is recorded once, and a value that cannot be used is no call.
@Suite struct EachCallTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let tone = Sound(TestSignal.sine(frequency: 400, duration: .seconds(4), format: mono))

  /// A world that is recorded, with an emitter that plays, two buses and an effect.
  private final class Scene {
    var offline: OfflineRenderer
    let (world, other): (AudioWorld, AudioWorld)
    let (emitter, bus, music): (Emitter, Bus, Bus)
    let unit: EffectUnit
    let recording: WorldRecording

    init() throws {
      offline = try OfflineRenderer(format: EachCallTests.mono)
      (world, other) = (AudioWorld(in: offline.context, voiceLimit: 1), AudioWorld(in: offline.context, voiceLimit: 1))
      emitter = Emitter(playing: EachCallTests.tone, in: world)
      (bus, music) = (world.mixer.makeBus("sfx"), world.mixer.makeBus("music"))
      unit = try EffectUnit(.echo(Effect.Echo()), in: offline.context)
      emitter.play()
      recording = world.record()
    }
  }

  /// A call, and the number of entries that it adds to a recording.
  private typealias Row = (name: String, count: Int, call: (Scene) -> Void)

  private static func check(_ rows: [Row]) throws {
    for (name, count, call) in rows {
      let scene = try Scene()
      #expect(scene.recording.callCount == 0)
      call(scene)
      #expect(scene.recording.callCount == count, "\(name)")
    }
  }

  @Test func `Each call of an emitter is recorded once`() throws {
    try Self.check([
      ("position", 1, { $0.emitter.position = [1, 2, 3] }), ("velocity", 1, { $0.emitter.velocity = [1, 0, 0] }),
      ("derived velocity", 1, { $0.emitter.derivesVelocity = true }), ("gain", 1, { $0.emitter.gain = .decibels(-3) }),
      ("pitch", 1, { $0.emitter.pitch = 2 }), ("priority", 1, { $0.emitter.priority = 60 }),
      ("repeats", 1, { $0.emitter.repeats = .forever }), ("behavior", 1, { $0.emitter.virtualBehavior = .stop }),
      ("direction", 1, { $0.emitter.direction = [0, 0, 1] }), ("cone", 1, { $0.emitter.cone = Cone(innerAngle: 9) }),
      ("radius", 1, { $0.emitter.radius = 2 }), ("occlusion", 1, { $0.emitter.occlusion = -3 }),
      ("obstruction", 1, { $0.emitter.obstruction = -3 }), ("bus", 1, { $0.emitter.bus = $0.music }),
      ("send", 1, { $0.emitter.send(to: $0.unit, gain: .decibels(-6)) }), ("play", 1, { $0.emitter.play() }),
      ("play at", 1, { $0.emitter.play(at: .seconds(3)) }), ("stop", 1, { $0.emitter.stop() }),
      ("pause", 1, { $0.emitter.pause() }), ("fade", 1, { $0.emitter.fade(to: .decibels(-9), .declick) }),
      ("seek", 1, { $0.emitter.playbackTime = .seconds(2) }), ("play once", 5, { $0.emitter.playOnce(Self.tone) }),
      ("make", 2, { _ = Emitter(playing: Self.tone, in: $0.world) }),
    ])
  }

  @Test func `Each call of a bus and of the mixer is recorded once`() throws {
    try Self.check([
      ("gain", 1, { $0.bus.gain = .decibels(-3) }), ("fade", 1, { $0.bus.fade(to: .decibels(-3), .declick) }),
      ("pitch", 1, { $0.bus.pitch = 2 }),
      ("filter", 1, { $0.bus.filter = ToneFilter(low: -3) }), ("mute", 1, { $0.bus.isMuted = true }),
      ("solo", 1, { $0.bus.isSoloed = true }), ("limit", 1, { $0.bus.limit = PlaybackLimit(3) }),
      ("pause", 1, { $0.bus.pause() }), ("resume", 1, { $0.bus.resume() }),
      ("send", 1, { $0.bus.send(to: $0.unit, gain: .decibels(-6)) }),
      ("duck", 1, { $0.bus.duck(under: $0.music, Ducking(by: -6)) }),
      ("no ducker", 1, { $0.bus.duck(under: $0.music, nil) }), ("new bus", 1, { _ = $0.world.mixer.makeBus("new") }),
      ("known bus", 0, { _ = $0.world.mixer.makeBus("music") }), ("list of buses", 0, { _ = $0.world.mixer.buses }),
      ("apply", 1, { $0.world.mixer.apply($0.world.mixer.snapshot()) }),
    ])
  }

  @Test func `Each call of a world is recorded once`() throws {
    let (place, origin): ([SIMD3<Float>], [SIMD3<Float>]) = ([[1, 2, 3]], [.zero])
    let zone = ReverbZone(.sphere(center: .zero, radius: 3), Reverb(.smallRoom), name: "hall")
    try Self.check([
      ("listener", 1, { $0.world.listener.position = [1, 0, 0] }),
      ("listeners", 1, { $0.world.listeners = [Listener()] }),
      ("seed", 1, { $0.world.seed = 7 }), ("streams", 1, { $0.world.streamLimit = 3 }),
      ("rates", 1, { $0.world.convertsSampleRates = false }),
      ("zones", 1, { $0.world.zones = [zone] }), ("portals", 1, { $0.world.portals = [] }),
      ("walls", 1, { $0.world.wallOcclusion = -20 }), ("rays", 1, { $0.world.castRays { _ in .clear } }),
      ("update", 2, { $0.world.update {} }), ("play once", 4, { $0.world.playOnce(Self.tone) }),
      ("play once at", 5, { $0.world.playOnce(Self.tone, at: [1, 0, 0]) }),
      ("move", 1, { $0.world.move([$0.emitter], to: place.span) }),
      ("move to the same place", 0, { $0.world.move([$0.emitter], to: origin.span) }),
      ("move nothing", 0, { $0.world.move([], to: place.span) }),
      ("snapshot", 0, { _ = $0.world.snapshot() }), ("explain", 0, { _ = $0.world.explain($0.emitter) }),
      ("voices", 0, { _ = $0.world.voiceStatistics() }),
    ])
  }

  @Test func `A value that cannot be used, and a bus of another world, are no calls`() throws {
    let none = Decibels(.nan)
    let nowhere: [SIMD3<Float>] = [[.nan, 0, 0]]
    try Self.check([
      ("position", 0, { $0.emitter.position = [.nan, 0, 0] }),
      ("velocity", 0, { $0.emitter.velocity = [0, .infinity, 0] }),
      ("gain", 0, { $0.emitter.gain = Gain(.nan) }), ("pitch", 0, { $0.emitter.pitch = .infinity }),
      ("direction", 0, { $0.emitter.direction = [0, 0, .nan] }),
      ("cone", 0, { $0.emitter.cone = Cone(innerAngle: .nan) }),
      ("radius", 0, { $0.emitter.radius = .nan }), ("occlusion", 0, { $0.emitter.occlusion = none }),
      ("obstruction", 0, { $0.emitter.obstruction = none }), ("bus", 0, { $0.emitter.bus = $0.other.mixer.main }),
      ("send", 0, { $0.emitter.send(to: $0.unit, gain: Gain(.nan)) }),
      ("fade", 0, { $0.emitter.fade(to: Gain(.nan), .declick) }),
      ("move", 0, { $0.world.move([$0.emitter], to: nowhere.span) }),
      ("gain of a bus", 0, { $0.bus.gain = Gain(.nan) }),
      ("fade of a bus", 0, { $0.bus.fade(to: Gain(.nan), .declick) }),
      ("pitch of a bus", 0, { $0.bus.pitch = .nan }), ("filter", 0, { $0.bus.filter = ToneFilter(high: none) }),
      ("send of a bus", 0, { $0.bus.send(to: $0.unit, gain: Gain(.nan)) }),
      ("walls", 0, { $0.world.wallOcclusion = none }),
      ("ducker", 0, { $0.bus.duck(under: $0.other.mixer.main, Ducking(by: -6)) }),
    ])
  }

  @Test(arguments: [false, true])
  func `A move stores the places of the world's own emitters, and reports the first of each fault`(
    isRecorded: Bool
  )
    throws
  {
    let offline = try OfflineRenderer(format: Self.mono)
    let reports = Collected<Diagnostic>()
    offline.context.onDiagnostic = { reports.append($0) }
    let (world, other) = (AudioWorld(in: offline.context), AudioWorld(in: offline.context))
    let recording = isRecorded ? world.record() : nil
    let emitters = [world, other, world, world, world].map { Emitter(playing: Self.tone, in: $0) }
    let before = recording?.callCount ?? 0
    let places: [SIMD3<Float>] = [[1, 0, 0], [2, 0, 0], [.nan, 0, 0], [4e9, 0, 0], [5, 0, 0], [6, 0, 0]]
    world.move(emitters, to: places.span.extracting(0..<5))
    #expect(emitters.map(\.position.x) == [1, 0, 0, 1e9, 5])
    #expect(reports.all.map(\.code) == [.valueNotUsable, .valueClamped])
    #expect(reports.all[0].message.hasPrefix("The position of emitter 2 ("))
    #expect(reports.all[1].message.hasPrefix("The position of emitter 3 ("))
    #expect((recording?.callCount ?? 1) - before == 1)
    // More positions than emitters, and fewer.
    world.move(emitters, to: places.span)
    #expect(reports.all.map(\.code) == [.valueNotUsable, .valueClamped, .valueNotUsable])
    world.move(emitters, to: [[7, 0, 0]].span)
    #expect(emitters.map(\.position.x) == [7, 0, 0, 1e9, 5] && reports.all.count == 3)
    recording?.stop()
  }

  @Test func `Each range of a bus and of an emitter ends where the documentation says`() throws {
    let offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let (bus, emitter) = (world.mixer.makeBus("sfx"), Emitter(playing: Self.tone, in: world))
    for (gain, expected) in [(11.5, 11.5), (12.5, 12), (-200, -200)] as [(Float, Float)] {
      bus.gain = .decibels(Decibels(gain))
      #expect(abs(bus.gain.decibels.rawValue - expected) < 1e-3)
      bus.gain = .unity
      bus.fade(to: .decibels(Decibels(gain)), .none)
      #expect(abs(bus.gain.decibels.rawValue - expected) < 1e-3)
    }
    for (pitch, expected) in [(0.2, 0.25), (0.3, 0.3), (3.9, 3.9), (4.1, 4), (-1, 0.25)] as [(Float, Float)] {
      bus.pitch = pitch
      #expect(bus.pitch == expected)
    }
    bus.filter = ToneFilter(low: -61, high: 3)
    #expect(bus.filter == ToneFilter(low: -60, high: 0))
    bus.filter = ToneFilter(low: 3, high: -61)
    #expect(bus.filter == ToneFilter(low: 0, high: -60))
    for (gain, expected) in [(23.5, 23.5), (25, 24)] as [(Float, Float)] {
      emitter.gain = .decibels(Decibels(gain))
      #expect(abs(emitter.gain.decibels.rawValue - expected) < 1e-3)
      emitter.fade(to: .decibels(Decibels(gain - 30)), .none)
      emitter.fade(to: .decibels(Decibels(gain)), .none)
      #expect(abs(emitter.gain.decibels.rawValue - expected) < 1e-3)
    }
    for (pitch, expected) in [(0.001, 0.01), (0.02, 0.02), (99, 99), (101, 100)] as [(Float, Float)] {
      emitter.pitch = pitch
      #expect(emitter.pitch == expected)
    }
    for (level, expected) in [(-101, -100), (-99, -99), (1, 0)] as [(Decibels, Decibels)] {
      (emitter.occlusion, emitter.obstruction, world.wallOcclusion) = (level, level, level)
      #expect([emitter.occlusion, emitter.obstruction, world.wallOcclusion] == [expected, expected, expected])
    }
    for (radius, expected) in [(-1, 0), (0, 0), (2, 2)] as [(Float, Float)] {
      emitter.radius = radius
      #expect(emitter.radius == expected)
    }
    for (x, expected) in [(1e9, 1e9), (1.05e9, 1e9), (-1.05e9, -1e9), (3e38, 1e9)] as [(Float, Float)] {
      (emitter.position, emitter.velocity) = ([x, 1, 2], [2, x, 1])
      #expect(emitter.position == [expected, 1, 2] && emitter.velocity == [2, expected, 1])
      emitter.position = [1, 2, x]
      #expect(emitter.position == [1, 2, expected])
      world.listener.position = [x, 0, 0]
      #expect(world.listener.position.x == expected)
    }
    for (gain, expected) in [(0, 0), (0.5, 0.5), (-1, 0.5), (17, 16)] as [(Gain, Gain)] {
      world.listener.gain = gain
      #expect(world.listener.gain == expected)
    }
  }

  @Test func `Buses are equal by their world and their place in it`() throws {
    let offline = try OfflineRenderer(format: Self.mono)
    let (world, other) = (AudioWorld(in: offline.context), AudioWorld(in: offline.context))
    let (sfx, steps) = (world.mixer.makeBus("sfx"), world.mixer.makeBus("steps", in: world.mixer.makeBus("sfx")))
    let foreign = other.mixer.makeBus("sfx")
    #expect(sfx == world.mixer.makeBus("sfx") && sfx != steps && sfx != foreign && world.mixer.main != other.mixer.main)
    #expect(Set([sfx, steps, foreign, world.mixer.main, world.mixer.makeBus("steps")]).count == 4)
    #expect(
      world.mixer.buses.map(\.name) == ["main", "sfx", "steps"] && other.mixer.buses == [other.mixer.main, foreign]
    )
    #expect(steps.parent == sfx && sfx.parent == world.mixer.main && world.mixer.main.parent == nil)
    // A parent of another world counts as none, and so does the bus of one.
    #expect(world.mixer.makeBus("new", in: foreign).parent == world.mixer.main)
    #expect(Emitter(playing: Self.tone, in: world, on: foreign).bus == world.mixer.main)
    #expect(Emitter(playing: Self.tone, in: world, on: steps).bus == steps)
    #expect(sfx.kind == .spatial && world.mixer.makeBus("flat", kind: .direct).kind == .direct)
    #expect(sfx.description == "sfx")
    steps.pause(.none)
    #expect(steps.isPaused && !sfx.isPaused && !world.mixer.main.isPaused)
    sfx.pause(.none)
    steps.resume(.none)
    #expect(steps.isPaused && sfx.isPaused)
    sfx.resume(.none)
    sfx.resume(.none)
    #expect(!steps.isPaused && !sfx.isPaused)
    sfx.pause(.none)
    #expect(sfx.isPaused)
  }
}
