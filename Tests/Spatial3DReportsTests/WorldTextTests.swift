import Foundation
import GameAudio
import Testing

@testable import Spatial3DReports

/// The text about a world.
@Suite struct WorldTextTests {
  @Test func `A text has its snapshot, and lists of no negative length`() throws {
    let snapshot = try WorldPageTests.recording().snapshots[4]
    let text = WorldText(snapshot, listing: 2)
    #expect(text.snapshot == snapshot && text.count == 2)
    #expect(WorldText(snapshot).count == 5 && WorldText(snapshot, listing: -3).count == 0)
  }

  @Test func `A bus without a level is silent`() throws {
    var snapshot = try WorldPageTests.recording().snapshots[4]
    for (level, meter) in [(-Float.infinity, "····"), (.nan, "····"), (.infinity, "████")] {
      snapshot.buses[0].level = Decibels(level)
      #expect(WorldText(snapshot).description.contains("\nmain            \(meter)"))
    }
  }

  @Test func `Each bus stands below the one that contains it, also where names lead in a circle`() throws {
    var snapshot = try WorldPageTests.recording().snapshots[4]
    let bus = snapshot.buses[1]
    snapshot.buses = [
      ("main", nil), ("music", "main"), ("voices", "main"), ("drums", "music"), ("lost", "gone"), ("a", "b"),
      ("b", "a"),
    ].map { (name: String, parent: String?) in
      var copy = bus
      (copy.name, copy.parent) = (name, parent)
      return copy
    }
    let tree = snapshot.buses.tree.map { "\($0.depth) \($0.bus.name)" }
    #expect(tree == ["0 main", "1 music", "2 drums", "1 voices", "0 lost", "0 a", "1 b"])
    #expect(WorldText(snapshot).description.contains("\n    drums       █"))
  }

  @Test func `A level that is silence has one word`() throws {
    var snapshot = try WorldPageTests.house().snapshots[4]
    (snapshot.buses[0].level, snapshot.emitters[0].level, snapshot.zones[0].level) = (.silence, .silence, .silence)
    let text = WorldText(snapshot).description
    #expect(text.components(separatedBy: "silence").count == 4 && !text.contains("∞"), "\(text)")
  }

  private static func text(_ name: String) throws -> String {
    var snapshot = try #require(try WorldPageNameTests.recording(named: name).snapshots.last)
    snapshot.emitters[0].sound = name
    return WorldText(snapshot).description
  }

  @Test func `A name cannot control the terminal`() throws {
    let text = try Self.text("a\u{1B}[2J\n\u{85}\u{2028}b")
    #expect(text.split(separator: "\n").count == (try Self.text("plain").split(separator: "\n").count), "\(text)")
    for scalar in text.unicodeScalars where scalar != "\n" { #expect(scalar.properties.generalCategory != .control) }
    #expect(text.components(separatedBy: "a\u{FFFD}[2J\u{FFFD}\u{FFFD}\u{FFFD}b").count == 7, "\(text)")
  }
}
