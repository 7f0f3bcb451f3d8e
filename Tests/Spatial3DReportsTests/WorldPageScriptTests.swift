import Foundation
import GameAudio
import Spatial3DTesting
import Testing

@testable import Spatial3DReports

/// The script of a page about a world, in a headless browser.
@Suite(.enabled(if: Browser.path != nil, "a page is tried in Chromium, which this machine lacks"))
struct WorldPageScriptTests {
  /// Runs a script after the page's own, and returns the numbers that it notes.
  private func results(of script: String, in page: WorldPage, isDark: Bool = false) throws -> [String: Double] {
    var markup = page.markup
    // A headless browser has the light theme.
    if isDark { markup = markup.replacingOccurrences(of: "(prefers-color-scheme: dark)", with: "all") }
    let last = try #require(markup.range(of: "</body>"))
    let noted = """
      <script>{
        const result = {};
        const press = (key, target = document.body) =>
          target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
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
        seek(0);
        press("ArrowRight"); press("ArrowRight"); press("ArrowRight");
        result.snapshot = view.snapshot;
        for (let row = 0; row < 3; row++) press("ArrowDown", part("list"));
        result.selected = view.selected;
        result.why = part("why-state").textContent.includes("more for a voice") ? 1 : 0;
        seek(scene.times.length - 1);
        select(1);
        result.ended = part("why-state").textContent === "it does not play" ? 1 : 0;
        part("own").checked = true;
        filterEvents();
        result.own = view.events.every(([, row]) => names[row].number === 1) && view.events.length > 1 ? 1 : 0;
        """,
      in: WorldPage(try WorldPageTests.recording(), title: "Torches")
    )
    #expect(results == ["snapshot": 3, "selected": 3, "why": 1, "ended": 1, "own": 1])
  }

  @Test func `The map draws zones, portals and listeners, and the page names the way`() throws {
    let results = try results(
      of: """
        seek(scene.times.length - 1);
        select(1);
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
        const list = part("list"), all = view.shown;
        const durations = [[], []];
        for (let round = 0; round < 7; round++) {
          for (const [index, count] of [100, 10000].entries()) {
            view.shown = all.slice(0, count);
            const start = performance.now();
            for (let turn = 0; turn < 40; turn++) { list.scrollTop = turn * count / 2; drawEmitters(); }
            durations[index].push(performance.now() - start);
          }
        }
        const [few, many] = durations.map((times) => Math.min(...times));
        result.ratio = many / few;
        result.rowsLater = document.querySelectorAll("#list .row").length;
        part("find").value = "9999";
        part("find").dispatchEvent(new Event("input"));
        result.found = view.shown.length;
        """,
      in: WorldPage(title: "Many", snapshots: [snapshot])
    )
    #expect((10...40).contains(results["rows"] ?? 0))
    #expect((10...40).contains(results["rowsLater"] ?? 0))
    // With an element for each emitter, it would be about 100.
    #expect((results["ratio"] ?? .infinity) < 8)
    #expect(results["found"] == 1)
    #expect(results["failed"] == nil)
  }

  @Test func `The vertical arrows move in the list that has the focus, and scroll the page elsewhere`() throws {
    let results = try results(
      of: """
        result.scrolls = press("ArrowDown") && press("ArrowUp") && view.selected === -1 ? 1 : 0;
        part("own").checked = false;
        const events = part("events");
        result.moves = press("ArrowDown", events) ? 0 : 1;
        const first = view.events.indexOf(view.event);
        press("ArrowDown", events);
        result.next = view.events.indexOf(view.event) - first;
        const active = document.getElementById(events.getAttribute("aria-activedescendant"));
        result.active = active?.textContent.includes(view.event[2]) ? 1 : 0;
        for (let row = 0; row < 100; row++) press("ArrowDown", events);
        result.last = view.event === view.events.at(-1) && view.snapshot === nearest(view.event[0]) ? 1 : 0;
        result.selected = view.event[1] < 0 || view.selected === names[view.event[1]].number ? 1 : 0;
        const bounds = part("map").getBoundingClientRect(), [x, y] = placeOf(view.rows[1]);
        part("map").dispatchEvent(new MouseEvent("click", { clientX: bounds.left + x, clientY: bounds.top + y }));
        result.clicked = view.selected === view.rows[1].number && document.activeElement === part("list") ? 1 : 0;
        seek(scene.times.length);
        result.text = part("seek").getAttribute("aria-valuetext") === `${scene.times.at(-1).toFixed(2)} of 2.00 seconds` ? 1 : 0;
        """,
      in: WorldPage(try WorldPageTests.recording(), title: "Keys")
    )
    #expect(
      results == [
        "scrolls": 1, "moves": 1, "next": 1, "active": 1, "last": 1, "selected": 1, "clicked": 1, "text": 1,
      ]
    )
  }

  @Test func `A page opens where the first sound plays, and goes to the moment in its address`() throws {
    let results = try results(
      of: """
        result.first = view.snapshot;
        result.silent = scene.counts[0][0] + scene.counts[0][1];
        seek(0);
        location.hash = "#t=0.55";
        window.dispatchEvent(new HashChangeEvent("hashchange"));
        result.moment = scene.times[view.snapshot];
        location.hash = "#t=x";
        window.dispatchEvent(new HashChangeEvent("hashchange"));
        result.kept = scene.times[view.snapshot];
        """,
      in: WorldPage(try WorldPageTests.recording(), title: "Address")
    )
    #expect(results == ["first": 1, "silent": 0, "moment": 0.48, "kept": 0.48])
  }

  @Test func `The fade of a zone is drawn outside of it alone, and the card has the settings`() throws {
    let results = try results(
      of: """
        seek(scene.times.length - 1);
        const drawing = part("map").getContext("2d"), scale = devicePixelRatio || 1;
        const alphaAt = (x, z) => drawing.getImageData(...spot(x, z).map((value) => Math.round(value * scale)), 1, 1).data[3];
        // The sphere around (5, 0) has a radius of 6 m and a fade of 3 m.
        result.middle = alphaAt(6, -1);
        result.edge = alphaAt(5, -5);
        result.fade = alphaAt(5, -7.5) > 0 ? 1 : 0;
        result.beyond = alphaAt(5, -10);
        select(1);
        result.card = part("why-settings").textContent.includes("rays −6.0 dB") ? 1 : 0;
        """,
      in: WorldPage(try WorldPageTests.house(), title: "House")
    )
    #expect(results["failed"] == nil && results["middle"] != nil)
    #expect(results["middle"] == results["edge"])
    #expect(results["fade"] == 1 && results["beyond"] == 0 && results["card"] == 1)
  }

  @Test func `A short sound is found by its name, and an emitter stays selected on another bus`() throws {
    let results = try results(
      of: """
        seek(1);
        select(1);
        result.main = part("why-level").textContent.endsWith("bus main") ? 1 : 0;
        seek(scene.times.length - 1);
        result.machines = part("why-level").textContent.endsWith("bus machines") ? 1 : 0;
        part("find").value = "BLIP";
        part("find").dispatchEvent(new Event("input"));
        result.events = view.events.length > 1 && view.events.every(([, row]) => names[row].name === "blip.wav") ? 1 : 0;
        document.querySelector("#events .row").click();
        result.name = part("why-name").textContent.endsWith("blip.wav") ? 1 : 0;
        """,
      in: WorldPage(try WorldPageNameTests.withShortSound(), title: "Blip")
    )
    #expect(results == ["main": 1, "machines": 1, "events": 1, "name": 1])
  }

  @Test(arguments: [false, true]) func `Text has a contrast of 4.5 in both themes`(isDark: Bool) throws {
    let results = try results(
      of: """
        const light = (color) => {
          const [red, green, blue] = color.match(/[0-9.]+/g).map((value) => {
            const part = value / 255;
            return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        };
        const behind = (element) => {
          const color = getComputedStyle(element).backgroundColor;
          return color === "rgba(0, 0, 0, 0)" && element.parentElement ? behind(element.parentElement) : color;
        };
        const contrast = (element) => {
          const [low, high] = [light(getComputedStyle(element).color), light(behind(element))].sort((a, b) => a - b);
          return (high + 0.05) / (low + 0.05);
        };
        seek(scene.times.length - 1);
        select(1);
        result.dark = light(getComputedStyle(document.documentElement).backgroundColor) < 0.2 ? 1 : 0;
        for (const query of [".state.is-silent", ".bus em", ".key", ".row .why", ".row .has-voice", "header .quiet"]) {
          const elements = [...document.querySelectorAll(query)];
          result[query] = Math.min(...elements.map(contrast));
        }
        """,
      in: WorldPage(try WorldPageTests.recording(), title: "Contrast"),
      isDark: isDark
    )
    #expect(results["failed"] == nil && results["dark"] == (isDark ? 1 : 0))
    for (query, contrast) in results where query != "dark" {
      #expect(contrast.isFinite && contrast >= 4.5, "\(query)")
    }
  }

  @Test func `A zone with a radius below 0 leaves the page whole, and reasons have the words of the library`() throws {
    var snapshot = try WorldPageTests.recording().snapshots[4]
    snapshot.zones = try WorldPageTests.house().snapshots[4].zones
    snapshot.zones[2].shape = .sphere(center: .zero, radius: -1)
    snapshot.emitters[0].silence = .tooQuiet(by: Decibels(.infinity))
    snapshot.emitters[1].silence = .outranked(by: 0.01)
    let results = try results(
      of: """
        select(1);
        result.silence = part("why-state").textContent === "one of its factors is silence" ? 1 : 0;
        select(2);
        result.next = part("why-state").textContent === "gets a voice at the next choice" ? 1 : 0;
        result.rows = document.querySelectorAll("#list .row").length;
        """,
      in: WorldPage(title: "Zone", snapshots: [snapshot])
    )
    #expect(results == ["silence": 1, "next": 1, "rows": 3])
  }

  @Test func `An event leads to the snapshot of its tick, however its time is rounded`() throws {
    var offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let recording = world.record()
    let noise = TestSignal.noise(duration: .seconds(3), format: .mono(sampleRate: 48_000))
    let emitter = Emitter(playing: Sound(noise), in: world)
    emitter.play()
    offline.render(.seconds(3))
    recording.stop()
    let snapshots = recording.snapshots
    // As an event of the same tick has it.
    let moments = snapshots.map { "\((($0.time - snapshots[0].time) * 1e6).rounded() / 1e6)" }
    let results = try results(
      of:
        "result.found = [\(moments.joined(separator: ", "))].filter((time) => Math.abs(scene.times[nearest(time)] - time) < 1e-5).length;",
      in: WorldPage(title: "Ticks", snapshots: snapshots)
    )
    #expect(snapshots.count > 10 && results == ["found": Double(snapshots.count)])
  }

  @Test func `A page without snapshots runs`() throws {
    let results = try results(
      of: """
        for (const key of ["ArrowLeft", "ArrowRight", "/"]) press(key);
        for (const list of ["list", "events"]) { press("ArrowDown", part(list)); press("ArrowUp", part(list)); }
        part("find").dispatchEvent(new Event("input"));
        part("map").click();
        part("voices").click();
        result.rows = document.querySelectorAll(".row").length;
        result.clock = part("clock").textContent === "0.00 s: 0 real, 0 virtual" ? 1 : 0;
        """,
      in: WorldPage(title: "", snapshots: [])
    )
    #expect(results == ["rows": 0, "clock": 1])
  }
}
