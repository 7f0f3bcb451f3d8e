import Foundation
import GameAudio
@_spi(Drawing) import Spatial3DReports

extension HousePlot {
  /// The house at the stop of a leg, with the upper left corner of the plan at the origin.
  func map(of stop: Recording.Stop, leg: Int) -> [SVGElement] {
    let room = Plan.room(at: stop.moment.place)?.name ?? ""
    return [
      .heading("\(leg + 1)", note: "\(Route.legs[leg].name), in the \(room)", at: SVGPoint(0, -10)),
      .panel(at: SVGPoint(0, 0), width: Self.mapWidth, height: Self.mapHeight, "panel fill"),
    ] + walls(stop.moment.openness) + walk(until: leg) + ways(of: stop)
      + doorNumbers + monsters(of: stop)
  }

  private func point(_ place: SIMD2<Double>) -> SVGPoint { SVGPoint(place.x * Self.metre, place.y * Self.metre) }

  private func walls(_ openness: [Float]) -> [SVGElement] {
    var path = SVGPath()
    for wall in Plan.walls {
      path.move(to: point(wall.start))
      path.line(to: point(wall.end))
    }
    let names = Plan.rooms.map { room in
      SVGElement.text(
        room.name,
        at: point([room.x.lowerBound + 0.4, room.y.lowerBound + 0.85]),
        "quiet small"
      )
    }
    let half = Plan.pillarWidth / 2
    let pillars = Plan.pillars.map { pillar in
      let corners = [SIMD2(-half, -half), SIMD2(half, -half), SIMD2(half, half), SIMD2(-half, half)]
      var square = SVGPath(through: corners.map { point(pillar + $0) })
      square.close()
      return SVGElement.path(square, "faint fill")
    }
    return pillars + [.path(path, "ink line", width: 2)] + zip(Plan.doors, openness).map(leaf) + names
  }

  /// The number of each door, beside the end of the opening around which the leaf turns.
  private var doorNumbers: [SVGElement] {
    Plan.doors.enumerated().map { index, door in
      let offset: SIMD2<Double> = door.isInNorthSouthWall ? [-0.5, -0.55] : [-0.75, -0.35]
      return .text("\(index + 1)", at: point(door.place + offset), "ink number halo")
    }
  }

  /// The leaf of a door, which turns around one end of the opening.
  private func leaf(_ door: Plan.Door, _ openness: Float) -> SVGElement {
    let (hinge, end) = door.ends
    let angle = Double(openness) * 80 * .pi / 180
    let (way, across) = (end - hinge, SIMD2(end.y - hinge.y, end.x - hinge.x))
    let tip = hinge + way * cos(angle) + across * sin(angle)
    return .path(SVGPath(through: [point(hinge), point(tip)]), "ink line", width: 3.5)
  }

  /// The walk until the stop of a leg; the last leg is stronger.
  private func walk(until leg: Int) -> [SVGElement] {
    func path(_ times: ClosedRange<Double>) -> SVGPath {
      SVGPath(
        through: stride(from: times.lowerBound, through: times.upperBound, by: 0.25).map {
          point(Route.step(at: $0).place)
        }
      )
    }
    let times = Route.times[leg]
    return [
      .path(path(0...times.lowerBound), "quiet line", width: 1.5, opacity: 0.6),
      .path(path(times), "ink line", width: 2),
    ]
  }

  /// A line from the listener to each monster in the same room, to the first door, or dashed through the walls.
  private func ways(of stop: Recording.Stop) -> [SVGElement] {
    zip(stop.moment.monsters, stop.hearings).map { monster, hearing in
      let end: SIMD2<Double>
      switch hearing.way {
      case .straight, .wall: end = monster
      case .door(let index): end = Plan.doors[index].place
      }
      return Self.line(hearing.way, through: [point(stop.moment.place), point(end)])
    } + [.circle(at: point(stop.moment.place), radius: 5, "ink fill")]
  }

  /// The monsters with their names, paths and levels.
  private func monsters(of stop: Recording.Stop) -> [SVGElement] {
    Monster.all.indices.flatMap { index -> [SVGElement] in
      let (place, hearing) = (stop.moment.monsters[index], stop.hearings[index])
      let level = Double((hearing.gain + recording.loudness[index]).rawValue).text(decimals: 0)
      let isEast = place.x > Plan.size.x / 2
      let label = point([isEast ? Plan.size.x - 0.4 : max(place.x - 1, 0.4), place.y])
      let words = hearing.way == .straight ? "\(level) dB" : "\(hearing.way.words), \(level) dB"
      let style = "\(Self.color(hearing.way)) small halo\(isEast ? " end" : "")"
      return [
        .circle(at: point(place), radius: 6, "\(Self.color(hearing.way)) fill"),
        .text(Monster.all[index].name, at: SVGPoint(label.x, label.y + 20), "\(style)"),
        .text(words, at: SVGPoint(label.x, label.y + 33), style),
      ]
    }
  }
}
