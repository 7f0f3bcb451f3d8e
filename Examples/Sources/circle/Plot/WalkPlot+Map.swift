@_spi(Drawing) import Spatial3DReports
import Foundation
import Spatial3D
import Stage

extension WalkPlot {
  /// The distances of the rings around a source, in metres: each ring is 6 dB below the ring before.
  ///
  /// A ring has less than 0.6 times the distance between two neighbouring sources.
  var ringDistances: [Double] {
    let count = Double(scene.placed.count)
    let spacing = count > 1 ? 2 * Scene.radius * sin(.pi / count) : .infinity
    return [1.0, 2, 4].filter { $0 < 0.6 * spacing }
  }

  /// Whether the map has room for names and distances, which the legend has as well.
  private var hasNames: Bool { scene.placed.count <= 3 }

  /// The number of pixels of a metre of the map, with a margin around the circle.
  private static let metre = mapSize / 2 / (Scene.radius * 1.6)

  /// The map from above: north, which is -z, is up.
  var map: [SVGElement] {
    let clip = "map-edge"
    let inside = rings + ringLabels + [listenerPath] + scene.momentsOfLap.flatMap(timeMark) + sourceDots
    return [
      SVGElement(
        "clipPath",
        ["id": SVGValue(clip)],
        children: [.panel(at: SVGPoint(0, 0), width: Self.mapSize, height: Self.mapSize, "")]
      ),
      .panel(at: SVGPoint(0, 0), width: Self.mapSize, height: Self.mapSize, "panel fill"),
      SVGElement("g", ["clip-path": "url(#\(clip))"], children: inside),
    ] + northArrow + scaleBar
  }

  private func point(x: Double, z: Double) -> SVGPoint {
    SVGPoint(Self.mapSize / 2 + x * Self.metre, Self.mapSize / 2 + z * Self.metre)
  }

  private func point(_ place: SIMD3<Float>) -> SVGPoint {
    point(x: Double(place.x), z: Double(place.z))
  }

  /// Rings around every source, fainter with the distance.
  private var rings: [SVGElement] {
    scene.placed.enumerated().flatMap { index, placed in
      ringDistances.map { distance in
        SVGElement(
          "circle",
          [
            "class": "\(Theme.series(index)) line", "cx": SVGValue(point(placed.place).x),
            "cy": SVGValue(point(placed.place).y), "r": SVGValue(distance * Self.metre),
            "stroke-opacity": SVGValue(0.5 / distance.squareRoot()),
          ]
        )
      }
    }
  }

  /// The distances of the last source's rings, to its left, since the walk does not pass there.
  private var ringLabels: [SVGElement] {
    guard hasNames else { return [] }
    let center = scene.placed.last.map { point($0.place) } ?? SVGPoint(0, 0)
    return ringDistances.compactMap { distance in
      let label = SVGPoint(center.x - distance * Self.metre, center.y + 4)
      guard label.x > 20 else { return nil }
      return .text("\(distance.text(decimals: 0)) m", at: label, "quiet small middle halo")
    }
  }

  private var listenerPath: SVGElement {
    var path = SVGPath(
      through: curveMoments.dropLast().map { point(scene.walk.listener(at: $0).position) }
    )
    path.close()
    return .path(path, "ink line", width: 2)
  }

  /// An arrowhead in the listener's heading, and the time on its outer side, away from the sounds where these are
  /// close.
  private func timeMark(at moment: Double) -> [SVGElement] {
    let listener = scene.walk.listener(at: moment)
    let (here, ahead) = (point(listener.position), listener.orientation.forward)
    let heading = atan2(Double(ahead.x), Double(-ahead.z)) * 180 / .pi
    let side = SVGPoint(0, 0).moved(by: 1, towards: heading + (hasNames ? -90 : 90))
    let text = clock(moment)
    // The distance from the path depends on the width of the text in that direction.
    let label = SVGPoint(here.x + side.x * (11 + 3.4 * Double(text.count)), here.y + side.y * 17 + 4)
    return [arrowhead(at: here, towards: heading), .text(text, at: label, "ink small middle halo")]
  }

  /// An arrowhead with a notch.
  func arrowhead(at point: SVGPoint, towards heading: Double) -> SVGElement {
    var outline = SVGPath(through: [
      point.moved(by: 9, towards: heading),
      point.moved(by: 8, towards: heading + 140),
      point.moved(by: 3.5, towards: heading + 180),
      point.moved(by: 8, towards: heading - 140),
    ])
    outline.close()
    return .path(outline, "ink fill")
  }

  /// A dot with the source's number, and its name on the outer side.
  private var sourceDots: [SVGElement] {
    scene.placed.enumerated().flatMap { index, placed in
      let center = point(placed.place)
      let label = SVGPoint(center.x, center.y + (placed.place.z > 0.1 ? 27 : -18))
      let name = SVGElement.text(
        placed.sound.name.shortened(to: 22),
        at: label,
        "\(Theme.series(index)) heading middle halo"
      )
      return dot(of: index, at: center).map { $0.titled(placed.sound.name) }
        + (hasNames ? [name.titled(placed.sound.name)] : [])
    }
  }

  /// A source's dot with its number.
  func dot(of index: Int, at center: SVGPoint) -> [SVGElement] {
    [
      .circle(at: center, radius: 10, "\(Theme.series(index)) fill"),
      .text("\(index + 1)", at: SVGPoint(center.x, center.y + 4), "paper number"),
    ]
  }

  private var northArrow: [SVGElement] {
    let foot = SVGPoint(Self.mapSize - 26, 58)
    return [
      .line(foot, foot.moved(by: 18, towards: 0), "quiet line"),
      arrowhead(at: foot.moved(by: 20, towards: 0), towards: 0),
      .text("N", at: SVGPoint(foot.x, 22), "quiet heading middle"),
      .text("−z", at: SVGPoint(foot.x, foot.y + 16), "quiet small middle"),
    ]
  }

  private var scaleBar: [SVGElement] {
    let (left, right) = (SVGPoint(20, Self.mapSize - 20), SVGPoint(20 + 2 * Self.metre, Self.mapSize - 20))
    let ends = [left, right].map {
      SVGElement.line(SVGPoint($0.x, $0.y - 4), SVGPoint($0.x, $0.y + 4), "quiet line")
    }
    let label = SVGElement.text("2 m", at: SVGPoint((left.x + right.x) / 2, left.y - 7), "quiet small middle halo")
    return [.line(left, right, "quiet line"), label] + ends
  }
}
