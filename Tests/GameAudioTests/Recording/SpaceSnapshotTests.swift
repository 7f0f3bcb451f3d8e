import Foundation
import Spatial3DTesting
import Testing

@testable import GameAudio

/// The zones, portals, rays and listeners of snapshots and of recordings.
@Suite struct SpaceSnapshotTests {
  private static let noise = Sound(
    TestSignal.noise(duration: .seconds(1), format: .mono(sampleRate: 48_000))
  )

  /// Two rooms with a half-open door between them, and a noise in the other one than the first listener.
  private struct House: ~Copyable {
    var offline: OfflineRenderer
    let world: AudioWorld
    let noise: Emitter

    init() throws {
      offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
      world = AudioWorld(in: offline.context)
      world.zones = [
        ReverbZone(.box(center: [-5, 0, 0], size: [10, 4, 20]), Reverb(.smallRoom), fade: 0, name: "left"),
        ReverbZone(.box(center: [5, 0, 0], size: [10, 4, 20]), Reverb(.largeHall, level: -3), priority: 1),
        ReverbZone(.sphere(center: [0, 0, 90], radius: 5), Reverb(efx: .cave), name: "cave"),
      ]
      world.portals = [
        Portal(between: "left", and: nil, at: [-5, 0, 10]), Portal(between: "left", and: "cave", at: [40, 0, 80]),
        Portal(between: nil, and: "cave", at: [0, 0, 85], radius: 0.5, openness: 0.5),
      ]
      world.listeners = [Listener(position: [-5, 0, 8]), Listener(position: [300, 0, 0], gain: 0.5)]
      noise = Emitter(playing: SpaceSnapshotTests.noise, in: world)
      (noise.position, noise.repeats) = ([0, 0, 90], .forever)
      noise.play()
      world.castRays { _ in .wall(-6) }
      offline.render(.milliseconds(100))
    }
  }

  @Test func `A snapshot has zones, portals, walls and listeners, and of an emitter the zone, the way and the rays`()
    throws
  {
    let house = try House()
    let near = Emitter(playing: Self.noise, in: house.world)
    (near.position, near.repeats) = ([302, 0, 0], .forever)
    near.play()
    let snapshot = house.world.snapshot()
    #expect(snapshot.listeners.map(\.position.x) == [-5, 300])
    #expect(snapshot.zones.map(\.name) == ["left", nil, "cave"])
    #expect(snapshot.zones.map(\.priority) == [nil, 1, nil] && snapshot.zones.map(\.fade) == [0, nil, nil])
    #expect(snapshot.zones.map(\.weight) == [1, nil, nil])
    #expect(snapshot.zones.map(\.level) == [0, nil, nil])
    #expect(snapshot.zones[1].reverb == Reverb(.largeHall, level: -3))
    #expect(snapshot.portals == house.world.portals && snapshot.wallOcclusion == nil)
    let emitter = snapshot.emitters[0]
    // The direct door to the cave is farther away than the path over the outdoors.
    let path = try #require(emitter.path)
    #expect(emitter.zone == "cave" && emitter.listener == nil)
    #expect(snapshot.words(for: path) == "portal \(house.world.portals[path.portal ?? 0].name)")
    #expect(path.length > 82 && path.length < 90, "\(path)")
    #expect(emitter.rays == .init(occlusion: -6, obstruction: nil))
    #expect(abs((emitter.level - house.world.explain(house.noise).level).rawValue) < 0.01)
    #expect(snapshot.emitters[1].listener == 1 && snapshot.emitters[1].zone == nil && snapshot.emitters[1].path == nil)
    house.world.portals = []
    house.world.wallOcclusion = -12
    #expect(house.world.snapshot().emitters.map(\.path) == [nil, nil])
    #expect(house.world.snapshot().emitters[0].zone == "cave" && house.world.snapshot().wallOcclusion == -12)
  }

