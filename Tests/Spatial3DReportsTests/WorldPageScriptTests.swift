import Foundation
import GameAudio
import Testing

@testable import Spatial3DReports

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
        result.why = part("why-state").textContent.includes("more for a voice") ? 1 : 0;
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

  @Test func `The map draws zones, portals and listeners, and the page names the way`() throws {
    let results = try results(
      of: """
        seek(scene.times.length - 1);
        select(0);
        result.way = part("why-way").textContent.includes("through portal left–outdoors") ? 1 : 0;
        result.row = document.querySelector("#list .row").textContent.includes("in zone cave") ? 1 : 0;
        result.keys = part("key-zone").hidden || part("key-portal").hidden ? 0 : 1;
        const drawing = part("map").getContext("2d"), scale = devicePixelRatio || 1;
        const colorAt = (x, z) => drawing.getImageData(...spot(x, z).map((value) => Math.round(value * scale)), 1, 1).data;
        result.inside = colorAt(-8, 3)[3] > 0 ? 1 : 0;
        result.outside = colorAt(40, 20)[3] === 0 ? 1 : 0;
        const portal = colorAt(5.1, 29.9);
        result.portal = portal[3] > 200 ? 1 : 0;
        """,
      in: WorldPage(try WorldPageTests.house(), title: "House")
    )
    #expect(results == ["way": 1, "row": 1, "keys": 1, "inside": 1, "outside": 1, "portal": 1])
  }

  @Test func `A list of 10,000 emitters has elements for those in sight only`() throws {
    var snapshot = try WorldPageTests.recording().snapshots[4]
    let emitter = snapshot.emitters[0]
    snapshot.emitters = (0..<10_000).map { number in
      var copy = emitter
      (copy.id, copy.level) = (number, Decibels(-Float(number) / 200))
      return copy
    }
    let house = try #require(try WorldPageTests.house().snapshots.last)
    (snapshot.zones, snapshot.portals, snapshot.listeners) = (house.zones, house.portals, house.listeners)
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
