import Foundation
import GameAudio
@_spi(Drawing) import Spatial3DReports

/// The drawing of a recording: the levels of the music and of the effects, and the things that hold them back.
struct CallPlot {
  private let recording: Recording

  private static let (width, top, height) = (900.0, 140.0, 240.0)
  private static let x = LinearScale(0...Double(Story.seconds), from: SVGDrawing.margin + 40, to: width - 40)
  private static let y = LinearScale(-80...(-10), from: top + height, to: top)

  init(of recording: Recording) { self.recording = recording }

  /// The drawing as the text of an SVG file.
  var markup: String {
    var drawing = SVGDrawing.sheet(
      width: Self.width,
      height: Self.top + Self.height + 64,
      title: "A game, a call and other interruptions",
      note: "Levels of each half second in the mix, in decibels re full scale; silence lies at the bottom",
      summary: "Two curves of levels: a call and a locked screen silence both, two other things only the music."
    )
    for span in Story.spans { drawing.draw(area(of: span)) }
    let (left, right) = (Self.x(0), Self.x(Double(Story.seconds)))
    drawing.draw(SVGElement.levels(stride(from: -80, through: -20, by: 20), on: Self.y, from: left, to: right))
    for second in stride(from: 0, through: Story.seconds, by: 5) {
      drawing.draw(.text("\(second) s", at: SVGPoint(Self.x(Double(second)), Self.y(-80) + 20), "quiet small middle"))
    }
    for happening in Story.happenings {
      let x = Self.x(Double(happening.second))
      let line = SVGPath(through: [SVGPoint(x, Self.top), SVGPoint(x, Self.y(-80))])
      drawing.draw(.path(line, "quiet line", opacity: 0.4))
    }
    drawing.draw(.path(curve(recording.effects), "series2 line", width: 2))
    drawing.draw(.path(curve(recording.music), "series1 line", width: 2))
    drawing.draw(SVGElement.key("music", "series1", at: SVGPoint(left, Self.top - 32)))
    drawing.draw(SVGElement.key("effects", "series2", at: SVGPoint(left + 90, Self.top - 32)))
    return drawing.markup
  }

  private func area(of span: (name: String, seconds: Range<Int>)) -> [SVGElement] {
    let (start, end) = (Self.x(Double(span.seconds.lowerBound)), Self.x(Double(span.seconds.upperBound)))
    return [
      .panel(at: SVGPoint(start, Self.top), width: end - start, height: Self.height, "panel fill"),
      .text(span.name, at: SVGPoint((start + end) / 2, Self.top - 8), "quiet small middle"),
    ]
  }

  /// A level for each step, as a staircase.
  private func curve(_ levels: [Decibels]) -> SVGPath {
    SVGPath(
      through: levels.enumerated().flatMap { index, level in
        let height = Self.y(min(max(Double(level.rawValue), -80), -10))
        return [0, 1].map { SVGPoint(Self.x((Double(index) + $0) * Recording.step), height) }
      }
    )
  }
}
