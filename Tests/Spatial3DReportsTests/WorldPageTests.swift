import Foundation
import GameAudio
import Spatial3DTesting
import Testing

@testable import Spatial3DReports

/// Pages and texts about a recorded world.
@Suite struct WorldPageTests {
  /// A recording of two seconds: three torches on two voices, and a bus that fades.
  static func recording() throws -> WorldRecording {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context, voiceLimit: 2)
    let recording = world.record(snapshotsEach: .milliseconds(100))
    let noise = Sound(TestSignal.noise(duration: .seconds(1), format: .mono(sampleRate: 48_000)))
    let bus = world.mixer.makeBus("machines")
    let torches = (1...3).map { number in
      let torch = Emitter(playing: noise, in: world, on: bus)
      torch.position = [Float(number) * 2, 0, -1]
      torch.repeats = .forever
      torch.play()
      return torch
    }
    offline.render(.seconds(1))
    bus.fade(to: .decibels(-12), Fade(.milliseconds(500)))
    torches[0].stop()
    offline.render(.seconds(1))
    recording.stop()
    return recording
  }

  /// A recording of a house: two rooms, a door that closes, a listener in each, and a noise behind the door.
  static func house() throws -> WorldRecording {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context, voiceLimit: 2)
    world.zones = [
      ReverbZone(.box(center: [-5, 0, 0], size: [10, 4, 20], yaw: 30), Reverb(.smallRoom), fade: 0, name: "left"),
      ReverbZone(.hull([[0, 0, 30], [10, 0, 30], [5, 0, 35], [5, 0, 32]]), Reverb(efx: .cave), name: "cave"),
      ReverbZone(.sphere(center: [5, 0, 0], radius: 6), Reverb(.largeHall)),
    ]
    world.portals = [
      Portal(between: "left", and: nil, at: [-5, 0, 5]), Portal(between: nil, and: "cave", at: [5, 0, 30]),
    ]
    world.listeners = [Listener(position: [-5, 0, 0]), Listener(position: [90, 0, 0])]
    let recording = world.record(snapshotsEach: .milliseconds(100))
    let noise = Emitter(
      playing: Sound(TestSignal.noise(duration: .seconds(1), format: .mono(sampleRate: 48_000))),
      in: world
    )
    (noise.position, noise.repeats) = ([5, 0, 32], .forever)
    noise.play()
    world.castRays { _ in .wall(-6) }
    offline.render(.milliseconds(500))
    world.portals[1].openness = 0.4
    offline.render(.milliseconds(500))
    recording.stop()
    return recording
  }

  @Test func `A page has the outlines of zones, the portals, and the way of each emitter`() throws {
    let object = try Self.scene(of: WorldPage(try Self.house(), title: "House").markup)
    let space = try #require(object["space"] as? [String: Any])
    let zones = try #require((space["zones"] as? [[[Any]]])?.last)
    #expect(zones.map { $0[0] as? String } == ["left", "cave", "2"])
    // The box is turned to the left by 30 degrees.
    #expect(zones[0][2] as? [Double] == [-14.33, -6.16, -5.67, -11.16, 4.33, 6.16, -4.33, 11.16])
    // The last point of the hull lies inside.
    #expect((zones[1][2] as? [Double])?.count == 6)
    #expect(zones[2][2] as? [Double] == [5, 0, 6])
    let portals = try #require(space["portals"] as? [[[Any]]])
    #expect(portals.map { $0[1][4] as? Double } == [1, 0.4])
    #expect((space["levels"] as? [[Double]])?.last?.first == 0)
    let ways = try #require(object["ways"] as? [[Any]])
    #expect(ways.first?[0] as? String == "")
    #expect(ways.contains { $0[0] as? String == "in zone cave, through portal left–outdoors, muffled by rays" })
    #expect((object["listeners"] as? [[Double]])?.last?.count == 8)
  }

  @Test func `A page has its title, its events and the snapshots by their times, and becomes a file`() throws {
    let recording = try Self.recording()
    let page = WorldPage(title: "Torches", snapshots: recording.snapshots.reversed(), events: recording.events)
    #expect(page.title == "Torches" && page.events == recording.events && !page.events.isEmpty)
    #expect(page.snapshots.map(\.time) == recording.snapshots.map(\.time))
    let path = NSTemporaryDirectory() + "WorldPageTests-" + UUID().uuidString + ".html"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try page.write(to: path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == page.markup)
    let error = #expect(throws: ReportError.self) { try page.write(to: "") }
    #expect(error?.code == .writeFailed)
  }

  @Test func `A text has zones, portals, listeners and ways`() throws {
    let snapshot = try #require(try Self.house().snapshots.last)
    let text = WorldText(snapshot).description
    #expect(text.contains("\nzones           left 0.0 dB, cave, 2\n"), "\(text)")
    #expect(
      text.contains("\nportals         left–outdoors 100 % open, outdoors–cave 40 % open\nlisteners       2\n"),
      "\(text)"
    )
    #expect(text.contains("has a voice, in zone cave, through portal left–outdoors, muffled by rays"), "\(text)")
  }

  @Test func `The corners of a turned box lie on the edge of its zone`() throws {
    let box = ReverbZone.Shape.box(center: [3, 1, -2], size: [4, 2, 12], yaw: 30)
    let corners = ZoneOutline(box).corners
    #expect(corners.count == 4)
    for corner in corners {
      let way = SIMD3<Float>(corner.x, 1, corner.y) - [3, 1, -2]
      #expect(box.distance(to: [3, 1, -2] + way * 0.999) == 0 && box.distance(to: [3, 1, -2] + way * 1.01) > 0.01)
    }
  }

  @Test func `A polygon around places has its corners alone`() {
    let grid = (0..<25).map { SIMD2<Float>(Float($0 % 5), Float($0 / 5)) }
    #expect(Set(ZoneOutline.hull(of: grid)) == [[0, 0], [4, 0], [4, 4], [0, 4]])
    #expect(ZoneOutline.hull(of: [[1, 2]]) == [[1, 2]] && ZoneOutline.hull(of: []).isEmpty)
  }

  /// The content of the element with the scene.
  static func scene(of markup: String) throws -> [String: Any] {
    let start = try #require(markup.range(of: "id=\"scene\">"))
    let end = try #require(markup.range(of: "</script>", range: start.upperBound..<markup.endIndex))
    let data = Data(markup[start.upperBound..<end.lowerBound].utf8)
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test func `A page holds its snapshots in words of 16 bits`() throws {
    let recording = try Self.recording()
    let object = try Self.scene(of: WorldPage(recording, title: "Torches").markup)
    let rows = try #require(object["rows"] as? [[Any]])
    #expect(rows.count == 3)
    #expect(rows.first?.last as? String == "machines")
    let snapshots = try #require(object["snapshots"] as? [String])
    #expect(snapshots.count == recording.snapshots.count)
    let bytes = [UInt8](try #require(snapshots.last.flatMap { Data(base64Encoded: $0) }))
    let words = stride(from: 0, to: bytes.count, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
    #expect(words.count == 3 * 9)
    let states = try #require(object["states"] as? [[Any]]).compactMap { $0.first as? String }
    // The first torch was stopped, and the other two have the voices.
    #expect(states[Int(words[6])] == "it does not play")
    #expect(words[6 + 9] == 0 && words[6 + 18] == 0)
    let last = try #require(recording.snapshots.last)
    #expect(words[4 + 9] == Int16((last.emitters[1].level.rawValue * 10).rounded()))
    let early = try #require(Data(base64Encoded: snapshots[3]))
    #expect(early.count == 54)
    #expect(states.contains("others are chosen before it"))
    let buses = try #require(object["buses"] as? [[String: Any]])
    #expect(buses.map { $0["name"] as? String } == ["main", "machines"])
    #expect((buses[1]["texts"] as? [String])?.last == "gain −12.0 dB")
    let events = try #require(object["events"] as? [[Any]])
    #expect(events.contains { $0.last as? String == "bus machines fades to -12.0 dB in 0.5 s" })
    #expect(events.contains { $0.last as? String == "ended: stopped" })
  }

  @Test func `A page has the settings of each emitter in words, and the summary counts all and those at a time`() throws
  {
    var snapshots = try Self.house().snapshots
    snapshots[1].emitters[0].gain = .decibels(-3.5)
    (snapshots[1].emitters[0].pitch, snapshots[1].emitters[0].priority) = (1.5, 70)
    snapshots[2].emitters[0].id = 99
    let markup = WorldPage(title: "House", snapshots: snapshots).markup
    let settings = try #require(try Self.scene(of: markup)["settings"] as? [String])
    #expect(settings.first == "")
    #expect(settings.contains { $0.hasPrefix("gain −3.5 dB, pitch 1.50, priority 70, rays −6.0 dB") }, "\(settings)")
    #expect(markup.contains("2 emitters, at most 1 at a time; 2 voices; "))
  }

  @Test func `A page without snapshots is complete`() throws {
    let markup = WorldPage(title: "", snapshots: []).markup
    let object = try Self.scene(of: markup)
    #expect((object["times"] as? [Any])?.isEmpty == true)
    #expect(!markup.contains("nan") && !markup.contains("{{"))
  }

  @Test func `A text has the voices, the buses, the loudest and the silent ones`() throws {
    let snapshots = try Self.recording().snapshots
    let text = WorldText(snapshots[4]).description
    #expect(text.hasPrefix("voices 2 of 2 real, 1 virtual\nmain            ███"))
    #expect(text.contains("\n  machines      ██"))
    #expect(text.contains("loudest\n     1 A sound in memory"))
    #expect(text.contains("silent\n     3 A sound in memory") && text.contains("more for a voice"))
    #expect(WorldText(snapshots[4], listing: 0).description.split(separator: "\n").count == 5)
  }
}
