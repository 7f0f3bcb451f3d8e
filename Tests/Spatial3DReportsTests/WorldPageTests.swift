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
    let world = AudioWorld(in: offline.context, voices: 2)
    let recording = world.record(snapshotsEach: .milliseconds(100))
    let noise = Sound(TestSignal.noise(duration: .seconds(1), format: .mono(sampleRate: 48_000)))
    let bus = world.mixer.bus("machines")
    let torches = (1...3).map { number in
      let torch = Emitter(playing: noise, in: world, on: bus)
      torch.position = [Float(number) * 2, 0, -1]
      torch.repeats = .forever
      torch.play()
      return torch
    }
    offline.render(.seconds(1))
    bus.fade(to: -12, Fade(.milliseconds(500)))
    torches[0].stop()
    offline.render(.seconds(1))
    recording.stop()
    return recording
  }

  /// The content of the element with the scene.
  private func scene(of markup: String) throws -> [String: Any] {
    let start = try #require(markup.range(of: "id=\"scene\">"))
    let end = try #require(markup.range(of: "</script>", range: start.upperBound..<markup.endIndex))
    let data = Data(markup[start.upperBound..<end.lowerBound].utf8)
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test func `A page holds its snapshots in words of 16 bits`() throws {
    let recording = try Self.recording()
    let object = try scene(of: WorldPage(recording, title: "Torches").markup)
    let rows = try #require(object["rows"] as? [[Any]])
    #expect(rows.count == 3)
    #expect(rows.first?.last as? String == "machines")
    let snapshots = try #require(object["snapshots"] as? [String])
    #expect(snapshots.count == recording.snapshots.count)
    let bytes = [UInt8](try #require(snapshots.last.flatMap { Data(base64Encoded: $0) }))
    let words = stride(from: 0, to: bytes.count, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
    #expect(words.count == 3 * 7)
    let states = try #require(object["states"] as? [String])
    // The first torch was stopped, and the other two have the voices.
    #expect(states[Int(words[6])] == "it does not play")
    #expect(words[6 + 7] == 0 && words[6 + 14] == 0)
    let last = try #require(recording.snapshots.last)
    #expect(words[4 + 7] == Int16((last.emitters[1].level.rawValue * 10).rounded()))
    let early = try #require(Data(base64Encoded: snapshots[3]))
    #expect(early.count == 42)
    #expect(states.contains("others are chosen before it"))
    let buses = try #require(object["buses"] as? [[String: Any]])
    #expect(buses.map { $0["name"] as? String } == ["main", "machines"])
    #expect((buses[1]["texts"] as? [String])?.last == "gain -12.0 dB")
    let events = try #require(object["events"] as? [[Any]])
    #expect(events.contains { $0.last as? String == "bus machines fades to -12.0 dB in 0.5 s" })
    #expect(events.contains { $0.last as? String == "ended: stopped" })
  }

  @Test func `A page asks nothing of the network, and names cannot become markup`() throws {
    let name = "</script><img onerror=x>{{script}}\"&"
    var snapshot = try Self.recording().start
    snapshot.buses[0].name = name
    let markup = WorldPage(title: name, snapshots: [snapshot], events: []).markup
    #expect(markup.contains("default-src 'none'") && !markup.contains("<img"))
    for reference in ["http:", "https:", "src=\"", "@import", "url(", "fetch("] {
      #expect(!markup.contains(reference), "\(reference)")
    }
    #expect(markup.components(separatedBy: "</script>").count == 3)
  }

  @Test func `A page without snapshots is complete`() throws {
    let markup = WorldPage(title: "", snapshots: []).markup
    let object = try scene(of: markup)
    #expect((object["times"] as? [Any])?.isEmpty == true)
    #expect(!markup.contains("nan") && !markup.contains("{{"))
  }

  @Test func `A text has the voices, the buses, the loudest and the silent ones`() throws {
    let snapshots = try Self.recording().snapshots
    let text = WorldText(snapshots[4]).description
    #expect(text.hasPrefix("voices 2 of 2 real, 1 virtual\nmain            ███"))
    #expect(text.contains("\nmachines        ██"))
    #expect(text.contains("loudest\n     1 A sound in memory"))
    #expect(text.contains("silent\n     3 A sound in memory") && text.contains("louder, it would have a voice"))
    #expect(WorldText(snapshots[4], listing: 0).description.split(separator: "\n").count == 5)
  }
}

/// The script of a page about a world, in a headless browser.
@Suite(.enabled(if: Browser.path != nil, "a page is tried in Chromium, which this machine lacks"))
struct WorldPageScriptTests {
  /// Runs a script after the page's own, and returns the numbers that it notes.
  private func results(of script: String, in page: WorldPage) throws -> [String: Double] {
    var markup = page.markup
    let last = try #require(markup.range(of: "</body>"))
    let noted = """
      <script>{
        const result = {};
        const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
        try { \(script) } catch (error) { result.failed = 1; }
        document.title = "noted:" + JSON.stringify(result);
      }</script>
      """
    markup.insert(contentsOf: noted, at: last.lowerBound)
    let printed = try Browser.contents(ofPage: markup)
    let start = try #require(printed.range(of: "<title>noted:"), "\(printed.suffix(200))")
    let end = try #require(printed.range(of: "</title>", range: start.upperBound..<printed.endIndex))
    return try JSONDecoder().decode([String: Double].self, from: Data(printed[start.upperBound..<end.lowerBound].utf8))
  }

  @Test func `Keys move through snapshots and emitters, and the page names the reason`() throws {
    let results = try results(
      of: """
        press("ArrowRight"); press("ArrowRight"); press("ArrowRight");
        result.snapshot = view.snapshot;
        press("ArrowDown"); press("ArrowDown"); press("ArrowDown");
        result.selected = names[view.selected].number;
        result.why = part("why-state").textContent.includes("louder, it would have a voice") ? 1 : 0;
        seek(scene.times.length - 1);
        select(0);
        result.ended = part("why-state").textContent === "it does not play" ? 1 : 0;
        part("own").checked = true;
        filterEvents();
        result.own = view.events.every(([, row]) => row === 0) && view.events.length > 1 ? 1 : 0;
        """,
      in: WorldPage(try WorldPageTests.recording(), title: "Torches")
    )
    #expect(results == ["snapshot": 3, "selected": 3, "why": 1, "ended": 1, "own": 1])
  }

  @Test func `A list of 10,000 emitters has elements for those in sight only`() throws {
    var snapshot = try WorldPageTests.recording().snapshots[4]
    let emitter = snapshot.emitters[0]
    snapshot.emitters = (0..<10_000).map { number in
      var copy = emitter
      (copy.id, copy.level) = (number, Decibels(-Float(number) / 200))
      return copy
    }
    let results = try results(
      of: """
        result.rows = document.querySelectorAll("#list .row").length;
        const list = part("list"), start = performance.now();
        for (let turn = 0; turn < 50; turn++) { list.scrollTop = turn * 5000; drawEmitters(); }
        result.isFast = (performance.now() - start) / 50 < 16 ? 1 : 0;
        result.rowsLater = document.querySelectorAll("#list .row").length;
        part("find").value = "9999";
        part("find").dispatchEvent(new Event("input"));
        result.found = view.shown.length;
        """,
      in: WorldPage(title: "Many", snapshots: [snapshot])
    )
    #expect((10...40).contains(results["rows"] ?? 0))
    #expect((10...40).contains(results["rowsLater"] ?? 0))
    #expect(results["found"] == 1)
    #expect(results["failed"] == nil)
  }
}
