@_spi(Drawing) import Spatial3DReports
import Foundation

/// A drawing of the effect of occlusion and obstruction on each frequency, side by side.
struct MufflingPlot {
  let responses: [MufflingResponse]

  private static let panelWidth = 430.0
  private static let margin = SVGDrawing.margin
  private static let top = 128.0
  private static let height = 360.0

  var markup: String {
    let width = Self.margin + Double(responses.count) * (Self.panelWidth + Self.margin)
    var drawing = SVGDrawing.sheet(
      width: width,
      height: Self.top + Self.height + 62,
      title: "Occlusion and obstruction",
      note: "What is left of each frequency, measured, for −3 to −100 dB asked for at 5 kHz",
      summary: "For levels from -3 to -100 dB, how much of each frequency from 20 to 20,000 Hz is left."
    )
    for (index, response) in responses.enumerated() {
      drawing.draw(panel(response), x: Self.margin + Double(index) * (Self.panelWidth + Self.margin))
    }
    return drawing.markup
  }

  private func panel(_ response: MufflingResponse) -> [SVGElement] {
    let level = LinearScale(-120...0, from: Self.top + Self.height, to: Self.top)
    let octave = LinearScale(log10(20.0)...log10(20_000), from: 40, to: Self.panelWidth - 34)
    let (left, right) = (octave(0), octave(9))
    var elements: [SVGElement] = [
      .heading(response.title, note: "\(response.note), dB", at: SVGPoint(left, Self.top - 18))
    ]
    elements += SVGElement.levels(stride(from: -120, through: 0, by: 20), on: level, from: left, to: right)
    for (frequency, name) in [(50.0, "50"), (200, "200"), (1_000, "1k"), (5_000, "5k"), (20_000, "20k")] {
      let x = octave(log10(frequency))
      elements += [
        .line(SVGPoint(x, Self.top), SVGPoint(x, Self.top + Self.height), "faint line"),
        .text(name, at: SVGPoint(x, Self.top + Self.height + 18), "quiet middle"),
      ]
    }
    elements.append(.text("Hz", at: SVGPoint((left + right) / 2, Self.top + Self.height + 38), "quiet middle"))
    for (asked, curve) in zip(response.asked, response.curves) {
      let points = zip(MufflingResponse.frequencies, curve).filter { $0.1 > -120 }
        .map { SVGPoint(octave(log10($0)), level($1)) }
      elements.append(.path(SVGPath(through: points), "series1 line", width: 1.6, opacity: 0.85))
      let mark = SVGPoint(octave(log10(5_000.0)), level(asked))
      elements.append(.circle(at: mark, radius: 2.6, "accent fill"))
    }
    return elements
  }
}
