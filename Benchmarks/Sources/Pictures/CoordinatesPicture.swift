@_spi(Drawing) import Spatial3DReports
import Foundation
import Spatial3D
import Spatial3DTesting

/// The axes, and the level in each ear of a source on each side of the listener.
struct CoordinatesPicture {
  private let left: [Decibels]
  private let right: [Decibels]
  private let loudest: Decibels

  private static let azimuths = Array(stride(from: 0.0, to: 360, by: 5))
  private static let center = SVGPoint(280, 268)
  private static let ring = 205.0
  /// The radius of a level, which is relative to the loudest one.
  private static let radius = LinearScale(-24...0, from: 42, to: 176)

  init() throws {
    // Axes, and no angles of the library: x is to the right, and -z is ahead.
    let places = Self.azimuths.map { degrees in
      let radians = Float(degrees * .pi / 180)
      return SIMD3(3 * sin(radians), 0, -3 * cos(radians))
    }
    let mixes = try Measured.mixes(
      of: Measured.noise,
      for: places,
      format: .stereo(sampleRate: Measured.rate),
      settings: OutputSettings(hrtf: .on)
    ) { $0.position = $2 }
    left = mixes.map { $0.level(ofChannel: 0) }
    right = mixes.map { $0.level(ofChannel: 1) }
    loudest = (left + right).max() ?? 0
  }

  var picture: Picture {
    Picture(
      name: "coordinates",
      title: "The axes, and what each ear receives",
      summary: """
        From above: -z is ahead of the listener, +x to the right, and +y up. Azimuth 0 is ahead, 90 right, 180 behind and -90 \
        left. Two curves are the level in the left and in the right ear of a source in each direction.
        """,
      height: 540,
      elements: ears + axes + head + directions + legend
    )
  }

  private var axes: [SVGElement] {
    let (center, ring) = (Self.center, Self.ring)
    return [
      .circle(at: center, radius: ring, "faint line"),
      .line(center.moved(by: ring, towards: 270), center.moved(by: ring, towards: 90), "faint line"),
      .line(center.moved(by: ring, towards: 180), center.moved(by: ring, towards: 0), "faint line"),
      .circle(at: SVGPoint(38, 40), radius: 9, "ink line"),
      .circle(at: SVGPoint(38, 40), radius: 3, "ink fill"),
      .text("+y is up", at: SVGPoint(56, 45), "ink"),
    ]
  }

  private var ears: [SVGElement] {
    [curve(left, "series1"), curve(right, "accent")].flatMap(\.self)
  }

  private func curve(_ levels: [Decibels], _ style: String) -> [SVGElement] {
    let points = zip(Self.azimuths, levels).map { azimuth, level in
      Self.center.moved(by: Self.radius(Double((level - loudest).rawValue)), towards: azimuth)
    }
    var path = SVGPath(through: points)
    path.close()
    return [
      .path(path, "\(style) fill", width: 0, opacity: 0.12),
      .path(path, "\(style) line", width: 2.5),
    ]
  }

  private var head: [SVGElement] {
    let center = Self.center
    var nose = SVGPath(through: [(12.0, -35.0), (27, 0), (12, 35)].map { center.moved(by: $0.0, towards: $0.1) })
    nose.close()
    return [
      .path(nose, "ink fill"),
      .circle(at: center.moved(by: 18, towards: 270), radius: 5, "series1 fill"),
      .circle(at: center.moved(by: 18, towards: 90), radius: 5, "accent fill"),
      .circle(at: center, radius: 17, "ink fill"),
    ]
  }

  private var directions: [SVGElement] {
    let (center, ring) = (Self.center, Self.ring)
    let sources = stride(from: 0.0, to: 360, by: 45).map {
      SVGElement.circle(at: center.moved(by: ring, towards: $0), radius: 5, "ink fill")
    }
    let diagonals: [(Double, String, Double, String)] = [
      (45, "45°", 12, "quiet"), (135, "135°", 12, "quiet"), (225, "−135°", -12, "quiet end"),
      (315, "−45°", -12, "quiet end"),
    ]
    return sources
      + diagonals.map { azimuth, text, dx, style in
        let place = center.moved(by: ring, towards: azimuth)
        return .text(text, at: SVGPoint(place.x + dx, place.y + (azimuth == 135 || azimuth == 225 ? 16 : -6)), style)
      }
      + [
        .text("−z: ahead, 0°", at: SVGPoint(center.x, center.y - ring - 14), "ink middle"),
        .text("+z: behind, 180°", at: SVGPoint(center.x, center.y + ring + 26), "ink middle"),
        .text("+x", at: SVGPoint(center.x + ring + 11, center.y - 4), "ink"),
        .text("90°", at: SVGPoint(center.x + ring + 11, center.y + 16), "ink"),
        .text("−x", at: SVGPoint(center.x - ring - 11, center.y - 4), "ink end"),
        .text("−90°", at: SVGPoint(center.x - ring - 11, center.y + 16), "ink end"),
      ]
  }

  private var legend: [SVGElement] {
    SVGElement.key("level in the left ear", "series1", at: SVGPoint(70, 520))
      + SVGElement.key("level in the right ear", "accent", at: SVGPoint(300, 520))
  }
}
