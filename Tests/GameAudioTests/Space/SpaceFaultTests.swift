import Foundation
import Spatial3D
import Spatial3DTesting
import Testing

@testable import GameAudio

/// Zones and portals with unusable values: each keeps its index, and is reported by name.
@Suite struct SpaceFaultTests {
  private let reports = Collected<Diagnostic>()
  private let context: AudioContext
  private let world: AudioWorld

  private static let zones = [
    ReverbZone(.box(center: [-5, 0, 0], size: [10, 4, 20]), Reverb(.smallRoom), fade: 0, name: "hall"),
    ReverbZone(.sphere(center: [5, 0, 0], radius: 4), Reverb(.smallRoom), fade: 0, name: "cell"),
  ]
  private static let doors = [
    Portal(between: "hall", and: "cell", at: [0.5, 0, 0], radius: 0.5, openness: 0.5),
    Portal(between: "hall", and: nil, at: [-10, 0, 0]),
  ]

  init() throws {
    context = try OfflineRenderer(format: .mono(sampleRate: 48_000)).context
    world = AudioWorld(in: context)
    let reports = reports
    context.onDiagnostic = { reports.append($0) }
    world.zones = Self.zones
    world.portals = Self.doors
  }

  private var doorCount: Int { world.inspector.doorCount }

  @Test func `A number of a portal that is not finite leaves the portal at its index, with the old number`() {
    for _ in 0..<3 { world.portals[0].openness = .nan }
    world.portals[1].radius = .infinity
    world.portals[1].position.y = .nan
    #expect(world.portals == Self.doors && doorCount == 2)
    #expect(reports.all.map(\.code) == [.portalIgnored, .portalIgnored, .portalIgnored])
    let sentence = reports.all.first?.message ?? ""
    #expect(sentence.hasPrefix("The openness of portal 0 (hall–cell) was set to nan. It keeps the old one"))
    world.portals[0].openness = 1
    #expect(world.portals[0].openness == 1)
  }

  @Test func `A new portal with a number that is not finite stays in the list without a way through it`() {
    world.portals.append(Portal(between: "hall", and: "cell", at: [.nan, 0, 0]))
    #expect(world.portals.count == 3 && Array(world.portals.dropLast()) == Self.doors && doorCount == 2)
    #expect(reports.all.first?.message.contains("position of portal 2 (hall–cell) was set to [nan, 0.0, 0.0]") == true)
    #expect(throws: Never.self) { try JSONEncoder().encode(world.snapshot()) }
    #expect(world.snapshot().portals[2].openness == 0)
  }

  @Test func `A portal names the zone that does not exist, and the zones that do`() {
    world.portals.append(Portal(between: "hall", and: "attic", at: .zero))
    world.portals.append(Portal(between: "cell", and: "cell", at: .zero))
    world.portals.append(Portal(between: nil, and: nil, at: .zero))
    world.portals[0].openness = 1
    #expect(world.portals.count == 5 && doorCount == 2)
    let sentences = reports.all.map(\.message)
    #expect(sentences.count == 3)
    #expect(sentences.first?.hasPrefix("Portal 2 leads to the zone \"attic\"; the zones are hall, cell.") == true)
    #expect(sentences.dropFirst().first?.hasPrefix("Portal 3 leads from the zone \"cell\" to itself") == true)
    #expect(sentences.last?.hasPrefix("Portal 4 leads from the outdoors to itself") == true)
  }

  @Test func `A portal far outside of its zone is reported once, and still has its way`() {
    #expect(reports.all.isEmpty)
    world.portals.append(Portal(between: "hall", and: "cell", at: [0, 0, -8]))
    for openness in [0.5, 0.2] as [Float] { world.portals[2].openness = openness }
    #expect(reports.all.map(\.code) == [.portalFarFromZone] && doorCount == 3)
    let sentence = reports.all.first?.message ?? ""
    #expect(sentence.hasPrefix("Portal 2 (hall–cell) lies 5.4 m outside of the zone cell."), "\(sentence)")
    world.portals[2].position = [0.5, 0, 1]
    world.portals[2].position = [30, 0, 1]
    #expect(reports.all.map(\.code) == [.portalFarFromZone, .portalFarFromZone])
    #expect(reports.all.last?.message.contains("30.0 m outside of the zone hall") == true)
  }

  @Test func `The list of the zones that exist has each name once, and no empty one`() {
    world.zones.append(ReverbZone(.sphere(center: [50, 0, 0], radius: 4), Reverb(.smallRoom)))
    world.zones.append(ReverbZone(.sphere(center: [60, 0, 0], radius: 4), Reverb(.smallRoom), name: "hall"))
    world.zones.append(ReverbZone(.sphere(center: [70, 0, 0], radius: 4), Reverb(.smallRoom), name: "barn"))
    world.portals.append(Portal(between: "attic", and: "hall", at: .zero))
    let sentence = reports.all.first?.message ?? ""
    #expect(sentence.hasPrefix("Portal 2 leads to the zone \"attic\"; the zones are hall, cell, barn."), "\(sentence)")
  }

  @Test func `A portal before the zones names the order`() throws {
    let world = AudioWorld(in: context)
    world.portals = Self.doors
    #expect(reports.all.first?.message.contains("no zone has a name") == true)
    #expect(reports.all.first?.message.contains("set the zones before the portals") == true)
  }

  @Test func `A number of a zone that is not usable leaves the zone at its index, with the old shape`() {
    world.zones[1].shape = .sphere(center: [5, 0, 0], radius: -1)
    world.zones[1].fade = .nan
    #expect(world.zones == Self.zones)
    let sentences = reports.all.map(\.message)
    #expect(
      sentences.first?.hasPrefix("The radius of reverb zone 1 (cell) was set to -1.0. It keeps the old one") == true
    )
    #expect(sentences.last?.hasPrefix("The fade of reverb zone 1 (cell) was set to nan.") == true)
    #expect(reports.all.map(\.code) == [.zoneIgnored, .zoneIgnored])
  }

  @Test(arguments: [
    ReverbZone(.hull([]), Reverb(.smallRoom)), ReverbZone(.hull([[.nan, 0, 0]]), Reverb(.smallRoom)),
    ReverbZone(.sphere(center: .zero, radius: -.infinity), Reverb(.smallRoom)),
    ReverbZone(.box(center: .zero, size: [1, -1, 1]), Reverb(.smallRoom)),
    ReverbZone(.box(center: .zero, size: [1, 1, 1], yaw: .nan), Reverb(.smallRoom)),
    ReverbZone(.sphere(center: .zero, radius: 9), Reverb(.smallRoom), fade: -1),
  ]) func `A new zone that is not usable is no room and has no weight`(_ zone: ReverbZone) {
    world.zones.insert(zone, at: 0)
    #expect(world.zones.count == 3 && Array(world.zones.dropFirst()) == Self.zones)
    #expect(reports.all.map(\.code) == [.zoneIgnored])
    #expect(reports.all.first?.message.contains("of reverb zone 0 was set to") == true)
    #expect(zone.weight(at: .zero) == 0)
    #expect(RoomMap(world.zones).room(of: [1, 50, 0]) == 3)
    #expect(doorCount == 2)
    #expect(throws: Never.self) { try JSONEncoder().encode(world.snapshot()) }
  }
}
