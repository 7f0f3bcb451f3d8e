@_spi(Drawing) import Spatial3DReports
import Spatial3D
import Stage

/// A drawing of a walk: the map, and below it the levels at each ear over the same moments.
struct WalkPlot {
  let scene: Scene
  let measurement: Measurement

  // All in pixels.
  static let width = 900.0
  static let margin = SVGDrawing.margin
  static let mapTop = 92.0
  static let mapSize = 520.0
  static let chartTop = mapTop + mapSize + 62
  static let chartHeight = 190.0
  static let bandsTop = chartTop + chartHeight + 52
  static let bandHeight = 40.0
  static let bandPitch = 56.0

  init(of measurement: Measurement, in scene: Scene) {
    self.measurement = measurement
    self.scene = scene
  }

  /// The lower edge of the bands, at the time axis.
  private var axisTop: Double { Self.bandsTop + 24 + Double(scene.placed.count) * Self.bandPitch }

  /// The time axis of the charts, in seconds from left to right.
  var time: LinearScale {
    LinearScale(0...scene.walk.seconds, from: Self.margin + 44, to: Self.width - Self.margin - 28)
  }

  /// The moments of a curve, close enough for a smooth line.
  var curveMoments: [Double] {
    let count = 480
    return (0...count).map { scene.walk.seconds * Double($0) / Double(count) }
  }

  /// The drawing as the text of an SVG file.
  var markup: String {
    let count = scene.placed.count
    let names = scene.placed.map(\.sound.name).joined(separator: ", ")
    var drawing = SVGDrawing.sheet(
      width: Self.width,
      height: axisTop + 62,
      title: count == 1 ? "A walk around one sound" : "A walk among \(count) sounds",
      note: subtitle,
      summary: "Map of a listener's walk among \(names), and the level of each ear over time."
    )
    drawing.draw(map, x: Self.margin, y: Self.mapTop)
    drawing.draw(legend, x: Self.margin + Self.mapSize + 32, y: Self.mapTop)
    drawing.draw(timeAxis)
    drawing.draw(levelChart)
    drawing.draw(bandsTitle)
    for index in scene.placed.indices { drawing.draw(band(of: index)) }
    return drawing.markup
  }

  private var subtitle: String {
    let metres = scene.walk.path.length.text(decimals: 0)
    let seconds = scene.walk.seconds.text(decimals: scene.walk.seconds == scene.walk.seconds.rounded() ? 0 : 1)
    let peak = Double(measurement.peak.rawValue).text(decimals: 1)
    return "\(metres) m in \(seconds) s, looking ahead · \(Measurement.format) · peak \(peak) dB"
  }

  /// Lines at the shared moments through all charts, and their times below.
  private var timeAxis: [SVGElement] {
    let ticks = scene.moments
    let stretches = [(Self.chartTop, Self.chartTop + Self.chartHeight), (Self.bandsTop + 24, axisTop)]
    let lines = ticks.values.flatMap { moment in
      stretches.map { SVGElement.line(SVGPoint(time(moment), $0), SVGPoint(time(moment), $1), "faint line") }
    }
    let labels = ticks.values.map { moment in
      SVGElement.text(clock(moment), at: SVGPoint(time(moment), axisTop + 18), "quiet middle")
    }
    let unit = SVGElement.text(
      scene.walk.seconds > 90 ? "minutes : seconds" : "seconds",
      at: SVGPoint((time(0) + time(scene.walk.seconds)) / 2, axisTop + 38),
      "quiet middle"
    )
    return lines + labels + [unit]
  }

  /// A moment in the notation of the time axis.
  func clock(_ moment: Double) -> String {
    moment.clockText(step: scene.moments.step, end: scene.walk.seconds)
  }
}
