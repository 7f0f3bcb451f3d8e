@_spi(Drawing) import Spatial3DReports

/// A chart: two scales, and the lines and numbers of their marks.
struct Chart {
  let x: LinearScale
  let y: LinearScale
  private let left: Double
  private let right: Double
  private let top: Double
  private let bottom: Double

  /// A chart between two heights of a picture, with room for numbers on its left and below it.
  init(x: ClosedRange<Double>, y: ClosedRange<Double>, top: Double, bottom: Double, left: Double = 62) {
    (self.left, self.right, self.top, self.bottom) = (left, Picture.width - 28, top, bottom)
    self.x = LinearScale(x, from: left, to: right)
    self.y = LinearScale(y, from: bottom, to: top)
  }

  /// Vertical lines, each with its text below the chart.
  func columns(_ marks: [(value: Double, text: String)]) -> [SVGElement] {
    marks.flatMap { mark in
      [
        .line(SVGPoint(x(mark.value), top), SVGPoint(x(mark.value), bottom), "faint line"),
        .text(mark.text, at: SVGPoint(x(mark.value), bottom + 20), "quiet small middle"),
      ]
    }
  }

  /// Horizontal lines, each with its text on the left of the chart.
  func rows(_ marks: [(value: Double, text: String)]) -> [SVGElement] {
    marks.flatMap { mark in
      [
        .line(SVGPoint(left, y(mark.value)), SVGPoint(right, y(mark.value)), "faint line"),
        .text(mark.text, at: SVGPoint(left - 8, y(mark.value) + 4.5), "quiet small end"),
      ]
    }
  }

  /// A line through measured points.
  func curve(_ points: [(x: Double, y: Double)], _ style: String) -> SVGElement {
    .path(SVGPath(through: points.map { SVGPoint(x($0.x), y($0.y)) }), "\(style) line", width: 2.5)
  }

  /// A text at a point of the chart, moved by some pixels.
  func label(_ text: String, x: Double, y: Double, dx: Double = 0, dy: Double = 0, _ style: String) -> SVGElement {
    .text(text, at: SVGPoint(self.x(x) + dx, self.y(y) + dy), "\(style) halo")
  }
}
