@_spi(Drawing) import Spatial3DReports
import Testing

@Suite struct ThemeTests {
  @Test func `Each series has a class, and the classes repeat`() {
    #expect((0..<8).map { Theme.series($0) } == (1...8).map { "series\($0)" })
    #expect([8, -1, 18].map { Theme.series($0) } == ["series1", "series8", "series3"])
  }

  @Test(arguments: [(Theme.Appearance.light, "#1c2126", "#eef1f4"), (.dark, "#eef1f4", "#1c2126")])
  func `A style sheet of one appearance has one colour for each class`(
    appearance: Theme.Appearance,
    ink: String,
    other: String
  ) {
    let sheet = Theme.styleSheet(appearance)
    #expect(sheet.contains(".ink { color: \(ink); }") && !sheet.contains(".ink { color: \(other); }"))
    #expect(!sheet.contains("@media"))
    for index in 0..<8 {
      #expect(sheet.split(separator: "\n").count { $0.hasPrefix(".\(Theme.series(index)) {") } == 1, "\(index)")
    }
  }

  @Test func `A style sheet without an appearance has the dark colours for a dark system`() {
    let parts = Theme.styleSheet.split(separator: "@media (prefers-color-scheme: dark)")
    #expect(parts.count == 2)
    for (part, appearance) in zip(parts, [Theme.Appearance.light, .dark]) {
      let rules = Theme.styleSheet(appearance).split(separator: "\n").filter { $0.contains("{ color: ") }
      #expect(rules.count == 6 + 8)
      for rule in rules { #expect(part.contains(rule), "\(rule)") }
    }
  }

  @Test func `A sheet has paper, a title and a note, and the colours of the theme`() {
    let drawing = SVGDrawing.sheet(width: 300, height: 200, title: "Rooms", note: "in metres", summary: "Two rooms")
    #expect(SVGDrawing.margin == 32)
    #expect(
      drawing.markup.contains(
        """
          <rect class="paper fill" width="100%" height="100%"/>
          <text class="ink title" x="32" y="46">Rooms</text>
          <text class="quiet" x="32" y="69">in metres</text>

        """
      )
    )
    #expect(drawing.markup.contains(".ink { color: #1c2126; }") && drawing.markup.contains(">Two rooms</desc>"))
  }

  @Test func `A layer is a group that is moved`() {
    var drawing = SVGDrawing(width: 10, height: 10, title: "Map", summary: "A path", style: "")
    drawing.draw([SVGElement("path")], x: 3, y: -1.5)
    #expect(drawing.markup.contains("  <g transform=\"translate(3 -1.5)\">\n    <path/>\n  </g>\n"))
  }
}
