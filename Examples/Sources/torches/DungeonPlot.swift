import Foundation
import GameAudio
@_spi(Drawing) import Spatial3DReports
import Stage

/// A drawing of the dungeon from above, and of the voices and the cost below it.
struct DungeonPlot {
  let measurement: Measurement

  // All in pixels.
  private static let width = 900.0
  private static let margin = SVGDrawing.margin
  private static let mapTop = 92.0
  private static let mapSize = 600.0
  private static let chartHeight = 120.0
  private static let chartPitch = 188.0
  private static let chartsTop = mapTop + mapSize + 62

  init(of measurement: Measurement) { self.measurement = measurement }

  private static var build: String {
    #if DEBUG
      "in a debug build, which is several times as slow as a release"
    #else
      "on the machine that drew this"
    #endif
  }

  /// The drawing as the text of an SVG file.
  var markup: String {
    let count = Dungeon.places.count
    var drawing = SVGDrawing.sheet(
      width: Self.width,
      height: Self.chartsTop + 3 * Self.chartPitch - 20,
      title: "A walk among \(count) torches",
      note:
        "\(Dungeon.seconds) s through a dungeon of \(Int(Dungeon.length)) m by \(Int(Dungeon.length)) m, rendered offline",
      summary:
        "Map of a dungeon with the torches that have a voice, and the number of voices, their changes and the cost."
    )
    drawing.draw(map, x: Self.margin, y: Self.mapTop)
    drawing.draw(legend, x: Self.margin + Self.mapSize + 32, y: Self.mapTop)
    let charts: [(title: String, note: String, value: (Measurement.Second) -> Double)] = [
      ("Torches with a voice", "at the end of each second", { Double($0.voices.real) }),
      ("Voices that changed hands", "in each second", { Double($0.changes) }),
      ("Cost", "in thousandths of real time, \(Self.build)", { $0.cost * 1_000 }),
    ]
    for (index, chart) in charts.enumerated() {
      drawing.draw(bars(chart.title, chart.note, at: Self.chartsTop + Double(index) * Self.chartPitch, chart.value))
    }
    return drawing.markup
  }

  // MARK: - The map

  /// The point, in pixels, of a position in the dungeon: north, which is -z, is up.
  private func point(_ place: SIMD3<Float>) -> SVGPoint {
    let metre = Self.mapSize / Double(Dungeon.length)
    return SVGPoint(
      Self.mapSize / 2 + Double(place.x) * metre,
      Self.mapSize / 2 + Double(place.z) * metre
    )
  }

  private var map: [SVGElement] {
    var (real, virtual) = (SVGPath(), SVGPath())
    for (place, hasVoice) in zip(Dungeon.places, measurement.hasVoice) {
      if hasVoice { mark(place, in: &real) } else { mark(place, in: &virtual) }
    }
    let path = stride(from: 0, through: Double(Dungeon.seconds), by: 0.1).map {
      point(Dungeon.listener(at: $0).position)
    }
    let listener = measurement.seconds[Dungeon.seconds / 2].place
    return [
      .panel(at: SVGPoint(0, 0), width: Self.mapSize, height: Self.mapSize, "panel fill"),
      .path(virtual, "quiet line", width: 2, opacity: 0.45),
      .path(SVGPath(through: path), "ink line", width: 1.5, opacity: 0.5),
      .path(real, "accent line", width: 5),
      .circle(at: point(listener), radius: 7, "ink fill"),
    ]
  }

  /// A line without a length, which is a dot of its width.
  private func mark(_ place: SIMD3<Float>, in path: inout SVGPath) {
    let point = point(place)
    // Whole halves of a pixel keep the file small.
    path.move(to: SVGPoint((point.x * 2).rounded() / 2, (point.y * 2).rounded() / 2))
    path.close()
  }

  private var legend: [SVGElement] {
    let second = measurement.seconds[Dungeon.seconds / 2]
    return [
      .heading("After \(Dungeon.seconds / 2 + 1) s", at: SVGPoint(0, 14)),
      .circle(at: SVGPoint(7, 40), radius: 2.5, "accent fill"),
      .text("\(second.voices.real) torches with a voice", at: SVGPoint(22, 44), "ink"),
      .circle(at: SVGPoint(7, 66), radius: 1.5, "quiet fill"),
      .text("\(second.voices.virtual) without one", at: SVGPoint(22, 70), "ink"),
      .circle(at: SVGPoint(7, 92), radius: 7, "ink fill"),
      .text("the listener", at: SVGPoint(22, 96), "ink"),
    ] + SVGElement.key("the walk", "ink", at: SVGPoint(0, 122))
  }

  // MARK: - The charts

  private func bars(
    _ title: String,
    _ note: String,
    at top: Double,
    _ value: (Measurement.Second) -> Double
  ) -> [SVGElement] {
    let values = measurement.seconds.map(value)
    let ticks = Ticks(in: 0...max(values.max() ?? 1, 0.01), about: 3)
    let highest = (ticks.values.last ?? 1) + ticks.step
    let (left, right) = (Self.margin + 44, Self.width - Self.margin - 28)
    let x = LinearScale(0...Double(values.count), from: left, to: right)
    let y = LinearScale(0...highest, from: top + Self.chartHeight, to: top)
    let bars = values.enumerated().map { index, value in
      let (start, end) = (x(Double(index)) + 2, x(Double(index + 1)) - 2)
      let height = min(y(value), y(0) - 0.5)
      var bar = SVGPath(
        through: [SVGPoint(start, y(0)), SVGPoint(start, height), SVGPoint(end, height), SVGPoint(end, y(0))]
      )
      bar.close()
      return SVGElement.path(bar, "series1 fill")
    }
    let times = stride(from: 0, through: values.count, by: 6).map { second in
      SVGElement.text("\(second) s", at: SVGPoint(x(Double(second)), y(0) + 18), "quiet small middle")
    }
    return [.heading(title, note: note, at: SVGPoint(Self.margin, top - 20))]
      + SVGElement.levels(ticks.values, on: y, from: left, to: right) + bars + times
  }
}
