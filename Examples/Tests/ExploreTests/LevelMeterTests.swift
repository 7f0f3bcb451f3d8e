import Stage
import Testing

@testable import explore

@Suite struct LevelMeterTests {
  private func meter(_ level: Double) -> LevelMeter {
    var meter = LevelMeter()
    meter.show(level, after: 0)
    return meter
  }

  @Test(arguments: [
    (-Double.infinity, 0, 0.0), (-61, 0, 0), (-60, 0, 0), (-57, 1, 0), (-58.5, 0, 0.5), (-30, 10, 0), (-28.5, 10, 0.5),
    (0, 20, 0), (6, 20, 0), (.infinity, 20, 0), (.nan, 0, 0),
  ])
  func `A level fills its share of twenty cells`(level: Double, cells: Int, part: Double) {
    let filled = meter(level).filled(width: 20)
    #expect(filled.cells == cells)
    #expect(abs(filled.part - part) < 1e-9)
  }

  @Test func `A bar is as wide as it is asked for, in every width and both sets of characters`() {
    for width in -1...90 {
      for level in stride(from: -66.0, through: 6, by: 0.75) {
        for glyphs in [Glyphs.unicode, .ascii] {
          let bar = meter(level).bar(width: width, glyphs)
          #expect(bar.count == max(width, 0))
          let filled = bar.prefix { $0.character != glyphs.track }
          #expect(bar.dropFirst(filled.count).allSatisfy { $0.character == glyphs.track })
        }
      }
    }
  }

  @Test func `A bar in Unicode has steps of an eighth of a cell`() {
    func text(_ level: Double) -> String { String(meter(level).bar(width: 4, .unicode).map(\.character)) }
    #expect(text(-60) == "····")
    #expect(text(-58) == "▏···")
    #expect(text(-45) == "█···")
    #expect(text(-30 + 15.0 / 8) == "██▏·")
    #expect(text(0) == "████")
    #expect(String(meter(-37).bar(width: 4, .ascii).map(\.character)) == "=...")
  }

  @Test func `A bar is green, yellow from -18 dB on, and red from -6 dB on`() {
    let styles = meter(0).bar(width: 60, .unicode).map(\.style)
    #expect(styles.prefix(42).allSatisfy { $0 == .low })
    #expect(styles[42..<54].allSatisfy { $0 == .middle })
    #expect(styles[54...].allSatisfy { $0 == .high })
  }

  @Test func `A meter rises at once and falls by 30 dB a second`() {
    var meter = meter(-12)
    meter.show(-.infinity, after: 0.1)
    #expect(abs(meter.level + 15) < 1e-9)
    meter.show(-14, after: 0.1)
    #expect(meter.level == -14)
    meter.show(-3, after: 0)
    #expect(meter.level == -3)
    meter.show(-40, after: -1)
    #expect(meter.level == -3)
    for _ in 0..<20 { meter.show(.nan, after: 0.1) }
    #expect(meter.level == -.infinity)
  }

  @Test(arguments: [(-32.4, " −32 dB"), (-0.2, "   0 dB"), (3, "   3 dB"), (-59.6, " −60 dB"), (-90, " silent")])
  func `A level is a text of seven characters`(level: Double, text: String) {
    #expect(meter(level).text(.unicode) == text)
    #expect(meter(level).text(.ascii) == text.replacing("−", with: "-"))
  }
}
