@_spi(Drawing) import Spatial3DReports
import Foundation
import Spatial3D
import Spatial3DTesting

/// A drawing of the direct sound and the room's response behind obstacles, over the frequencies.
struct RemainderPlot {
  let remainder: Remainder

  // All in pixels.
  private static let width = 900.0
  private static let margin = SVGDrawing.margin
  private static let top = 148.0
  private static let height = 260.0
  private static let bottom = top + height
  private static let panelWidth = 368.0
  private static let gap = 64.0

  /// The curves: the index in ``Between/all``, the name and the style of each.
  private static let curves = [
    (0, "nothing", "quiet"), (2, "a column", "series1"), (5, "a wall", "series2"), (7, "both", "series3"),
  ]

  init(of remainder: Remainder) { self.remainder = remainder }

  /// The drawing as the text of an SVG file.
  var markup: String {
    var drawing = SVGDrawing.sheet(
      width: Self.width,
      height: Self.bottom + 68,
      title: "Behind a column, and behind a wall",
      note: "Column: obstruction −24 dB · wall: occlusion −24 dB · both at 5 kHz",
      summary: "How much of a sound's direct part and of the room's answer is left at each frequency."
    )
    for (index, curve) in Self.curves.enumerated() {
      drawing.draw(SVGElement.key(curve.1, curve.2, at: SVGPoint(Self.margin + Double(index) * 110, 98)))
    }
    let parts = [("Direct sound", remainder.direct), ("Room", remainder.room)]
    for (index, part) in parts.enumerated() {
      drawing.draw(panel(part.0, part.1, left: Self.margin + 36 + Double(index) * (Self.panelWidth + Self.gap)))
    }
    // In the room's panel, two and two curves coincide.
    let left = Self.margin + 36 + Self.panelWidth + Self.gap + 24
    drawing.draw(.text("nothing, and a column", at: SVGPoint(left, Self.level(0) - 8), "quiet"))
    let wall = remainder.change(of: remainder.room, at: Remainder.frequencies[0], behind: 5)
    drawing.draw(.text("a wall, and both", at: SVGPoint(left, Self.level(wall) + 20), "quiet"))
    return drawing.markup
  }

  private static let level = LinearScale(-80...10, from: bottom, to: top)

  private func panel(_ title: String, _ spectra: [Spectrum], left: Double) -> [SVGElement] {
    let right = left + Self.panelWidth
    let frequency = LinearScale(log2(80)...log2(20_000), from: left, to: right)
    var elements: [SVGElement] = [
      .heading(title, note: "dB against nothing in between", at: SVGPoint(left, Self.top - 14))
    ]
    elements += SVGElement.levels(stride(from: -80, through: 0, by: 20), on: Self.level, from: left, to: right)
    elements.append(.text("hertz", at: SVGPoint((left + right) / 2, Self.bottom + 40), "quiet middle"))
    for (hertz, text) in [(100.0, "100"), (500, "500"), (1_000, "1k"), (5_000, "5k"), (16_000, "16k")] {
      let x = frequency(log2(hertz))
      elements.append(.line(SVGPoint(x, Self.top), SVGPoint(x, Self.bottom), "faint line"))
      elements.append(.text(text, at: SVGPoint(x, Self.bottom + 20), "quiet middle"))
    }
    for curve in Self.curves {
      let points = Remainder.frequencies.map { hertz in
        SVGPoint(frequency(log2(hertz)), Self.level(remainder.change(of: spectra, at: hertz, behind: curve.0)))
      }
      elements.append(.path(SVGPath(through: points), "\(curve.2) line", width: 2.2))
    }
    return elements
  }
}
