/// A page as a still drawing: the map with the path of the listener, and below it the level of each ear.
struct PageDrawing {
  let page: ListeningPage

  // All in pixels.
  private static let width = 900.0
  private static let margin = SVGDrawing.margin
  private static let mapTop = 92.0
  static let mapWidth = 560.0
  static let mapHeight = 448.0
  private static let chartTop = mapTop + mapHeight + 66
  private static let chartHeight = 190.0
  private static let axisTop = chartTop + chartHeight

  /// The moments that the path and the chart name: about ten, on round seconds.
  var ticks: Ticks { Ticks(inSeconds: 0...max(page.seconds, 0.001), about: 10) }

  /// A moment in the notation of the time axis.
  func clock(_ moment: Double) -> String { moment.clockText(step: ticks.step, end: page.seconds) }

  var drawing: SVGDrawing {
    let names = page.sources.map(\.name).joined(separator: ", ")
    var drawing = SVGDrawing.sheet(
      width: Self.width,
      height: Self.axisTop + 60,
      title: page.title,
      note: page.summary,
      summary: "Map of a listener's path and of \(names.isEmpty ? "no sounds" : names), and the level of each ear."
    )
    drawing.draw(map, x: Self.margin, y: Self.mapTop)
    drawing.draw(legend, x: Self.margin + Self.mapWidth + 28, y: Self.mapTop)
    drawing.draw(timeAxis)
    drawing.draw(levelChart)
    return drawing
  }

  // MARK: - Levels

  private var time: LinearScale {
    LinearScale(0...max(page.seconds, 0.001), from: Self.margin + 40, to: Self.width - Self.margin)
  }

  private var timeAxis: [SVGElement] {
    let marks = ticks.values.flatMap { moment in
      [
        SVGElement.line(SVGPoint(time(moment), Self.chartTop), SVGPoint(time(moment), Self.axisTop), "faint line"),
        .text(clock(moment), at: SVGPoint(time(moment), Self.axisTop + 18), "quiet middle"),
      ]
    }
    let unit = page.seconds > 90 ? "minutes : seconds" : "seconds"
    return marks + [.text(unit, at: SVGPoint(time(page.seconds / 2), Self.axisTop + 38), "quiet middle")]
  }

  private var levelChart: [SVGElement] {
    let level = LinearScale(page.ears.scale, from: Self.axisTop, to: Self.chartTop)
    let right = time(page.seconds)
    let grid = SVGElement.levels(
      Ticks(in: page.ears.scale, about: 5).values,
      on: level,
      from: time(0),
      to: right
    )
    let ears = [("left ear", "ink", page.ears.left), ("right ear", "accent", page.ears.right)]
    let curves = ears.enumerated().flatMap { index, ear in
      let key = SVGPoint(right - 178 + Double(index) * 96, Self.chartTop - 24)
      return [SVGElement.path(curve(of: ear.2, on: level), "\(ear.1) line", width: 1.8)]
        + SVGElement.key(ear.0, ear.1, text: ear.1, at: key)
    }
    let title = SVGPoint(Self.margin, Self.chartTop - 20)
    return [.heading("Level at each ear", note: "dB re full scale", at: title)] + grid + curves
  }

  /// The curve of a level; silence has no line, so that none runs along the bottom.
  private func curve(of levels: ListeningPage.Track, on scale: LinearScale) -> SVGPath {
    var path = SVGPath()
    var isDrawn = false
    for (index, moment) in page.moments.enumerated() {
      let point = SVGPoint(time(moment), scale(levels[index]))
      if isDrawn { path.line(to: point) } else { path.move(to: point) }
      isDrawn = levels[index] > page.ears.scale.lowerBound
    }
    return path
  }
}

extension ListeningPage {
  /// The page as a still drawing: a map of the scene with the listener's path, and the level of each ear over time.
  ///
  /// The map shows a sound or a thing at the position where it is first visible.
  public var drawing: SVGDrawing { PageDrawing(page: self).drawing }
}

extension ListeningPage.Track {
  /// The value at an index of ``ListeningPage/moments``.
  subscript(index: Int) -> Double { values[min(index, values.count - 1)] }

  /// The first index with the largest value.
  var indexOfLargest: Int {
    values.indices.max { (values[$0], -$0) < (values[$1], -$1) } ?? 0
  }
}