  @Test func `Of zones with an equal reverb, those at the listener have its level`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    world.zones = [0, 1_000, 8].map {
      ReverbZone(.sphere(center: [$0, 0, 0], radius: 5), Reverb(.smallRoom), fade: 0)
    }
    let noise = Emitter(playing: Self.noise, in: world)
    noise.repeats = .forever
    noise.play()
    for (x, levels) in [(0, [0, nil, nil]), (4, [0, nil, 0]), (1_000, [nil, 0, nil])] as [(Float, [Decibels?])] {
      world.listener.position = [x, 0, 0]
      offline.render(.milliseconds(20))
      #expect(world.snapshot().zones.map(\.level) == levels, "at \(x) m")
    }
    // The zone that was left last falls silent.
    world.listener.position = [500, 0, 0]
    offline.render(.milliseconds(60))
    let levels = world.snapshot().zones.map(\.level)
    #expect(levels[0] == nil && levels[1] ?? 0 < 0 && levels[2] == nil)
    offline.render(.milliseconds(500))
    #expect(world.snapshot().zones.allSatisfy { $0.level == nil })
  }

  @Test func `A way through walls has no portal`() throws {
    var house = try House()
    house.world.portals = [Portal(between: "left", and: nil, at: [-5, 0, 10])]
    house.offline.render(.milliseconds(500))
    let snapshot = house.world.snapshot()
    #expect(
      snapshot.emitters[0].path == .init(portal: nil, length: snapshot.emitters[0].path?.length ?? 0, muffling: -30)
    )
    #expect(snapshot.words(for: snapshot.emitters[0].path) == "wall between the rooms")
  }

  @Test func `A difference names the changes of zones, portals, walls, listeners, ways and rays`() throws {
    var house = try House()
    let before = house.world.snapshot()
    house.world.portals[2].openness = 1
    house.world.portals.removeFirst()
    house.world.wallOcclusion = -20
    house.world.zones[1].shape = .sphere(center: [5, 0, 0], radius: 4)
    house.world.zones[2].reverb.level = -6
    house.world.zones.append(ReverbZone(.hull([[0, 0, 0]]), Reverb(.smallRoom), name: "shaft"))
    house.world.listeners.removeLast()
    house.world.castRays { _ in .clear }
    house.offline.render(.seconds(1))
    let lines = house.world.snapshot().difference(from: before).description.split(separator: "\n").map(String.init)
    let expected = [
      "world: wall occlusion -30.0 dB → -20.0 dB", "removed listener 2", "added zone shaft",
      "zone 1: shape box of (10.0, 4.0, 20.0) m at (5.0, 0.0, 0.0) → sphere of 4.0 m at (5.0, 0.0, 0.0)",
      "zone cave: reverb level 0.0 dB → -6.0 dB", "removed portal left–outdoors",
      "portal outdoors–cave: openness 0.5 → 1",
      "emitter 1 (A sound in memory): path muffling -6.0 dB → 0.0 dB",
      "emitter 1 (A sound in memory): occlusion by rays -6.0 dB → 0.0 dB",
    ]
    for line in expected { #expect(lines.contains(line), "\(line) is missing in \(lines)") }
    #expect(before.difference(from: before).isEmpty)
  }

  @Test func `A snapshot of a space survives JSON, and a stored one without it decodes`() throws {
    let snapshot = try House().world.snapshot()
    let data = try JSONEncoder().encode(snapshot)
    #expect(try JSONDecoder().decode(WorldSnapshot.self, from: data) == snapshot)
    var object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    for key in ["zones", "portals", "wallOcclusion"] { object[key] = nil }
    var emitters = try #require(object["emitters"] as? [[String: Any]])
    for key in ["zone", "path", "rays", "listener"] { emitters[0][key] = nil }
    object["emitters"] = emitters
    let old = try JSONDecoder().decode(WorldSnapshot.self, from: JSONSerialization.data(withJSONObject: object))
    #expect(old.zones.isEmpty && old.portals.isEmpty && old.wallOcclusion == nil)
    #expect(old.emitters[0].zone == nil && old.emitters[0].path == nil && old.emitters[0].rays == nil)
    let plain = try JSONEncoder().encode(old)
    #expect(!String(decoding: plain, as: UTF8.self).contains("zones"))
  }

  @Test func `A recording that begins in the middle makes the space, the rays and the listeners again`() throws {
    var house = try House()
    house.offline.render(.milliseconds(400))
    let recording = house.world.record()
    let mix = house.offline.render(.milliseconds(600))
    recording.stop()
    var other = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let copy = AudioWorld(in: other.context)
    recording.replay(in: copy)
    let replayed = other.render(.milliseconds(600))
    let changes = copy.snapshot().difference(from: house.world.snapshot()).changes
    #expect(changes.allSatisfy { $0.property == "voice" }, "\(changes)")
    #expect(copy.zones == house.world.zones && copy.portals == house.world.portals)
    #expect(copy.listeners.count == 2)
    // The tails of the beginning are missing.
    let frames = 14_400..<28_800
    let (level, loudness) = (replayed.frames(frames).level(ofChannel: 0), mix.frames(frames).level(ofChannel: 0))
    #expect(loudness > -90 && abs((level - loudness).rawValue) < 1, "\(level), \(loudness)")
  }

  @Test func `An answer reaches a sound whose emitter the game has not kept`() throws {
    var mixes: [[Float]] = []
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let recording = world.record()
    world.playOnce(Self.noise, at: [0, 0, -2])
    mixes.append([])
    for frame in 0..<30 {
      world.castRays { _ in frame < 10 ? .clear : .wall(-24) }
      mixes[0] += offline.render(frameCount: 800).samples
    }
    recording.stop()
    var other = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let copy = AudioWorld(in: other.context)
    recording.replay(in: copy)
    mixes.append(Array(other.render(frameCount: 24_000).samples))
    #expect(mixes[0] == mixes[1])
    #expect(recording.snapshots.last?.emitters.first?.rays?.occlusion ?? 0 < -20)
  }

  @Test func `The weight of a zone is that at the listener that is nearest`() throws {
    let world = AudioWorld(in: try OfflineRenderer(format: .stereo(sampleRate: 48_000)).context)
    world.zones = [0, 300, 900].map { x in
      ReverbZone(.sphere(center: [x, 0, 0], radius: 2), Reverb(.smallRoom, level: Decibels(-x / 300)), fade: 4)
    }
    world.listeners = [
      Listener(position: [3, 0, 0]), Listener(position: [0, 0, 500]), Listener(position: [304, 0, 0]),
    ]
    #expect(world.snapshot().zones.map(\.weight) == [0.75, 0.5, nil])
    world.listeners.append(Listener(position: [901, 0, 0]))
    #expect(world.snapshot().zones.map(\.weight) == [0.75, 0.5, 1])
  }

  @Test func `A recording that begins while three zones ring makes all three units again`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    world.zones = [Reverb(efx: .cave), Reverb(efx: .hangar), Reverb(efx: .livingRoom)].enumerated().map {
      index,
      reverb in
      ReverbZone(.sphere(center: [Float(index) * 100, 0, 0], radius: 3), reverb, fade: 0)
    }
    let emitter = Emitter(playing: Self.noise, in: world)
    emitter.repeats = .forever
    emitter.play()
    for index in 0..<3 {
      world.listener.position = [Float(index) * 100, 0, 0]
      emitter.position = world.listener.position
      offline.render(.milliseconds(500))
    }
    func units(_ world: AudioWorld) -> [Bool] { world.inspector.zoneEffects.map { $0 != nil } }
    #expect(units(world) == [true, true, true])
    let recording = world.record()
    offline.render(.milliseconds(50))
    recording.stop()
    let other = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let copy = AudioWorld(in: other.context)
    recording.replay(in: copy)
    #expect(units(copy) == [true, true, true])
    #expect(copy.inspector.zonesOfUnits == world.inspector.zonesOfUnits)
  }
}
