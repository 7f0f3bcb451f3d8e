import GameAudio
import Spatial3D
import Spatial3DTesting
import Testing

/// The differences of zones, portals, listeners and the world, number by number.
@Suite struct ZoneDifferenceTests {
  private static func snapshot(_ zones: [ReverbZone]) throws -> WorldSnapshot {
    let world = AudioWorld(in: try OfflineRenderer(format: .stereo(sampleRate: 48_000)).context)
    world.zones = zones
    world.portals = [Portal(between: "hall", and: nil, at: [3, 0, 0])]
    return world.snapshot()
  }

  private static let zone = ReverbZone(.sphere(center: .zero, radius: 3), Reverb(.smallRoom), name: "hall")

  /// The changes of one kind of thing, as the property with the old and the new value.
  private static func changes(_ old: WorldSnapshot, _ new: WorldSnapshot) -> [String] {
    new.difference(from: old).changes.map { change in
      "\(change.subject): \(change.property ?? "") \(change.old?.description ?? "-") \(change.new?.description ?? "-")"
    }
  }

  @Test func `Each number of a reverb is a place of its own in a list, and the decay a number`() throws {
    let before = try Self.snapshot([Self.zone])
    let floats: [WritableKeyPath<RoomAcoustics, Float>] = [
      \.density, \.diffusion, \.highFrequencyDecayRatio, \.lowFrequencyDecayRatio, \.highFrequencyReference,
      \.lowFrequencyReference, \.roomRolloff, \.echoDepth, \.modulationDepth,
    ]
    let gains: [WritableKeyPath<RoomAcoustics, Gain>] = [
      \.gain, \.highFrequencyGain, \.lowFrequencyGain, \.reflectionsGain, \.lateGain, \.airAbsorptionGain,
    ]
    let durations: [WritableKeyPath<RoomAcoustics, Duration>] = [
      \.reflectionsDelay, \.lateDelay, \.echoTime, \.modulationTime,
    ]
    let vectors: [WritableKeyPath<RoomAcoustics, SIMD3<Float>>] = [\.reflectionsPan, \.latePan]
    var places: Set<Int> = []
    /// The indices of the list at which two snapshots differ, with the new numbers.
    func moved(_ change: (inout RoomAcoustics) -> Void) throws -> [Int: Double] {
      var after = before
      change(&after.zones[0].reverb.room)
      let changes = after.difference(from: before).changes
      try #require(changes.count == 1 && changes[0].property == "reverb" && changes[0].subject == "zone hall")
      guard case .numbers(let old) = changes[0].old, case .numbers(let new) = changes[0].new else { return [:] }
      #expect(old.count == 26 && new.count == 26)
      return Dictionary(uniqueKeysWithValues: zip(old, new).enumerated().filter { $0.1.0 != $0.1.1 }.map { ($0, $1.1) })
    }
    for path in floats {
      let found = try moved { $0[keyPath: path] = 0.125 }
      #expect(Array(found.values) == [0.125])
      places.formUnion(found.keys)
    }
    for path in gains {
      let found = try moved { $0[keyPath: path] = 0.125 }
      #expect(Array(found.values) == [0.125])
      places.formUnion(found.keys)
    }
    for path in durations {
      let found = try moved { $0[keyPath: path] = .milliseconds(125) }
      #expect(found.count == 1 && abs((found.values.first ?? 0) - 0.125) < 1e-9)
      places.formUnion(found.keys)
    }
    for path in vectors {
      let found = try moved { $0[keyPath: path] = [1, 2, 3] }
      #expect(found.keys.sorted().map { found[$0] } == [1, 2, 3])
      places.formUnion(found.keys)
    }
    let isLimited = before.zones[0].reverb.room.limitsHighFrequencyDecay
    let flag = try moved { $0.limitsHighFrequencyDecay.toggle() }
    #expect(Array(flag.values) == [isLimited ? 0 : 1])
    places.formUnion(flag.keys)
    #expect(places == Set(0..<26))
    var after = before
    after.zones[0].reverb.room.decayTime = .milliseconds(2_500)
    let decay = before.zones[0].reverb.room.decayTime / .seconds(1)
    let change = try #require(after.difference(from: before).changes.first)
    #expect(change.property == "decay" && change.old == .number(decay) && change.new == .number(2.5))
  }

