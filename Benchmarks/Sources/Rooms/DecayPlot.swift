@_spi(Drawing) import Spatial3DReports
import Spatial3D

/// A drawing of the decay of thirteen rooms: a row each, over the same seconds.
struct DecayPlot {
  let rooms: [RoomDecay]
  let library: String

  private static let width = 900.0
  private static let margin = SVGDrawing.margin
  private static let top = 112.0
  private static let pitch = 40.0
  private static let height = 32.0

  private var bottom: Double { Self.top + Double(rooms.count) * Self.pitch }

  private var time: LinearScale { LinearScale(0...6, from: Self.margin + 130, to: Self.width - Self.margin - 110) }

  var markup: String {
    var drawing = SVGDrawing.sheet(
      width: Self.width,
      height: bottom + 56,
      title: "How Apple's thirteen rooms decay",
      note: "What is still to come of an impulse, 1 kHz octave, 0 to −60 dB · \(library)",
      summary: "For each room, what is still to come of an impulse over time, from 0 down to -60 dB."
    )
    drawing.draw(.text("measured (stated)", at: SVGPoint(Self.width - Self.margin, Self.top - 12), "quiet end"))
    for second in 0...6 {
      let x = time(Double(second))
      drawing.draw(.line(SVGPoint(x, Self.top - 6), SVGPoint(x, bottom), "faint line"))
      drawing.draw(.text("\(second)", at: SVGPoint(x, bottom + 18), "quiet middle"))
    }
    drawing.draw(.text("seconds", at: SVGPoint(time(3), bottom + 38), "quiet middle"))
    for index in rooms.indices { drawing.draw(row(index)) }
    return drawing.markup
  }

  private func row(_ index: Int) -> [SVGElement] {
    let room = rooms[index]
    let foot = Self.top + Double(index) * Self.pitch + Self.height
    let level = LinearScale(-60...0, from: foot, to: foot - Self.height)
    let points = room.curve.enumerated().prefix { $0.element > -60 && $0.offset < 600 }
      .map { SVGPoint(time(Double($0.offset) / 100), level($0.element)) }
    var area = SVGPath(through: [SVGPoint(time(0), foot)] + points + [SVGPoint(points.last?.x ?? time(0), foot)])
    area.close()
    let style = Theme.series(family(of: room.preset))
    let stated = time(room.stated)
    return [
      .line(SVGPoint(time(0), foot), SVGPoint(time(6), foot), "faint line"),
      .path(area, "\(style) fill", width: 0, opacity: 0.22),
      .path(SVGPath(through: points), "\(style) line", width: 2),
      .line(SVGPoint(stated, foot - 7), SVGPoint(stated, foot + 3), "ink line"),
      .text("\(room.preset)", at: SVGPoint(time(0) - 12, foot - 8), "ink end"),
      .text(
        "\(room.measured.text(decimals: 2)) s (\(room.stated.text(decimals: 1)))",
        at: SVGPoint(Self.width - Self.margin, foot - 8),
        "ink end"
      ),
    ]
  }

  /// The family of a room: presets that differ only in size.
  private func family(of preset: RoomPreset) -> Int {
    switch preset {
    case .smallRoom, .mediumRoom, .largeRoom, .largeRoom2: 0
    case .mediumHall, .largeHall, .mediumHall2, .mediumHall3, .largeHall2: 1
    case .mediumChamber, .largeChamber: 2
    case .plate: 3
    case .cathedral: 4
    }
  }
}
