import Foundation
import GameAudio
import Stage
import Testing

@testable import explore

@Suite struct WorldViewTests {
  private func screen(_ script: String, voices: Int = 6, _ glyphs: Glyphs = .unicode) throws -> Screen {
    let sounds = try ExampleSounds.all.map(MonoSound.init(opening:))
    let size = Screen.Size(columns: 80, rows: 24)
    let run = try ScriptedRun(of: sounds, by: KeyScript(script), frameCount: 1, size: size, glyphs, voices: voices)
    return try #require(run.frames.last).screen
  }

  /// The row of the screen that has some words.
  private func row(of words: String, on screen: Screen) throws -> String {
    try #require((0..<screen.size.rows).map { screen.text(ofRow: $0) }.first { $0.contains(words) }, "\(words)")
  }

  @Test func `The view has the voices, the buses with meters, and each sound with its level`() throws {
    let screen = try screen("v 1s")
    let text = screen.text
    #expect(text.contains("voices 3 of 6 real, 0 virtual"))
    for bus in ["main  ", "hall  ", "garden  "] { #expect(try row(of: bus, on: screen).contains("█")) }
    // The brook is in the hall.
    for (sound, end) in [("1 brook.wav   ", ", in zone hall"), ("2 bell.flac   ", ""), ("3 crickets.ogg   ", "")] {
      let row = try row(of: sound, on: screen)
      #expect(row.contains(/−\d+\.\d dB  has a voice/) && row.hasSuffix("has a voice\(end)"), "\(row)")
    }
    #expect(text.contains("V plan") && text.contains("Notifications") && !text.contains("▓"))
  }

  @Test func `The listing of the README is what the view shows, apart from levels`() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let path = folder.appendingPathComponent("../../Sources/explore/README.md").standardized
    let readme = try String(contentsOf: path, encoding: .utf8)
    let start = try #require(readme.range(of: "explore · 1.7 s"))
    let lines = readme[start.lowerBound...].prefix { $0 != "`" }.split(separator: "\n")
    let screen = try screen("up*4 right*2 v 1s", voices: 2).text.split(separator: "\n")
    // Versions of the library agree within 1 dB.
    func words(_ line: Substring) -> String {
      String(
        line.replacing(/[█·]+/, with: "").replacing(/−?\d+\.\d/, with: "0").reversed().drop { $0 == " " }.reversed()
      )
    }
    #expect(lines.count > 9 && lines.map(words) == screen.prefix(lines.count).map(words))
  }

  @Test func `A silent sound has its reason: it is paused, or others have the voices`() throws {
    #expect(try row(of: "1 brook.wav   ", on: screen("v 1 1s")).hasSuffix("paused by the emitter, in zone hall"))
    let few = try screen("v 1s", voices: 1)
    #expect(few.text.contains("voices 1 of 1 real, 2 virtual"))
    #expect(few.text.split(separator: "\n").count { $0.hasSuffix("dB more for a voice") } == 2)
  }

  @Test func `The view follows the world ten times a second, and the key shows the plan again`() throws {
    let sounds = try ExampleSounds.all.map(MonoSound.init(opening:))
    let exploration = try Exploration(of: sounds)
    exploration.perform(.toggleView)
    var drawn: Set<String> = []
    for _ in 0..<30 {
      exploration.advance(by: 1.0 / 30)
      let screen = exploration.screen(Dashboard.smallest, output: "", .unicode)
      drawn.insert((1...12).map { screen.text(ofRow: $0) }.joined())
    }
    #expect((9...11).contains(drawn.count), "\(drawn.count)")
    exploration.perform(.toggleView)
    #expect(exploration.screen(Dashboard.smallest, output: "", .unicode).text.contains("▓"))
  }

  @Test func `Without Unicode every character is ASCII, and the meters are there`() throws {
    let text = try screen("v 1s", .ascii).text
    #expect(text.allSatisfy { $0.isASCII })
    #expect(try row(of: "main ", on: screen("v 1s", .ascii)).contains("==="))
  }

  @Test func `A meter has the colours of its levels, and a sound that of its number`() throws {
    let screen = try screen("v 1s")
    let styles = Set((0..<80).map { screen[$0, 3].style })
    #expect(styles.isSuperset(of: [.low, .faint, .plain]))
    let brook = try #require((0..<24).first { screen.text(ofRow: $0).contains("1 brook.wav") })
    #expect(screen[8, brook].style == .series(0))
  }

  @Test func `Sounds of the hall are on its bus, and the hall alone has a reverb`() throws {
    let context = try OfflineRenderer(format: .stereo(sampleRate: 48_000)).context
    let sounds = try ExampleSounds.all.map(MonoSound.init(opening:))
    let world = World(.house, sounds: sounds.map { ($0.name, -20) })
    let soundscape = Soundscape(sounds, of: world, in: context)
    #expect(soundscape.emitters.map(\.bus.name) == ["hall", "garden", "garden"])
    let hall = try #require(soundscape.audio.zones.first)
    #expect(hall.weight(at: World.scenePosition(Plan.house.start)) == 1)
    #expect(hall.weight(at: World.scenePosition(Plan.house.places[1])) == 0)
    #expect(Plan(".@.1").bounds(of: .hall) == nil)
  }
}
