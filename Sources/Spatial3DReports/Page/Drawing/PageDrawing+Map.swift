import Glibc

extension PageDrawing {
  /// The number of pixels of a metre of the map.
  private var metre: Double {
    min(
      Self.mapWidth / max(page.map.x.upperBound - page.map.x.lowerBound, 0.001),
      Self.mapHeight / max(page.map.z.upperBound - page.map.z.lowerBound, 0.001)
    )
  }

  private func point(_ x: Double, _ z: Double) -> SVGPoint {
    let (middleX, middleZ) = (
      (page.map.x.lowerBound + page.map.x.upperBound) / 2, (page.map.z.lowerBound + page.map.z.upperBound) / 2
    )
    return SVGPoint(Self.mapWidth / 2 + (x - middleX) * metre, Self.mapHeight / 2 + (z - middleZ) * metre)
  }

  /// The map from above: north, which is -z, is up.
  var map: [SVGElement] {
    let inside = page.things.map(shape) + trails + [listenerPath] + marks + dots
    let frame = SVGElement.panel(at: SVGPoint(0, 0), width: Self.mapWidth, height: Self.mapHeight, "panel fill")
    let edge = SVGElement.panel(at: SVGPoint(0, 0), width: Self.mapWidth, height: Self.mapHeight, "")
    return [
      SVGElement("clipPath", ["id": "map-edge"], children: [edge]), frame,
      SVGElement("g", ["clip-path": "url(#map-edge)"], children: inside),
    ] + scaleBar
  }

  private func shape(of thing: ListeningPage.Thing) -> SVGElement {
    let index = thing.opacity.indexOfLargest
    let origin = SIMD2(thing.place.x[index], thing.place.z[index])
    let opacity = thing.opacity[index]
    if let radius = thing.radius {
      return .circle(at: point(origin.x, origin.y), radius: radius * metre, opacity > 0 ? "\(thing.color) line" : "")
    }
    let turn = thing.place.turn[index] * .pi / 180
    let points = thing.points.map { offset in
      point(
        origin.x + offset.x * cos(turn) - offset.y * sin(turn),
        origin.y + offset.x * sin(turn) + offset.y * cos(turn)
      )
    }
    return .path(SVGPath(through: points), "\(thing.color) line", width: thing.width, opacity: opacity)
  }

  /// The paths of the sounds that move.
  private var trails: [SVGElement] {
    page.sources.enumerated().compactMap { index, source in
      guard source.x.values.count > 1 || source.z.values.count > 1 else { return nil }
      let seen = page.moments.indices.filter { source.opacity[$0] > 0 }
      let points = seen.map { point(source.x[$0], source.z[$0]) }
      return .path(SVGPath(through: points), "\(Theme.series(index)) line", width: 1.5, opacity: 0.6)
    }
  }

  private var listenerPath: SVGElement {
    let points = page.moments.indices.map { point(page.listener.x[$0], page.listener.z[$0]) }
    return .path(SVGPath(through: points), "ink line", width: 2)
  }

  /// Arrowheads in the listener's heading, each with its time on the left; one arrowhead for a listener at rest.
  private var marks: [SVGElement] {
    let isAtRest = [page.listener.x, page.listener.z, page.listener.turn].allSatisfy { $0.values.count == 1 }
    return (isAtRest ? [0] : ticks.values).flatMap { moment -> [SVGElement] in
      let index = Int((moment * page.rate).rounded())
      let (here, turn) = (point(page.listener.x[index], page.listener.z[index]), page.listener.turn[index])
      let (text, side) = (clock(moment), SVGPoint(0, 0).moved(by: 1, towards: turn - 90))
      // The distance from the path depends on the width of the text in that direction.
      let label = SVGPoint(here.x + side.x * (11 + 3.4 * Double(text.count)), here.y + side.y * 17 + 4)
      return [arrowhead(at: here, towards: turn)] + (isAtRest ? [] : [.text(text, at: label, "ink small middle halo")])
    }
  }

  /// An arrowhead with a notch.
  private func arrowhead(at point: SVGPoint, towards heading: Double) -> SVGElement {
    var outline = SVGPath(through: [
      point.moved(by: 9, towards: heading), point.moved(by: 8, towards: heading + 140),
      point.moved(by: 3.5, towards: heading + 180), point.moved(by: 8, towards: heading - 140),
    ])
    outline.close()
    return .path(outline, "ink fill")
  }

  private var dots: [SVGElement] {
    page.sources.enumerated().flatMap { index, source in
      let seen = source.opacity.indexOfLargest
      return dot(of: index, at: point(source.x[seen], source.z[seen])).map { $0.titled(source.name) }
    }
  }

  /// The dot of a sound, with its number.
  private func dot(of index: Int, at center: SVGPoint) -> [SVGElement] {
    [
      .circle(at: center, radius: 10, "\(Theme.series(index)) fill"),
      .text("\(index + 1)", at: SVGPoint(center.x, center.y + 4), "paper number"),
    ]
  }

  /// A line of a round number of metres.
  private var scaleBar: [SVGElement] {
    let length = Ticks(in: 0...Self.mapWidth / metre, about: 8).step
    let (left, right) = (SVGPoint(20, Self.mapHeight - 18), SVGPoint(20 + length * metre, Self.mapHeight - 18))
    let ends = [left, right].map {
      SVGElement.line(SVGPoint($0.x, $0.y - 4), SVGPoint($0.x, $0.y + 4), "quiet line")
    }
    let name = "\(length.text(decimals: length < 1 ? 1 : 0)) m"
    return ends + [
      .line(left, right, "quiet line"),
      .text(name, at: SVGPoint((left.x + right.x) / 2, left.y - 7), "quiet small middle halo"),
    ]
  }

  /// The legend beside the map: the sounds, and the meaning of the marks.
  var legend: [SVGElement] {
    var rows: [SVGElement] = [.heading("Sounds", at: SVGPoint(0, 14))]
    var y = 40.0
    // More sounds than fit beside the map have no row; their dots have the names as tooltips.
    for (index, source) in page.sources.enumerated().prefix(8) {
      rows += dot(of: index, at: SVGPoint(10, y))
      rows += [
        .text(source.name.shortened(to: 34), at: SVGPoint(30, y - 1), "ink").titled(source.name),
        .text("passed within \(nearest(source).text(decimals: 1)) m", at: SVGPoint(30, y + 14), "quiet small"),
      ]
      y += 40
    }
    if page.sources.count > 8 {
      rows.append(.text("and \(page.sources.count - 8) more", at: SVGPoint(30, y), "quiet"))
      y += 24
    }
    return rows + [
      .heading("Listener", at: SVGPoint(0, y + 16)), .line(SVGPoint(0, y + 38), SVGPoint(20, y + 38), "ink line"),
      arrowhead(at: SVGPoint(10, y + 38), towards: 90),
      .text("place and heading every \(stepText)", at: SVGPoint(30, y + 42), "quiet"),
    ]
  }

  /// The smallest distance of the listener from a sound that is visible, in metres.
  private func nearest(_ source: ListeningPage.Source) -> Double {
    let distances = page.moments.indices.filter { source.opacity[$0] > 0 }.map {
      hypot(source.x[$0] - page.listener.x[$0], source.z[$0] - page.listener.z[$0])
    }
    return distances.min() ?? 0
  }

  private var stepText: String {
    ticks.step >= 60 ? "\((ticks.step / 60).text(decimals: 0)) min" : "\(clock(ticks.step)) s"
  }
}
