import FileDecode
import Foundation
import Testing

@testable import Spatial3DReports

/// Tests of the page's script in a headless browser; the test controls time and sound.
@Suite(.enabled(if: Browser.path != nil, "a page is tried in Chromium, which this machine lacks"))
struct PageScriptTests {
  /// Runs a script after the page's own, and returns the numbers that it notes, by name.
  private func results(of script: String) throws -> [String: Double] {
    let map = ListeningPage.Area(x: -1...1, z: -1...1)
    let sound = PageSound(seconds: 20, levelChange: 0, loudness: -16, bytes: [])
    var page = ListeningPage(title: "A tone", summary: "It sounds.", sound: sound, map: map)
    page.sources = ["tone", "noise"].map { .init(name: $0, x: [0], z: [0]) }
    page.events = (0..<20).map { .init(at: Double($0), source: 0, text: "tone starts over") }
    page.events += [.init(at: 5, source: 1, text: "noise starts over"), .init(at: 6, source: 1, text: "noise stops")]
    page.chapters = [.init(at: 0, title: "first", text: "First"), .init(at: 10, title: "second", text: "Second")]
    var markup = page.markup
    let first = try #require(markup.range(of: "<main>"))
    markup.insert(contentsOf: "<script>\(Self.preparation)</script>", at: first.lowerBound)
    let last = try #require(markup.range(of: "</body>"))
    let noted = """
      <script>(async () => {
        try { \(script) } catch (error) { result.failed = 1; console.error(error); }
        document.title = "noted:" + JSON.stringify(result);
      })();</script>
      """
    markup.insert(contentsOf: noted, at: last.lowerBound)
    let printed = try Browser.contents(ofPage: markup)
    let start = try #require(printed.range(of: "<title>noted:"), "\(printed.suffix(200))")
    let end = try #require(printed.range(of: "</title>", range: start.upperBound..<printed.endIndex))
    return try JSONDecoder().decode([String: Double].self, from: Data(printed[start.upperBound..<end.lowerBound].utf8))
  }

  /// A clock that advances only by `pass`, frames and sound that follow it, and keys.
  private static let preparation = """
    let clock = 0, number = 0;
    const frames = new Map(), starts = [], result = {};
    window.requestAnimationFrame = (draw) => (frames.set(++number, draw), number);
    window.cancelAnimationFrame = (number) => frames.delete(number);
    let decoded = Promise.resolve({});
    window.AudioContext = class {
      get playbackTime() { return clock; }
      async resume() {}
      decodeAudioData() { return decoded; }
    };
    window.AudioBufferSourceNode = class {
      connect() {}
      start(_, offset) { starts.push(offset); }
      stop() {}
    };
    /** Lets seconds go by, draws a frame, and returns how many loops drew. */
    function pass(seconds) {
      clock += seconds;
      const due = [...frames.values()];
      frames.clear();
      for (const draw of due) draw(clock * 1000);
      return due.length;
    }
    /** Presses a key, and returns whether the page took it from the browser. */
    function press(key, target = document.body) {
      return !target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    }
    /** Waits for what was promised. */
    async function settle() { for (let turn = 0; turn < 20; turn++) await null; }
    """

  @Test func `However often a reader seeks, one loop draws`() throws {
    let results = try results(
      of: """
        press(" "); await settle();
        result.before = pass(0.1);
        for (const key of ["ArrowRight", "ArrowLeft"]) {
          for (let index = 0; index < 10; index++) { press(key); await settle(); }
        }
        result.after = pass(0.1);
        result.place = timeNow();
        press(" ");
        result.paused = pass(0.1);
        """
    )
    #expect(results["before"] == 1)
    #expect(results["after"] == 1)
    #expect(abs((results["place"] ?? 0) - 0.2) < 0.001)
    #expect(results["paused"] == 0)
  }

  @Test func `What is sought at the end stays there, and only the button goes back to the beginning`() throws {
    let results = try results(
      of: """
        press(" "); await settle();
        pass(19.5);
        press("ArrowRight"); await settle();
        pass(0.6);
        result.place = timeNow();
        result.plays = player.isWanted ? 1 : 0;
        press("ArrowLeft"); await settle();
        result.back = timeNow();
        press(" "); await settle();
        result.on = starts.at(-1);
        pass(5);
        result.atEnd = timeNow();
        press(" "); await settle();
        result.again = starts.at(-1);
        result.starts = starts.length;
        """
    )
    #expect(results["place"] == 20)
    #expect(results["plays"] == 0)
    #expect(results["back"] == 19)
    #expect(results["on"] == 19)
    #expect(results["atEnd"] == 20)
    #expect(results["again"] == 0)
    #expect(results["starts"] == 3)
  }

  @Test func `A second press takes the first back while the sound is still decoded`() throws {
    let results = try results(
      of: """
        let finish;
        decoded = new Promise((resolve) => { finish = resolve; });
        press(" "); await settle();
        result.named = part("play-name").textContent === "Pause" ? 1 : 0;
        press(" "); await settle();
        finish({}); await settle();
        result.starts = starts.length;
        press(" "); press("ArrowRight"); await settle();
        result.startsLater = starts.length;
        result.place = starts[0];
        """
    )
    #expect(results["named"] == 1)
    #expect(results["starts"] == 0)
    #expect(results["startsLater"] == 1)
    #expect(results["place"] == 1)
  }

  @Test func `A sound that cannot be decoded is told, until it can`() throws {
    let results = try results(
      of: """
        decoded = Promise.reject(new Error("no"));
        press(" "); await settle();
        result.told = part("problem").textContent.length;
        result.plays = player.isWanted ? 1 : 0;
        decoded = Promise.resolve({});
        press(" "); await settle();
        result.toldLater = part("problem").textContent.length;
        result.starts = starts.length;
        """
    )
    #expect((results["told"] ?? 0) > 20)
    #expect(results["plays"] == 0)
    #expect(results["toldLater"] == 0)
    #expect(results["starts"] == 1)
  }

  @Test func `Events that repeat are one line, and each of its times can be sought`() throws {
    let results = try results(
      of: """
        const lines = [...document.querySelectorAll("#moments li")];
        result.lines = lines.length;
        result.times = lines[0].querySelectorAll("a").length;
        result.more = lines[0].textContent.includes("and 5 more") ? 1 : 0;
        lines[0].querySelectorAll("a")[3].click();
        result.place = timeNow();
        result.current = Number(document.querySelector("#moments [aria-current]").textContent);
        """
    )
    #expect(results == ["lines": 3, "times": 15, "more": 1, "place": 3, "current": 3])
  }

  @Test func `A chapter can be sought, and is current until the next one`() throws {
    let results = try results(
      of: """
        document.querySelectorAll("#chapters a")[1].click();
        result.place = timeNow();
        result.caption = part("caption").textContent === "Second" ? 1 : 0;
        press("ArrowLeft");
        result.before = part("caption").textContent === "First" ? 1 : 0;
        """
    )
    #expect(results == ["place": 10, "caption": 1, "before": 1])
  }

  @Test func `Home and End are left to what scrolls`() throws {
    let results = try results(
      of: """
        for (const key of ["Home", "End", "PageDown", "ArrowLeft", "ArrowRight", " "]) result[key] = press(key) ? 1 : 0;
        result.slider = press("End", part("seek")) ? 1 : 0;
        """
    )
    let expected: [String: Double] = [
      "Home": 0, "End": 0, "PageDown": 0, "ArrowLeft": 1, "ArrowRight": 1, " ": 1, "slider": 0,
    ]
    #expect(results == expected)
  }
}
