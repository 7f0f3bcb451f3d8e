import Foundation
import GameAudio
import Testing

@testable import Spatial3DReports

/// The text about a world.
@Suite struct WorldTextTests {
  @Test func `A bus without a level is silent`() throws {
    var snapshot = try WorldPageTests.recording().snapshots[4]
    for (level, meter) in [(-Float.infinity, "····"), (.nan, "····"), (.infinity, "████")] {
      snapshot.buses[0].level = Decibels(level)
      #expect(WorldText(snapshot).description.contains("\nmain            \(meter)"))
    }
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
