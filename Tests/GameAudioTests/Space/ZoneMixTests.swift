import Foundation
import Spatial3DTesting
import Testing

@testable import GameAudio

/// Zones in a mix.
@Suite struct ZoneMixTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let below: SIMD3<Float> = [0, -20, 0]

  private static func zone(at z: Float, _ reverb: Reverb, name: String = "") -> ReverbZone {
    ReverbZone(.box(center: [0, 0, z], size: [10, 6, 10]), reverb, fade: 5, name: name)
  }

  private static var rooms: [ReverbZone] {
    [
      zone(at: 0, Reverb(.mediumRoom), name: "room"), zone(at: -15, Reverb(.cathedral), name: "nave"),
      zone(at: -30, Reverb(efx: .cave), name: "cave"),
    ]
  }

  /// The mix at positions of the listener, with a sound 20 m below it, for a time at each position.
  private static func walk(
    _ zones: [ReverbZone],
    _ sound: Sound,
    _ places: [Float],
    frames: Int,
    each: (AudioWorld, Emitter) -> Void = { _, _ in }
  ) throws -> [Float] {
    var offline = try OfflineRenderer(format: mono)
    let world = AudioWorld(in: offline.context)
    world.zones = zones
    var sound = sound
    sound.attenuation = DistanceAttenuation(referenceDistance: 20)
    let emitter = Emitter(playing: sound, in: world)
    emitter.repeats = .forever
    world.listener.position = [0, 0, places[0]]
    emitter.position = world.listener.position + below
    emitter.play()
    var samples: [Float] = []
    for place in places {
      world.update {
        world.listener.position = [0, 0, place]
        emitter.position = world.listener.position + below
      }
      samples += offline.render(frameCount: frames).samples
      each(world, emitter)
    }
    return samples
  }

  private static let noise = Sound(TestSignal.noise(duration: .seconds(2), format: mono))

  @Test(arguments: [Int8(1), 2]) func `A send ends after its share was zero for some ticks in a row`(ticks: Int8) {
    var feed = VoiceFeeds.Feed(unit: 1, gain: 0.5)
    func ends(_ shares: [Float?]) -> [Bool] { shares.map { feed.ends(with: $0, after: ticks) } }
    #expect(ends([nil, nil]) == [false, false])
    feed.gain = 0
    let zeros = [Float?](repeating: nil, count: Int(ticks) - 1)
    #expect(!ends(zeros + [0.1] + zeros).contains(true))
    #expect(ends([nil]) == [true])
  }

  /// The power that the zones add at each of some positions, after two seconds there.
  private static func wet(_ zones: [ReverbZone], _ places: [Float]) throws -> [Float] {
    let frames = 3 * 48_000
    let (wet, dry) = (try walk(zones, noise, places, frames: frames), try walk([], noise, places, frames: frames))
    return places.indices.map { index in
      let last = index * frames + 2 * 48_000..<(index + 1) * frames
      return zip(wet[last], dry[last]).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } / Float(last.count)
    }
  }

  @Test func `The wet level is that of the law at each place between zones`() throws {
    // The zones reach to z = -5, from -10 to -20, and from -25 on.
    let places: [Float] = [0, -6, -7.5, -9, -15, -21.5, -23.5, -30, -37.5]
    let alone = try Self.rooms.map { try Self.wet([$0], [Self.center(of: $0)])[0] }
    let powers = try Self.wet(Self.rooms, places)
    for (place, power) in zip(places, powers) {
      let weights = Self.rooms.map { $0.weight(at: [0, 0, place]) }
      let pair = ZoneLaw.choose(weights: weights) { _ in false }
      let expected = (0..<3).reduce(Float(0)) {
        $0 + pair.gain(of: ZoneIndex($1)) * pair.gain(of: ZoneIndex($1)) * alone[$1]
      }
      let error = Decibels(factor: (power / expected).squareRoot())
      #expect(abs(error.rawValue) < 1, "\(error) at z = \(place), weights \(weights)")
    }
  }

  @Test func `Two zones with an equal reverb are as loud between them as inside of one`() throws {
    let rooms = [Self.zone(at: 0, Reverb(.mediumRoom)), Self.zone(at: -15, Reverb(.mediumRoom))]
    let places: [Float] = [0, -6, -7.5, -9, -15]
    let powers = try Self.wet(rooms, places)
    for (place, power) in zip(places, powers) {
      let error = Decibels(factor: (power / powers[0]).squareRoot())
      #expect(abs(error.rawValue) < 1, "\(error) at z = \(place)")
    }
  }

  private static func center(of zone: ReverbZone) -> Float {
    guard case .box(let center, _, _) = zone.shape else { return 0 }
    return center.z
  }

  @Test(arguments: [2, 6, 20] as [Float]) func `A walk through three zones makes no click`(speed: Float) throws {
    let tone = Sound(TestSignal.sine(frequency: 440, duration: .seconds(1), format: Self.mono, amplitude: 0.3))
    let step = speed * 1_024 / 48_000
    let places = Array(stride(from: Float(0), through: -40, by: -step))
    var most = 0
    var heard: Set<String> = []
    let samples = try Self.walk(Self.rooms, tone, places, frames: 1_024) { world, emitter in
      most = max(most, world.inspector.zoneEffects.count { $0 != nil })
      for send in world.explain(emitter).sends { heard.insert("\(send.kind)") }
    }
    let mix = try PCMBuffer(samples: samples, format: Self.mono)
    #expect(mix.clicks(highestFrequency: 440).isEmpty)
    #expect(most <= ZonePool.capacity && most >= 2)
    #expect(heard == ["zone room", "zone nave", "zone cave"])
  }

  @Test func `A jump into another zone makes no click, and its reverb is there after half a second`() throws {
    let tone = Sound(TestSignal.sine(frequency: 440, duration: .seconds(1), format: Self.mono, amplitude: 0.3))
    let places =
      [Float](repeating: 0, count: 40) + [Float](repeating: -30, count: 40) + [Float](repeating: 0, count: 40)
    var gains: [Float] = []
    let samples = try Self.walk(Self.rooms, tone, places, frames: 1_024) { world, emitter in
      gains.append(world.explain(emitter).sends.first { $0.kind == .zone(name: "cave", index: 2) }?.level.factor ?? 0)
    }
    let mix = try PCMBuffer(samples: samples, format: Self.mono)
    #expect(mix.clicks(highestFrequency: 440).isEmpty)
    #expect(gains[39] == 0 && gains[79] > 0.97 && gains[119] == 0)
  }

  /// The clicks in what zones add to a tone.
  private static func wetClicks(of tone: Sound, _ render: (Sound, _ hasZones: Bool) throws -> [Float]) throws -> [Click]
  {
    let wet = zip(try render(tone, true), try render(tone, false)).map { $0 - $1 }
    #expect(wet.contains { abs($0) > 0.01 })
    return try PCMBuffer(samples: wet, format: mono).clicks(highestFrequency: 440)
  }

  private static let tone = Sound(
    TestSignal.sine(frequency: 440, duration: .seconds(1), format: mono, amplitude: 0.3, fade: .milliseconds(20))
  )

  @Test func `The reverbs alone make no click while the listener walks, jumps and turns back`() throws {
    let step = 6 * 1_024 / Float(48_000)
    let walk = Array(stride(from: Float(0), through: -40, by: -step))
    let places = walk + [Float](repeating: 0, count: 40) + [Float](repeating: -15, count: 20) + walk.reversed()
    let clicks = try Self.wetClicks(of: Self.tone) { try Self.walk($1 ? Self.rooms : [], $0, places, frames: 1_024) }
    #expect(clicks.isEmpty, "\(clicks)")
  }

  @Test func `Zones that replace another one in the frame in which a sound begins make no click`() throws {
    // Its reflections are a copy of what its sends contain, when the sound is over.
    var room = RoomAcoustics()
    (room.reflectionsGain, room.reflectionsDelay, room.lateGain) = (3, .milliseconds(300), 0)
    let others = [Reverb(.cathedral, level: -60), Reverb(efx: .cave, level: -60)]
    let clicks = try Self.wetClicks(of: Self.tone) { tone, hasZones in
      var offline = try OfflineRenderer(format: Self.mono)
      let world = AudioWorld(in: offline.context)
      // The next tick comes when the sound has played for some time.
      offline.render(frameCount: 500)
      if hasZones { world.zones = [Self.zone(at: 0, Reverb(room: room), name: "before")] }
      let emitter = Emitter(playing: tone, in: world)
      emitter.position = [0, 0, -1]
      emitter.play()
      if hasZones { world.zones = others.indices.map { Self.zone(at: 0, others[$0], name: "after \($0)") } }
      return [1_200, 2_000, 48_000].flatMap { offline.render(frameCount: $0).samples }
    }
    #expect(clicks.isEmpty, "\(clicks)")
  }

  @Test func `A sound that has one send left for two zones makes no click`() throws {
    let step = 6 * 1_024 / Float(48_000)
    let places = Array(stride(from: Float(0), through: -40, by: -step))
    let clicks = try Self.wetClicks(of: Self.tone) { tone, hasZones in
      var units: [EffectUnit] = []
      return try Self.walk(hasZones ? Self.rooms : [], tone, places, frames: 1_024) { world, emitter in
        guard units.isEmpty, let unit = try? EffectUnit(.equalizer(Effect.Equalizer()), in: world.context) else {
          return
        }
        units.append(unit)
        emitter.send(to: unit, gain: .decibels(-100))
      }
    }
    #expect(clicks.isEmpty, "\(clicks)")
  }

  @Test func `Direct buses, and sounds without a place, are in no zone`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    world.zones = Self.rooms
    let direct = Emitter(playing: Self.noise, in: world, on: world.mixer.makeBus("music", kind: .direct))
    direct.play()
    let unplaced = world.playOnce(Self.noise)
    let placed = world.playOnce(Self.noise, at: [0, 0, -1])
    offline.render(.milliseconds(500))
    #expect(world.explain(direct).sends.isEmpty && world.explain(unplaced).sends.isEmpty)
    #expect(world.explain(placed).sends.map(\.kind) == [.zone(name: "room", index: 0)])
    #expect("\(world.explain(placed))".contains("sends: zone room 0.0 dB"))
  }

  @Test func `A voice has two sends at most, and those of the game come first`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    world.zones = [Self.zone(at: 0, Reverb(.mediumRoom)), Self.zone(at: 0, Reverb(.cathedral))]
    let reports = Collected<Diagnostic>()
    offline.context.onDiagnostic = { reports.append($0) }
    let echo = try EffectUnit(.echo(Effect.Echo()), in: offline.context)
    let emitter = Emitter(playing: Self.noise, in: world)
    emitter.send(to: echo, gain: .decibels(-3))
    emitter.play()
    offline.render(.milliseconds(500))
    func sends() -> [EffectSend] { world.inspector.sources.flatMap(\.effectSends) }
    #expect(sends().count == 2 && sends().contains { $0.unit === echo })
    emitter.send(to: echo, gain: nil)
    offline.render(.milliseconds(100))
    #expect(sends().count == 2 && !sends().contains { $0.unit === echo })
    #expect(reports.all.isEmpty, "\(reports.all)")
  }

  @Test func `A first sound is in its zone at once, and a world without zones releases its units`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    world.zones = Self.rooms
    let emitter = Emitter(playing: Self.noise, in: world)
    emitter.play()
    #expect(world.inspector.sources.flatMap(\.effectSends).map(\.gain) == [1])
    world.zones = []
    emitter.repeats = .forever
    offline.render(.seconds(6))
    #expect(!world.inspector.sources.contains { !$0.effectSends.isEmpty })
    #expect(world.inspector.zoneEffects.allSatisfy { $0 == nil })
  }

  @Test func `A sound is in the zone of a listener that has walked there in silence, from its beginning on`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    world.zones = Self.rooms
    world.playOnce(Self.noise, at: .zero)
    while world.inspector.needsTicks { offline.render(.milliseconds(500)) }
    for z in stride(from: Float(0), through: -30, by: -1) { world.listener.position = [0, 0, z] }
    let emitter = Emitter(playing: Self.noise, in: world)
    emitter.position = [0, 0, -31]
    emitter.play()
    #expect(world.explain(emitter).sends.map(\.kind) == [.zone(name: "cave", index: 2)])
    #expect(world.inspector.sources.flatMap(\.effectSends).map(\.gain) == [1])
  }

  @Test func `A reverb of the context, and a zone with a shape that is not finite, are reported once`()
    throws
  {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let reports = Collected<Diagnostic>()
    offline.context.onDiagnostic = { reports.append($0) }
    offline.context.reverb = Reverb(.cathedral)
    let broken = ReverbZone(.sphere(center: [.nan, 0, 0], radius: 2), Reverb(.cathedral))
    world.zones = [broken] + Self.rooms
    world.zones = Self.rooms
    world.playOnce(Self.noise, at: .zero)
    offline.render(.seconds(1))
    #expect(reports.all.map(\.code) == [.zoneIgnored, .contextReverbUnused])
  }

  @Test func `A reverb of the context is in no sound of a world without zones, and is reported once`() throws {
    func mix(_ reverb: Reverb?) throws -> (samples: [Float], reports: [Diagnostic]) {
      var offline = try OfflineRenderer(format: Self.mono)
      let world = AudioWorld(in: offline.context)
      let reports = Collected<Diagnostic>()
      offline.context.onDiagnostic = { reports.append($0) }
      offline.context.reverb = reverb
      world.playOnce(Self.noise, at: .zero)
      let player = try SoundPlayer(playing: Self.noise, in: world)
      player.play()
      let samples = offline.render(.seconds(1)).samples
      return (samples, reports.all)
    }
    let (dry, wet) = (try mix(nil), try mix(Reverb(.cathedral)))
    #expect(dry.samples == wet.samples && dry.reports.isEmpty)
    #expect(wet.reports.map(\.code) == [.contextReverbUnused])
    #expect(wet.reports.first?.message.contains("do not feed it") == true)
  }

  @Test func `A zone whose reverb has a number that is not finite is silent at its index`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let reports = Collected<Diagnostic>()
    offline.context.onDiagnostic = { reports.append($0) }
    var broken = Array(repeating: Self.rooms[0], count: 3)
    broken[0].reverb.room.gain = Gain(.nan)
    broken[1].reverb.level = .silence
    broken[2].reverb.equalizer = ParametricEqualizer(frequency: .infinity, bandwidth: 1, level: 0)
    world.zones = broken + Self.rooms
    #expect(world.zones.count == 6 && Array(world.zones.dropFirst(3)) == Self.rooms)
    #expect(reports.all.map(\.code) == [.zoneIgnored, .zoneIgnored, .zoneIgnored])
    #expect(reports.all.first?.message.contains("The reverb.room.gain of reverb zone 0 (room) was set to") == true)
    for zone in world.zones.prefix(3) { #expect(zone.weight(at: .zero) == 0) }
    world.playOnce(Self.noise, at: .zero)
    offline.render(.milliseconds(300))
    #expect(world.snapshot().zones.map(\.level) == [nil, nil, nil, 0, nil, nil])
    _ = try JSONEncoder().encode(world.snapshot())
  }
}
