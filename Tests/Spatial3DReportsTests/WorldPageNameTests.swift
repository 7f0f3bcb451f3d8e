import FileDecode
import Foundation
import GameAudio
import Spatial3DTesting
import Testing

@testable import Spatial3DReports

/// The names, buses and counts of a page about a world.
@Suite struct WorldPageNameTests {
  private static let noise = Sound(TestSignal.noise(duration: .seconds(1), format: .mono(sampleRate: 48_000)))

  /// A recording in which a sound of 20 ms plays between two snapshots.
  static func withShortSound() throws -> WorldRecording {
    let folder = NSTemporaryDirectory() + "WorldPageNameTests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let format = PCMFormat.mono(sampleRate: 48_000)
    var file = try AudioFileWriter(creating: "\(folder)/blip.wav", format: format)
    try file.write(TestSignal.noise(duration: .milliseconds(20), format: format))
    try file.close()
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let recording = world.record()
    let hum = Emitter(playing: noise, in: world)
    hum.repeats = .forever
    hum.play()
    offline.render(.milliseconds(300))
    world.playOnce(Sound("\(folder)/blip.wav"))
    offline.render(.milliseconds(700))
    hum.bus = world.mixer.makeBus("machines")
    offline.render(.milliseconds(500))
    recording.stop()
    return recording
  }

  /// A recording of a world in which each thing has one name.
  static func recording(named name: String) throws -> WorldRecording {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    world.zones = [ReverbZone(.sphere(center: .zero, radius: 3), Reverb(.smallRoom), name: name)]
    world.portals = [Portal(between: name, and: nil, at: [0, 0, 3])]
    let recording = world.record()
    let emitter = Emitter(playing: noise, in: world, on: world.mixer.makeBus(BusName(name)))
    emitter.play()
    world.mixer.makeBus(BusName(name)).isMuted = true
    world.playOnce(Sound(name))
    offline.render(.milliseconds(100))
    recording.stop()
    return recording
  }

  @Test func `An event names a sound that no snapshot has`() throws {
    let recording = try Self.withShortSound()
    #expect(recording.snapshots.allSatisfy { $0.emitters.count <= 1 })
    let object = try WorldPageTests.scene(of: WorldPage(recording, title: "Blip").markup)
    let rows = try #require(object["rows"] as? [[Any]])
    let events = try #require(object["events"] as? [[Any]]).filter { $0[1] as? Int == rows.count - 1 }
    #expect((rows.last?[1] as? String)?.hasSuffix("/blip.wav") == true)
    #expect(events.map { $0.last as? String }.contains("ended: played"), "\(events)")
  }

  @Test func `A row has the bus of its time`() throws {
    let object = try WorldPageTests.scene(of: WorldPage(try Self.withShortSound(), title: "Buses").markup)
    let rows = try #require(object["rows"] as? [[Any]]).filter { $0[0] as? Int == 1 }
    #expect(rows.map { $0[2] as? String } == ["main", "machines"])
  }

  @Test func `A page counts emitters like its snapshots: a paused one is not virtual`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context, voiceLimit: 1)
    let emitters = (0..<3).map { _ in Emitter(playing: Self.noise, in: world) }
    for emitter in emitters { emitter.play() }
    emitters[2].pause(.none)
    offline.render(.milliseconds(50))
    let object = try WorldPageTests.scene(of: WorldPage(title: "Pause", snapshots: [world.snapshot()]).markup)
    #expect(object["counts"] as? [[Int]] == [[1, 1]])
    let states = try #require(object["states"] as? [[Any]])
    #expect(states.first { $0[0] as? String == "paused by the emitter" }?[1] as? Int == 2)
    #expect(states.compactMap { $0[1] as? Int } == [0, 1, 2])
  }

  @Test func `A page asks nothing of the network, and no name becomes markup`() throws {
    let name = "</script><img onerror=x>{{script}}\"&"
    let recording = try Self.recording(named: name)
    var snapshots = recording.snapshots
    for index in snapshots.indices where !snapshots[index].emitters.isEmpty {
      snapshots[index].emitters[0].key = name
      snapshots[index].suspensions = [name]
    }
    let pages = [WorldPage(recording, title: name), WorldPage(title: name, snapshots: snapshots)]
    for page in pages {
      let markup = page.markup
      #expect(markup.contains("default-src 'none'") && !markup.contains("<img"))
      for reference in ["http:", "https:", "src=\"", "@import", "url(", "fetch("] {
        #expect(!markup.contains(reference), "\(reference)")
      }
      #expect(markup.components(separatedBy: "</script>").count == 3)
    }
    // Each kind of name is on the page as it is.
    let scenes = try pages.map { try WorldPageTests.scene(of: $0.markup) }
    func texts(_ key: String) -> String { scenes.map { "\($0[key] ?? "")" }.joined() }
    for key in ["buses", "rows", "states", "ways", "events"] {
      #expect(texts(key).contains("<img onerror=x>"), "\(key)")
    }
    let spaces = try #require(scenes[0]["space"] as? [String: Any])
    for key in ["zones", "portals"] { #expect("\(spaces[key] ?? "")".contains("<img onerror=x>"), "\(key)") }
  }

  @Test func `A world far from the origin has a map`() throws {
    var snapshot = try WorldPageTests.recording().snapshots[4]
    for place in [1e8, -3e38, Float.infinity] {
      for index in snapshot.emitters.indices { snapshot.emitters[index].position = [place, 0, place] }
      snapshot.listeners[0].position = [place, 0, place]
      let object = try WorldPageTests.scene(of: WorldPage(title: "Far", snapshots: [snapshot]).markup)
      let area = try #require(object["area"] as? [Double])
      #expect(area[0] < area[1] && area[2] < area[3], "\(area)")
    }
  }

  @Test func `Values beyond the largest number share the last one`() {
    var values = UniqueValues(most: 3, rest: "more")
    let indices = ["a", "b", "a", "c", "d", "more", "b"].map { values.index(of: $0) }
    #expect(indices == [0, 1, 0, 2, 2, 2, 1] && values.values == ["a", "b", "more"])
  }

  @Test func `A page holds more than 32,768 ways`() throws {
    var snapshot = try WorldPageTests.recording().snapshots[4]
    let emitter = snapshot.emitters[0]
    snapshot.emitters = (0..<33_000).map { number in
      var copy = emitter
      (copy.id, copy.zone) = (number, "\(number)")
      return copy
    }
    let object = try WorldPageTests.scene(of: WorldPage(title: "Many", snapshots: [snapshot]).markup)
    let text = try #require((object["snapshots"] as? [String])?.first)
    let bytes = [UInt8](try #require(Data(base64Encoded: text)))
    let way = Int(bytes[32_999 * 18 + 14]) | Int(bytes[32_999 * 18 + 15]) << 8
    #expect((object["ways"] as? [[Any]])?[way].first as? String == "in zone 32999")
  }
}
