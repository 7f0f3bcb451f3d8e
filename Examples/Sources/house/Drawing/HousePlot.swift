import GameAudio
@_spi(Drawing) import Spatial3DReports

/// The drawing of a recording: the house at each stop of the walk, and the level of each monster over time.
///
/// Colours show the path by which a monster is heard: from the same room, through a door, or through the walls.
struct HousePlot {
  let recording: Recording

  static let width = 960.0
  static let gap = 28.0
  static let legendTop = 96.0
  /// Three maps side by side.
  static let mapWidth = (width - 2 * SVGDrawing.margin - 2 * gap) / 3
  static let metre = mapWidth / Plan.size.x
  static let mapHeight = Plan.size.y * metre
  static let mapTop = 138.0
  static let mapPitch = mapHeight + 48
  static let rowCount = (Route.legs.count + 2) / 3
  static let lanesTop = mapTop + Double(rowCount) * mapPitch + 44
  static let laneHeight = 104.0
  static let lanePitch = laneHeight + 70

  init(of recording: Recording) { self.recording = recording }

  /// The drawing as the text of an SVG file.
  var markup: String {
    var drawing = SVGDrawing.sheet(
      width: Self.width,
      height: Self.lanesTop + Double(Monster.all.count) * Self.lanePitch - 8,
      title: "Four rooms with monsters",
      note: "\(Int(Route.seconds.rounded())) s of a walk through four rooms with doors, rendered offline",
      summary:
        "Plans of a house at each stop of a walk, and the levels of three monsters with their ways to the listener."
    )
    drawing.draw(legend)
    for (index, stop) in recording.stops.enumerated() {
      let corner = SVGPoint(
        SVGDrawing.margin + Double(index % 3) * (Self.mapWidth + Self.gap),
        Self.mapTop + Double(index / 3) * Self.mapPitch
      )
      drawing.draw(map(of: stop, leg: index), x: corner.x, y: corner.y)
    }
    drawing.draw(
      .heading(
        "Levels of the monsters",
        note: "mean level at the listener as predicted, in decibels re full scale; the colour is the way",
        at: SVGPoint(SVGDrawing.margin, Self.lanesTop - 50)
      )
    )
    for index in Monster.all.indices {
      drawing.draw(lane(of: index), y: Self.lanesTop + Double(index) * Self.lanePitch)
    }
    return drawing.markup
  }

  /// The class of the colour of a path.
  static func color(_ way: Way) -> String {
    switch way {
    case .straight: Theme.series(0)
    case .door: "accent"
    case .wall: "quiet"
    }
  }

  /// A line for a path; a path through the walls is dashed.
  static func line(_ way: Way, through points: [SVGPoint]) -> SVGElement {
    SVGElement(
      "path",
      [
        "class": "\(color(way)) line", "d": SVGPath(through: points).value, "stroke-width": 2,
        "stroke-dasharray": way == .wall ? "2 5" : "none",
      ]
    )
  }

  private var legend: [SVGElement] {
    let keys: [(String, Way)] = [
      ("from the same room", .straight), ("through a door", .door(0)), ("through the walls", .wall),
    ]
    let ways = keys.enumerated().flatMap { index, key in
      let start = SVGPoint(SVGDrawing.margin + 170 * Double(index), Self.legendTop)
      return [
        Self.line(key.1, through: [start, SVGPoint(start.x + 18, start.y)]),
        .text(key.0, at: SVGPoint(start.x + 24, start.y + 4), "ink"),
      ]
    }
    return ways + [
      .circle(at: SVGPoint(SVGDrawing.margin + 528, Self.legendTop), radius: 5, "ink fill"),
      .text("the listener, and the walk so far", at: SVGPoint(SVGDrawing.margin + 540, Self.legendTop + 4), "ink"),
    ]
  }
}
