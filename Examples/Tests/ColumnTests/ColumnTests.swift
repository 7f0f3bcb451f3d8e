import Foundation
import FoundationXML
import Spatial3D
import Testing

@testable import column

@Suite struct ColumnTests {
  /// Measured once for all tests.
  private static let remainder = Result { try Remainder() }

  @Test func `A column takes highs from the direct sound, and nothing from the room`() throws {
    let remainder = try Self.remainder.get()
    for index in 1...3 {
      let asked = Double(Between.all[index].muffling.rawValue)
      #expect(abs(remainder.change(of: remainder.direct, at: 5_000, behind: index) - asked) < 0.5)
      #expect(remainder.change(of: remainder.direct, at: 500, behind: index) > asked / 4)
      for hertz in Remainder.frequencies {
        #expect(abs(remainder.change(of: remainder.room, at: hertz, behind: index)) < 0.1)
      }
    }
  }

  @Test func `A wall takes as much from the room as from the direct sound`() throws {
    let remainder = try Self.remainder.get()
    for index in 4...6 {
      let asked = Double(Between.all[index].muffling.rawValue)
      for spectra in [remainder.direct, remainder.room] {
        #expect(abs(remainder.change(of: spectra, at: 5_000, behind: index) - asked) < 0.5)
        #expect(abs(remainder.change(of: spectra, at: 500, behind: index) - asked / 4) < 2)
      }
    }
  }

  @Test func `Behind both, the direct sound loses both and the room only the wall's part`() throws {
    let remainder = try Self.remainder.get()
    #expect(abs(remainder.change(of: remainder.direct, at: 5_000, behind: 7) + 48) < 0.5)
    #expect(abs(remainder.change(of: remainder.room, at: 5_000, behind: 7) + 24) < 0.5)
  }

  @Test func `The drawing is XML with a curve of each kind in each part`() throws {
    let markup = RemainderPlot(of: try Self.remainder.get()).markup
    #expect(XMLParser(data: Data(markup.utf8)).parse())
    #expect(!markup.contains("nan") && !markup.contains("inf"))
    for style in ["series1", "series2", "series3"] {
      #expect(markup.components(separatedBy: "\(style) line").count == 4)
    }
  }
}