  @Test func `Each other value of a zone is a property, with its default where the snapshot has none`() throws {
    let before = try Self.snapshot([Self.zone])
    let table: [(String, (inout WorldSnapshot.Zone) -> Void)] = [
      ("zone hall: fade 3 2", { $0.fade = 2 }), ("zone hall: priority 0 4", { $0.priority = 4 }),
      ("zone hall: weight 1 0.5", { $0.weight = 0.5 }), ("zone hall: weight 1 0", { $0.weight = nil }),
      ("zone hall: level - -6.0 dB", { $0.level = -6 }),
      ("zone hall: reverb level 0.0 dB -3.0 dB", { $0.reverb.level = -3 }),
      (
        "zone hall: shape sphere of 3.0 m at (0.0, 0.0, 0.0) sphere of 4.0 m at (0.0, 1.0, 0.0)",
        { $0.shape = .sphere(center: [0, 1, 0], radius: 4) }
      ),
      (
        "zone hall: shape sphere of 3.0 m at (0.0, 0.0, 0.0) box of (1.0, 2.0, 3.0) m at (0.0, 0.0, 0.0)",
        { $0.shape = .box(center: .zero, size: [1, 2, 3]) }
      ),
      (
        "zone hall: shape sphere of 3.0 m at (0.0, 0.0, 0.0)"
          + " box of (1.0, 2.0, 3.0) m at (0.0, 0.0, 0.0), turned by 45.0°",
        { $0.shape = .box(center: .zero, size: [1, 2, 3], yaw: 45) }
      ),
      (
        "zone hall: shape sphere of 3.0 m at (0.0, 0.0, 0.0) hull of (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)",
        { $0.shape = .hull([.zero, [1, 0, 0]]) }
      ),
      (
        "zone hall: equalizer - (1000, 2, -6)",
        { $0.reverb.equalizer = ParametricEqualizer(frequency: 1_000, bandwidth: 2, level: -6) }
      ),
    ]
    var zones = before
    zones.zones[0].level = nil
    for (text, change) in table {
      var after = zones
      change(&after.zones[0])
      #expect(Self.changes(zones, after) == [text])
    }
    var other = zones
    other.zones[0].name = nil
    #expect(Self.changes(zones, other) == ["zone hall:  - -", "zone 0:  - -"])
    #expect(other.difference(from: zones).description == "removed zone hall\nadded zone 0")
  }

  @Test func `Each value of the world, a listener and a portal is a property`() throws {
    let before = try Self.snapshot([Self.zone])
    let table: [(String, (inout WorldSnapshot) -> Void)] = [
      ("world: sample rate 48000 44100", { $0.sampleRate = 44_100 }), ("world: seed 1 7", { $0.seed = 7 }),
      ("world: voices 64 8", { $0.voiceLimit = 8 }), ("world: suspensions none a, b", { $0.suspensions = ["a", "b"] }),
      ("world: wall occlusion -30.0 dB -12.0 dB", { $0.wallOcclusion = -12 }),
      ("listener: position (0, 0, 0) (1, 2, 3)", { $0.listeners[0].position = [1, 2, 3] }),
      ("listener: velocity (0, 0, 0) (4, 0, 0)", { $0.listeners[0].velocity = [4, 0, 0] }),
      ("listener: gain 0.0 dB -6.0 dB", { $0.listeners[0].gain = 0.5 }),
      ("listener 2:  - -", { $0.listeners.append(Listener()) }), ("listener:  - -", { $0.listeners = [] }),
      ("portal hall–outdoors: position (3, 0, 0) (1, 2, 3)", { $0.portals[0].position = [1, 2, 3] }),
      ("portal hall–outdoors: radius 1 2", { $0.portals[0].radius = 2 }),
      ("portal hall–outdoors: openness 1 0.25", { $0.portals[0].openness = 0.25 }),
      ("bus main: gain 0.0 dB -6.0 dB", { $0.buses[0].gain = .decibels(-6) }),
      ("bus main: sends - (-3.0 dB)", { $0.buses[0].sends = [.decibels(-3)] }),
      ("bus main: limit - 5", { $0.buses[0].limit = 5 }),
    ]
    for (text, change) in table {
      var after = before
      change(&after)
      #expect(Self.changes(before, after) == [text])
    }
    let isEmpty = before.difference(from: before)
    #expect(isEmpty.isEmpty && isEmpty.description == "no difference")
  }

  @Test func `Numbers are rounded to thousandths, and whole ones have no fraction`() {
    let table: [(WorldDifference.Value, String)] = [
      (.number(2), "2"), (.number(-2.5), "-2.5"), (.number(1.23456), "1.235"), (.number(0.0004), "0"),
      (.number(1e15), "1000000000000000.0"), (.number(999_999_999_999_999), "999999999999999"),
      (.number(-1e15), "-1000000000000000.0"), (.level(-6.04), "-6.0 dB"), (.level(.silence), "silence"),
      (.text("a"), "a"), (.flag(true), "yes"), (.flag(false), "no"), (.numbers([]), "()"),
      (.numbers([1, 2.5]), "(1, 2.5)"), (.gains([.decibels(-3), .silence]), "(-3.0 dB, silence)"),
    ]
    for (value, text) in table { #expect("\(value)" == text) }
  }
}
