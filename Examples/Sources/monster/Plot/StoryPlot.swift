@_spi(Drawing) import Spatial3DReports
import Foundation
import Spatial3D

/// A drawing of the story over time: captions, the levels of direct sound and room, and the attenuation of high
/// frequencies.
struct StoryPlot {
  let levels: Levels

  // All in pixels.
  private static let width = 1060.0
  private static let margin = SVGDrawing.margin
  private static let captionTop = 92.0
  private static let captionHeight = 58.0
  private static let levelTop = captionTop + captionHeight + 44
  private static let levelHeight = 180.0
  private static let highTop = levelTop + levelHeight + 56
  private static let highHeight = 180.0
  private static let muffleTop = highTop + highHeight + 56
  private static let muffleHeight = 110.0
  private static let bottom = muffleTop + muffleHeight

  private static let charts: [(top: Double, bottom: Double)] = [
    (levelTop, levelTop + levelHeight), (highTop, highTop + highHeight), (muffleTop, bottom),
  ]

  init(of levels: Levels) { self.levels = levels }

  private var time: LinearScale {
    LinearScale(0...Story.seconds, from: Self.margin + 40, to: Self.width - Self.margin)
  }

  /// The drawing as the text of an SVG file.
  var markup: String {
    var drawing = SVGDrawing.sheet(
      width: Self.width,
      height: Self.bottom + 56,
      title: "A monster, heard from nearer and farther away",
      note: "Rendered offline, \(Levels.format)",
      summary: "Levels of a monster's direct sound and of the room around it over thirty seconds and six chapters."
    )
    for index in Story.chapters.indices { drawing.draw(caption(index)) }
    drawing.draw(timeAxis)
    drawing.draw(levelChart)
    drawing.draw(highChart)
    drawing.draw(muffleChart)
    return drawing.markup
  }

  private func caption(_ index: Int) -> [SVGElement] {
    let chapter = Story.chapters[index]
    let (left, right) = (time(chapter.start), time(Story.end(ofChapter: index)))
    let middle = (left + right) / 2
    let room = chapter.room.map { "room of \(($0.room.decayTime / .seconds(1)).text(decimals: 1)) s" } ?? "no room"
    let lines = Self.lines(of: chapter.caption)
    let first = Self.captionTop + (lines.count > 1 ? 18 : 26)
    let corner = SVGPoint(left + 2, Self.captionTop)
    let panel = SVGElement.panel(at: corner, width: right - left - 4, height: Self.captionHeight, "panel fill")
    let marks = Self.charts.map { chart in
      SVGElement.line(SVGPoint(left, chart.top), SVGPoint(left, chart.bottom), "faint line")
    }
    let words = lines.enumerated().map { line, text in
      SVGElement.text(text, at: SVGPoint(middle, first + 15 * Double(line)), "ink middle")
    }
    let note = SVGElement.text(room, at: SVGPoint(middle, Self.captionTop + 51), "quiet small middle")
    return [panel] + marks + words + [note]
  }

  /// A text in two lines of nearly equal length.
  private static func lines(of text: String) -> [String] {
    let words = text.split(separator: " ").map(String.init)
    guard words.count > 3 else { return [text] }
    let breaks = (1..<words.count).map { [words.prefix($0), words.dropFirst($0)].map { $0.joined(separator: " ") } }
    return breaks.min { abs($0[0].count - $0[1].count) < abs($1[0].count - $1[1].count) } ?? [text]
  }

  private var timeAxis: [SVGElement] {
    let labels = Ticks(in: 0...Story.seconds, about: 6).values.map { moment in
      SVGElement.text(moment.text(decimals: 0), at: SVGPoint(time(moment), Self.bottom + 18), "quiet middle")
    }
    return labels + [.text("seconds", at: SVGPoint(time(Story.seconds / 2), Self.bottom + 38), "quiet middle")]
  }

  private var levelChart: [SVGElement] {
    let values = Self.moments.map { levels.levels(from: $0 - 0.1, to: $0 + 0.1) }
    return chart("Levels", "dB re full scale", values, top: Self.levelTop, height: Self.levelHeight)
  }

  /// The levels of the high frequencies, which a door and a pillar attenuate.
  private var highChart: [SVGElement] {
    let values = Self.moments.map { levels.highLevels(from: $0 - 0.1, to: $0 + 0.1) }
    return chart("Above 2 kHz", "dB re full scale", values, top: Self.highTop, height: Self.highHeight)
  }

  private static let moments = stride(from: 0, to: Story.seconds, by: 0.05).map { $0 }

  private func chart(
    _ title: String,
    _ note: String,
    _ values: [(dry: Double, wet: Double)],
    top: Double,
    height: Double
  ) -> [SVGElement] {
    let scale = LinearScale(-90...(-10), from: top + height, to: top)
    let curves = [("direct sound", "ink", values.map(\.dry)), ("room", "accent", values.map(\.wet))]
    return grid(title, note, stride(from: -90, through: -10, by: 20), scale, top)
      + curves.enumerated().flatMap { index, curve in
        // Values below the chart are left out, so that no line runs along its bottom.
        var path = SVGPath()
        var isDrawn = false
        for (moment, level) in zip(Self.moments, curve.2) {
          let point = SVGPoint(time(moment), scale(level))
          if isDrawn { path.line(to: point) } else { path.move(to: point) }
          isDrawn = level > -90
        }
        return [SVGElement.path(path, "\(curve.1) line", width: 1.8)] + key(curve.0, curve.1, index, top)
      }
  }

  private var muffleChart: [SVGElement] {
    let scale = LinearScale(-60...0, from: Self.bottom, to: Self.muffleTop)
    let moments = stride(from: 0, through: Story.seconds, by: 0.02).map { $0 }
    let curves = [
      ("occlusion", "series1", moments.map { Double(Story.occlusion(at: $0).rawValue) }),
      ("obstruction", "series2", moments.map { Double(Story.obstruction(at: $0).rawValue) }),
    ]
    return grid("Muffling", "dB at 5 kHz", stride(from: -60, through: 0, by: 20), scale, Self.muffleTop)
      + curves.enumerated().flatMap { index, curve in
        let points = zip(moments, curve.2).map { SVGPoint(time($0), scale($1)) }
        return [SVGElement.path(SVGPath(through: points), "\(curve.1) line", width: 2.2)]
          + key(curve.0, curve.1, index, Self.muffleTop)
      }
  }

  private func grid(
    _ title: String,
    _ note: String,
    _ values: StrideThrough<Double>,
    _ scale: LinearScale,
    _ top: Double
  ) -> [SVGElement] {
    [.heading(title, note: note, at: SVGPoint(Self.margin, top - 18))]
      + SVGElement.levels(values, on: scale, from: time(0), to: time(Story.seconds))
  }

  private func key(_ name: String, _ style: String, _ index: Int, _ top: Double) -> [SVGElement] {
    let start = SVGPoint(Self.width - Self.margin - 220 + Double(index) * 120, top - 22)
    return SVGElement.key(name, style, text: style, at: start)
  }
}
