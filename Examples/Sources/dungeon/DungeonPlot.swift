import GameAudio
@_spi(Drawing) import Spatial3DReports

/// The drawing of a recording: the rooms with the walk, and the levels of the buses over time.
struct DungeonPlot {
  private let recording: Recording

  private static let (width, left, right) = (900.0, SVGDrawing.margin + 40, 868.0)
  private static let mapTop = 92.0
  private static let metre = (right - left) / Double(2 * Rooms.length)
  private static let mapHeight = Double(Rooms.width) * metre
  private static let top = mapTop + mapHeight + 96
  private static let height = 220.0
  private static let x = LinearScale(0...Double(Script.seconds), from: left, to: right)
  private static let y = LinearScale(-80...0, from: top + height, to: top)

  init(of recording: Recording) { self.recording = recording }

  /// The drawing as the text of an SVG file.
  var markup: String {
    var drawing = SVGDrawing.sheet(
      width: Self.width,
      height: Self.top + Self.height + 40,
      title: "Two rooms and a mixer",
      note: "\(Script.seconds) s of a game, rendered offline; the walk leads from the hall on the left to the cave",
      summary: "Map of two rooms with torches and a walk, and the levels of music, effects, speech and interface."
    )
    drawing.draw(map)
    drawing.draw(chart)
    return drawing.markup
  }

  // MARK: - The map

  /// The pixels of a position: the walk, towards -z, leads to the right.
  private func point(_ place: SIMD3<Float>) -> SVGPoint {
    SVGPoint(
      Self.left + Double(Rooms.length - place.z) * Self.metre,
      Self.mapTop + Double(place.x + Rooms.width / 2) * Self.metre
    )
  }

  private var map: [SVGElement] {
    var torches = SVGPath()
    for place in Rooms.torches {
      // A line without a length, which is a dot of its width.
      torches.move(to: point(place))
      torches.close()
    }
    let path = SVGPath(through: (0...280).map { point(Rooms.place(after: Double($0) / 10)) })
    let middle = point(.zero)
    let size = (width: Double(Rooms.length) * Self.metre, height: Self.mapHeight)
    return [
      .panel(at: SVGPoint(Self.left, Self.mapTop), width: 2 * size.width, height: size.height, "panel fill"),
      .line(SVGPoint(middle.x, Self.mapTop), SVGPoint(middle.x, middle.y - 18), "ink line"),
      .line(SVGPoint(middle.x, middle.y + 18), SVGPoint(middle.x, Self.mapTop + size.height), "ink line"),
      .path(torches, "accent line", width: 4, opacity: 0.7),
      .path(path, "ink line", width: 2),
      .circle(at: point(Rooms.place(after: 0)), radius: 5, "ink fill"),
      .text("hall", at: SVGPoint(Self.left + 12, middle.y + 4), "quiet"),
      .text("cave", at: SVGPoint(Self.right - 12, middle.y + 4), "quiet end"),
    ]
  }

  // MARK: - The chart

  private var chart: [SVGElement] {
    let spans = Script.speeches.map { ("speech", $0) } + [("menu", Script.menu)]
    let areas = spans.flatMap { name, seconds in
      let (start, end) = (Self.x(Double(seconds.lowerBound)), Self.x(Double(seconds.upperBound)))
      return [
        SVGElement.panel(at: SVGPoint(start, Self.top), width: end - start, height: Self.height, "panel fill"),
        .text(name, at: SVGPoint((start + end) / 2, Self.top + 16), "quiet small middle"),
      ]
    }
    let times = stride(from: 0, through: Script.seconds, by: 4).map { second in
      SVGElement.text(
        "\(second) s",
        at: SVGPoint(Self.x(Double(second)), Self.top + Self.height + 18),
        "quiet small middle"
      )
    }
    let curves = Recording.buses.indices.flatMap { index -> [SVGElement] in
      let key = SVGPoint(Self.left + 110 * Double(index), Self.top - 18)
      return SVGElement.key(Recording.buses[index], Theme.series(index), at: key) + [
        .path(curve { $0.levels[index] }, "\(Theme.series(index)) line", width: 2)
      ]
    }
    return areas + SVGElement.levels(stride(from: -80, through: 0, by: 20), on: Self.y, from: Self.left, to: Self.right)
      + [
        .heading(
          "Levels of the buses",
          note: "as predicted for the listener, in decibels re full scale, each half second",
          at: SVGPoint(Self.left - 40, Self.top - 44)
        )
      ] + times + curves
  }

  /// A level for each step, as a staircase.
  private func curve(_ level: (Recording.Step) -> Decibels) -> SVGPath {
    let length = 1 / Double(Recording.stepsPerSecond)
    return SVGPath(
      through: recording.steps.enumerated().flatMap { index, step in
        let height = Self.y(min(max(Double(level(step).rawValue), -80), 0))
        return [0, 1].map { SVGPoint(Self.x((Double(index) + $0) * length), height) }
      }
    )
  }
}
