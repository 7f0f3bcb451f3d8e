import Spatial3D
import Spatial3DTesting
import Testing

@testable import GameAudio

/// Which numbers of zones and portals are faults, value by value.
@Suite struct SpaceFaultTableTests {
  private static let center: SIMD3<Float> = [1, 2, 3]

  @Test func `Each part of a shape that is not usable is a fault, in the order of the parts`() {
    let table: [(ReverbZone.Shape, [String])] = [
      (.sphere(center: Self.center, radius: 0), []), (.sphere(center: Self.center, radius: 2), []),
      (.sphere(center: Self.center, radius: -0.5), ["radius -0.5"]),
      (.sphere(center: Self.center, radius: .nan), ["radius nan"]),
      (.sphere(center: Self.center, radius: .infinity), ["radius inf"]),
      (.sphere(center: [0, .nan, 0], radius: 2), ["center [0.0, nan, 0.0]"]),
      (.sphere(center: [0, 0, .infinity], radius: -1), ["center [0.0, 0.0, inf]", "radius -1.0"]),
      (.box(center: Self.center, size: [0, 1, 2]), []), (.box(center: Self.center, size: [1, 1, 2], yaw: -400), []),
      (.box(center: Self.center, size: [-1, 1, 2]), ["size [-1.0, 1.0, 2.0]"]),
      (.box(center: Self.center, size: [1, 1, .infinity]), ["size [1.0, 1.0, inf]"]),
      (.box(center: [.nan, 0, 0], size: [1, 1, 1]), ["center [nan, 0.0, 0.0]"]),
      (.box(center: Self.center, size: [1, 1, 1], yaw: .nan), ["yaw nan"]),
      (
        .box(center: [.nan, 0, 0], size: [1, -1, 1], yaw: .infinity),
        ["center [nan, 0.0, 0.0]", "size [1.0, -1.0, 1.0]", "yaw inf"]
      ),
      (.hull([]), ["list of points []"]), (.hull([Self.center]), []),
      (.hull([Self.center, [0, 0, .nan], [.nan, 0, 0]]), ["point [0.0, 0.0, nan]"]),
    ]
    for (shape, faults) in table {
      let zone = ReverbZone(shape, Reverb(.smallRoom))
      #expect(zone.faults.map { "\($0.property) \($0.value)" } == faults, "\(shape)")
      #expect(zone.isUsable == faults.isEmpty)
    }
  }

  @Test func `A fade below 0 and a reverb without a finite number are faults behind those of the shape`() {
    for (fade, isFault) in [(0, false), (3, false), (-0.1, true), (.nan, true), (.infinity, true)]
      as [(Float, Bool)]
    {
      let zone = ReverbZone(.sphere(center: .zero, radius: 1), Reverb(.smallRoom), fade: fade)
      #expect(zone.faults.map(\.property) == (isFault ? ["fade"] : []) && zone.isUsable != isFault, "\(fade)")
    }
    var zone = ReverbZone(.sphere(center: .zero, radius: -1), Reverb(.smallRoom), fade: -1)
    zone.reverb.room.gain = Gain(.nan)
    #expect(zone.faults.map(\.property) == ["radius", "fade", "reverb.room.gain"])
  }

  @Test func `Each number of a portal that is not finite is a fault, and takes the old one alone`() {
    let old = Portal(between: "a", and: "b", at: [4, 5, 6], radius: 7, openness: 0.8)
    for state in 0..<8 {
      var portal = Portal(between: "a", and: "b", at: [1, 2, 3], radius: 2, openness: 0.3)
      var (names, expected) = ([String](), portal)
      if state & 1 != 0 {
        portal.position.z = .nan
        expected.position = old.position
        names.append("position [1.0, 2.0, nan]")
      }
      if state & 2 != 0 {
        (portal.radius, expected.radius) = (.infinity, old.radius)
        names.append("radius inf")
      }
      if state & 4 != 0 {
        (portal.openness, expected.openness) = (.nan, old.openness)
        names.append("openness nan")
      }
      #expect(portal.faults.map { "\($0.property) \($0.value)" } == names && portal.isUsable == names.isEmpty)
      portal.replaceUnusable(by: old)
      #expect(portal == expected)
    }
  }

