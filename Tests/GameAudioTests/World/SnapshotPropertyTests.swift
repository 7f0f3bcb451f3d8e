import Foundation
import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// The properties of a snapshot one by one: a value that is no default is in its JSON, and nothing else changes.
@Suite struct SnapshotPropertyTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let noise = Sound(TestSignal.noise(duration: .seconds(1), format: mono))

  /// The JSON of a value, as text by the name of each property.
  private static func fields(_ value: some Encodable) throws -> [String: String] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let object = try JSONSerialization.jsonObject(with: try encoder.encode(value)) as? [String: Any] ?? [:]
    return try object.mapValues { field in
      let data = try JSONSerialization.data(withJSONObject: field, options: [.sortedKeys, .fragmentsAllowed])
      return String(decoding: data, as: UTF8.self)
    }
  }

  /// The properties that differ, with their new text; nothing for a property that is left out.
  private static func changes(_ old: [String: String], _ new: [String: String]) -> [String: String?] {
    var changes: [String: String?] = [:]
    for key in Set(old.keys).union(new.keys) where old[key] != new[key] { changes[key] = .some(new[key]) }
    return changes
  }

  @Test func `Each property of an emitter that does not play is a field of its own`() throws {
    let offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let bus = world.mixer.makeBus("music")
    let table: [(String, String, (Emitter) -> Void)] = [
      ("position", "[1,2,3]", { $0.position = [1, 2, 3] }), ("gain", "\"0.5x\"", { $0.gain = 0.5 }),
      ("pitch", "1.5", { $0.pitch = 1.5 }), ("priority", "60", { $0.priority = 60 }),
      ("repeats", "3", { $0.repeats = .times(3) }), ("repeats", "-1", { $0.repeats = .forever }),
      ("virtualBehavior", "\"stop\"", { $0.virtualBehavior = .stop }),
      ("velocity", "[0,4,0]", { $0.velocity = [0, 4, 0] }), ("direction", "[0,0,2]", { $0.direction = [0, 0, 2] }),
      ("radius", "2.5", { $0.radius = 2.5 }), ("occlusion", "\"-10.0 dB\"", { $0.occlusion = -10 }),
      ("obstruction", "\"-1.0 dB\"", { $0.obstruction = -1 }), ("obstruction", "\"-8.0 dB\"", { $0.obstruction = -8 }),
      ("bus", "\"music\"", { $0.bus = bus }),
    ]
    // Another emitter has rare settings before: the index of these is 0.
    let first = Emitter(playing: Self.noise, in: world)
    first.radius = 7
    for (name, text, change) in table {
      let emitter = Emitter(playing: Self.noise, in: world)
      func fields() throws -> [String: String] {
        try Self.fields(try #require(world.snapshot().emitters.first { $0.id == emitter.id.number }))
      }
      let before = try fields()
      #expect(Set(before.keys).isSuperset(of: ["id", "sound", "state", "position", "bus", "place", "level", "gain"]))
      #expect(before["state"] == "\"idle\"" && before["place"] == "0" && before["gain"] == "\"1.0x\"")
      change(emitter)
      let after = try fields()
      #expect(Self.changes(before, after) == [name: .some(text)], "\(name)")
    }
    #expect(world.snapshot().emitters[0].radius == 7)
  }

  @Test func `Cones, sends and leaders are fields, and a default cone and no send are none`() throws {
    let offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let emitter = Emitter(playing: Self.noise, in: world)
    let unit = try EffectUnit(.echo(Effect.Echo()), in: offline.context)
    emitter.radius = 1
    var own: WorldSnapshot.Emitter? { world.snapshot().emitters.first }
    #expect(own?.cone == nil && own?.sends == nil && own?.leader == nil && own?.radius == 1)
    emitter.cone = Cone(innerAngle: 30, outerAngle: 60)
    emitter.send(to: unit, gain: 0.25)
    #expect(own?.cone == Cone(innerAngle: 30, outerAngle: 60) && own?.sends == [0.25])
    emitter.cone = Cone()
    emitter.send(to: unit, gain: nil)
    emitter.radius = 0
    #expect(own?.cone == nil && own?.sends == nil && own?.radius == nil)
    let follower = emitter.playOnce(Self.noise)
    #expect(world.snapshot().emitters.map(\.leader) == [nil, emitter.id.number])
    #expect(world.snapshot().emitters.map(\.state) == [.idle, .playing])
    withExtendedLifetime(follower) {}
  }

  @Test func `Each property of a bus is a field of its own`() throws {
    let offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let unit = try EffectUnit(.echo(Effect.Echo()), in: offline.context)
    let table: [(String, String, (Bus) -> Void)] = [
      ("gain", "\"0.5x\"", { $0.gain = 0.5 }), ("pitch", "1.5", { $0.pitch = 1.5 }), ("pitch", "2", { $0.pitch = 2 }),
      ("isMuted", "true", { $0.isMuted = true }), ("isSoloed", "true", { $0.isSoloed = true }),
      ("isPaused", "true", { $0.pause(.none) }), ("isPaused", "true", { $0.pause(Fade(.seconds(9))) }),
      ("limit", "5", { $0.limit = PlaybackLimit(5) }), ("sends", "[\"0.25x\"]", { $0.send(to: unit, gain: 0.25) }),
      ("inserts", #"[{"gate":{}}]"#, { $0.inserts = [.gate()] }),
    ]
    for (name, text, change) in table {
      let world = AudioWorld(in: offline.context)
      let bus = world.mixer.makeBus("music")
      func fields() throws -> [String: String] { try Self.fields(try #require(world.snapshot().buses.last)) }
      let before = try fields()
      #expect(Set(before.keys) == ["name", "parent", "kind", "gain", "level"])
      #expect(before["level"] == "\"-160.0 dB\"" && before["kind"] == "\"spatial\"" && before["parent"] == "\"main\"")
      change(bus)
      let after = try fields()
      #expect(Self.changes(before, after) == [name: .some(text)], "\(name)")
    }
    let world = AudioWorld(in: offline.context)
    let bus = world.mixer.makeBus("flat", kind: .direct)
    #expect(world.snapshot().buses.map(\.filter) == [nil, nil] && world.snapshot().buses[1].kind == .direct)
    bus.filter = ToneFilter(low: -3, high: -6)
    #expect(world.snapshot().buses.map(\.filter) == [nil, ToneFilter(low: -3, high: -6)])
    world.mixer.main.pause(.none)
    #expect(world.snapshot().buses.map(\.isPaused) == [true, true] && world.snapshot().buses[0].parent == nil)
  }

  @Test func `The last stages of the mix are fields, and their differences have words`() throws {
    let offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let before = world.snapshot()
    #expect(before.limiter == nil && before.loudnessTarget == nil && before.buses[0].inserts == nil)
    world.mixer.limiter = Insert.Limiter(ceiling: -3)
    world.mixer.loudnessTarget = Insert.Leveler(target: -16)
    world.mixer.main.inserts = [.compressor(ratio: 4), .delay(mix: 0.5)]
    let after = world.snapshot()
    #expect(after.limiter == Insert.Limiter(ceiling: -3) && after.loudnessTarget == Insert.Leveler(target: -16))
    #expect(after.buses[0].inserts == world.mixer.main.inserts)
    #expect(try decode(json(after)) == after && decode(json(before)) == before)
    let words = "\(after.difference(from: before))"
    for sentence in [
      "limiter (ceiling -3.0 dB)", "leveler (target -16.0 dB)", "compressor (ratio 4.0), delay (mix 0.5)",
    ] {
      #expect(words.contains(sentence), "\(words)")
    }
  }

  @Test func `Each property of a player is a field of its own`() throws {
    let offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let bus = world.mixer.makeBus("music")
    let table: [(String, String, (SoundPlayer) -> Void)] = [
      ("volume", "\"0.5x\"", { $0.volume = 0.5 }), ("pan", "0.25", { $0.pan = 0.25 }),
      ("pitch", "1.5", { $0.pitch = 1.5 }),
      ("repeats", "2", { $0.repeats = .times(2) }), ("repeats", "-1", { $0.repeats = .forever }),
      ("bus", "\"music\"", { $0.bus = bus }), ("queued", "1", { $0.schedule(Self.noise) }),
      ("place", "0.25", { $0.playbackTime = .milliseconds(250) }),
    ]
    for (name, text, change) in table {
      let player = try SoundPlayer(playing: Self.noise, in: world)
      func fields() throws -> [String: String] {
        try Self.fields(try #require(world.snapshot().players.first { $0.id == player.inspector.number }))
      }
      let before = try fields()
      #expect(before["state"] == "\"idle\"" && before["volume"] == "\"1.0x\"" && before["place"] == "0")
      #expect(["pan", "pitch", "repeats", "queued", "voice", "isWaiting"].allSatisfy { before[$0] == nil })
      change(player)
      let after = try fields()
      #expect(Self.changes(before, after) == [name: .some(text)], "\(name)")
    }
  }

  @Test func `The place and the time are in seconds, at each rate`() throws {
    for rate in [48_000, 44_100, 8_000] {
      var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
      let world = AudioWorld(in: offline.context)
      let sound = Sound(TestSignal.noise(duration: .seconds(2), format: .mono(sampleRate: rate)))
      let emitter = Emitter(playing: sound, in: world)
      emitter.position = [0, 0, -1]
      emitter.play()
      offline.render(.seconds(1.5))
      let snapshot = world.snapshot()
      #expect(snapshot.time == 1.5 && snapshot.sampleRate == 48_000 && snapshot.seed == 1 && snapshot.voiceLimit == 64)
      #expect(abs(snapshot.emitters[0].place - 1.5) < 1e-3 && snapshot.emitters[0].voice == 0)
      #expect(abs(snapshot.emitters[0].place - emitter.playbackTime / .seconds(1)) < 1e-6)
      offline.render(.seconds(1))
      #expect(world.snapshot().emitters[0].place == 0 && world.snapshot().emitters[0].state == .idle)
      #expect(world.snapshot().emitters[0].level == .silence)
    }
  }

  @Test func `A world with zones and portals has their names in its JSON, and one without has not`() throws {
    let offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let keys = try Set(Self.fields(world.snapshot()).keys)
    let common: Set = [
      "time", "sampleRate", "seed", "voiceLimit", "suspensions", "listeners", "emitters", "players", "buses", "clocks",
    ]
    #expect(keys == common)
    world.zones = [ReverbZone(.sphere(center: .zero, radius: 3), Reverb(.smallRoom), name: "hall")]
    #expect(try Set(Self.fields(world.snapshot()).keys) == common.union(["zones"]))
    world.portals = [Portal(between: "hall", and: nil, at: [3, 0, 0])]
    #expect(try Set(Self.fields(world.snapshot()).keys) == common.union(["zones", "portals"]))
    world.wallOcclusion = -20
    let snapshot = world.snapshot()
    #expect(try Set(Self.fields(snapshot).keys) == common.union(["zones", "portals", "wallOcclusion"]))
    #expect(try JSONDecoder().decode(WorldSnapshot.self, from: JSONEncoder().encode(snapshot)) == snapshot)
    world.wallOcclusion = -30
    #expect(world.snapshot().wallOcclusion == nil)
  }
}