  @Test func `A portal keeps numbers of one between the same rooms at its index, and a zone those of its name`() throws
  {
    let context = try OfflineRenderer(format: .mono(sampleRate: 48_000)).context
    let world = AudioWorld(in: context)
    let reports = Collected<Diagnostic>()
    context.onDiagnostic = { reports.append($0) }
    func zone(_ name: String, radius: Float = 4, fade: Float = 2) -> ReverbZone {
      ReverbZone(.sphere(center: .zero, radius: radius), Reverb(.smallRoom), fade: fade, name: name)
    }
    for (first, second, isKept) in [
      ("hall", "cell", true), ("hall", nil, false), (nil, "cell", false), ("cell", "hall", false),
    ] as [(String?, String?, Bool)] {
      world.zones = [zone("hall"), zone("cell")]
      world.portals = [
        Portal(between: "hall", and: "cell", at: [1, 0, 0], radius: 2),
        Portal(between: first, and: second, at: [1, 0, 0], radius: 3),
      ]
      reports.removeAll()
      world.portals[0] = Portal(between: first, and: second, at: [1, 0, 0], radius: .nan)
      #expect((world.portals[0].radius == 2) == isKept && world.portals[0].radius.isNaN != isKept)
      // Another index has its own, up to the last one.
      world.portals[1].radius = .nan
      #expect(world.portals[1].radius == 3)
      world.portals.append(Portal(between: first, and: second, at: [1, 0, 0], radius: .nan))
      #expect(world.portals[2].radius.isNaN)
    }
    for (name, isKept) in [("hall", true), ("attic", false)] {
      world.zones = [zone("hall"), zone("cell", radius: 5)]
      var broken = zone(name, radius: -1, fade: .nan)
      broken.reverb.room.gain = Gain(.nan)
      world.zones[0] = broken
      #expect((world.zones[0] == zone("hall")) == isKept)
      world.zones[1].shape = .sphere(center: .zero, radius: -1)
      #expect(world.zones[1] == zone("cell", radius: 5))
    }
    // A fault without an old value stays as it is, and is reported once for each index and property.
    reports.removeAll()
    let fresh = AudioWorld(in: context)
    for _ in 0..<2 { fresh.zones = [zone("hall", radius: -1), zone("cell", fade: -1)] }
    #expect(fresh.zones.map(\.fade) == [2, -1] && reports.all.map(\.code) == [.zoneIgnored, .zoneIgnored])
  }

  @Test func `A portal is far from a zone that is more than 2 m outside of its ball`() throws {
    let context = try OfflineRenderer(format: .mono(sampleRate: 48_000)).context
    let reports = Collected<Diagnostic>()
    context.onDiagnostic = { reports.append($0) }
    // The hall ends at x = 4; another part of it that is not usable, and a zone of another name, are nearer.
    let zones = [
      ReverbZone(.sphere(center: .zero, radius: 4), Reverb(.smallRoom), name: "hall"),
      ReverbZone(.sphere(center: [-50, 0, 0], radius: 4), Reverb(.smallRoom), name: "hall"),
      ReverbZone(.sphere(center: [10, 0, 0], radius: 4), Reverb(.smallRoom), fade: -1, name: "hall"),
      ReverbZone(.sphere(center: [10, 0, 0], radius: 9), Reverb(.smallRoom), name: "cell"),
    ]
    for (x, radius, isFar) in [
      (5.9, 0, false), (6.1, 0, true), (8.9, 3, false), (9.1, 3, true), (5.9, -3, false), (6.1, -3, true),
    ] as [(Float, Float, Bool)] {
      let world = AudioWorld(in: context)
      world.zones = zones
      reports.removeAll()
      for first in ["hall", nil] as [String?] {
        world.portals = [Portal(between: first, and: "cell", at: [x, 0, 0], radius: radius)]
        let codes = reports.all.map(\.code).filter { $0 == .portalFarFromZone }
        #expect(codes.count == (isFar ? 1 : 0), "\(x), \(radius)")
      }
      world.portals = [Portal(between: nil, and: "hall", at: [x, 0, 0], radius: radius)]
      #expect(reports.all.count { $0.code == .portalFarFromZone } == (isFar ? 1 : 0))
    }
  }
}
