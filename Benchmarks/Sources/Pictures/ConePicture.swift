@_spi(Drawing) import Spatial3DReports
import Foundation
import Spatial3D
import Spatial3DTesting

/// The gain of a source with a direction, on each of its sides: of a low frequency, and of 5 kHz.
struct ConePicture {
  private static let cone = Cone(innerAngle: 60, outerAngle: 180, outerGain: 0.4, outerHighFrequencyGain: 0.3)
  private static let angles = Array(stride(from: 0.0, to: 360, by: 5))
  private static let center = SVGPoint(280, 226)
  private static let radius = LinearScale(0...1, from: 0, to: 170)

  private let low: [Double]
  private let high: [Double]

  init() throws {
    low = try Self.gains(at: 250)
    high = try Self.gains(at: 5_000)
    let expected = [Self.cone.outerGain, Self.cone.outerGain * Self.cone.outerHighFrequencyGain].map {
      Double($0.rawValue)
    }
    let behind = [low[Self.angles.count / 2], high[Self.angles.count / 2]]
    guard zip(behind, expected).allSatisfy({ abs($0 - $1) < 0.02 }) else {
      throw PictureError(description: "Behind the source the gains are \(behind), and not \(expected).")
    }
  }

  private static func gains(at frequency: Double) throws -> [Double] {
    let tone = TestSignal.sine(frequency: frequency, duration: .milliseconds(200), format: Measured.mono)
    let mixes = try Measured.mixes(of: tone, for: angles) { source, context, degrees in
      let radians = Float(degrees * .pi / 180)
      source.direction = [0, 0, -1]
      source.cone = cone
      context.listener.position = [sin(radians), 0, -cos(radians)]
    }
    let levels = mixes.map { $0.level(at: frequency) }
    return levels.map { Double(Gain.decibels($0 - levels[0]).rawValue) }
  }

  var picture: Picture {
    Picture(
      name: "cone",
      title: "The gain of a source on each side",
      summary: """
        From above. Inside the inner angle of 60 degrees the gain is 1. Outside the outer angle of 180 degrees it is the outer \
        gain, 0.4, and for high frequencies 0.12. In between it changes evenly.
        """,
      height: 456,
      elements: wedges + [curve(low, "series1"), curve(high, "accent")] + source + labels + legend
    )
  }

  private var wedges: [SVGElement] {
    let inner = Double(Self.cone.innerAngle) / 2
    let outer = Double(Self.cone.outerAngle) / 2
    var wedge = SVGPath(through: [Self.center] + stride(from: -inner, through: inner, by: 2).map(edge))
    wedge.close()
    let levels = [0.5, 1].map { SVGElement.circle(at: Self.center, radius: Self.radius($0), "faint line") }
    return [.path(wedge, "series1 fill", width: 0, opacity: 0.12)]
      + levels
      + [-inner, inner, -outer, outer].map { .line(Self.center, edge($0), "quiet dashed line") }
  }

  private func edge(_ angle: Double) -> SVGPoint { Self.center.moved(by: Self.radius(1), towards: angle) }

  private func curve(_ gains: [Double], _ style: String) -> SVGElement {
    var path = SVGPath(
      through: zip(Self.angles, gains).map { Self.center.moved(by: Self.radius($1), towards: $0) }
    )
    path.close()
    return .path(path, "\(style) line", width: 2.5)
  }

  private var source: [SVGElement] {
    let tip = Self.center.moved(by: 62, towards: 0)
    var arrow = SVGPath(through: [tip, SVGPoint(tip.x - 7, tip.y + 16), SVGPoint(tip.x + 7, tip.y + 16)])
    arrow.close()
    return [
      .circle(at: Self.center, radius: 8, "ink fill"),
      .line(Self.center, SVGPoint(tip.x, tip.y + 14), "ink line"),
      .path(arrow, "ink fill"),
      .text("direction", at: SVGPoint(tip.x, tip.y - 8), "ink middle"),
    ]
  }

  private var labels: [SVGElement] {
    let (x, y) = (Self.center.x, Self.center.y)
    return [
      .text("innerAngle 60°", at: SVGPoint(x, 40), "ink middle"),
      .text("outerAngle 180°", at: SVGPoint(x + 204, y + 20), "ink end"),
      .text("outerGain 0.4", at: SVGPoint(x - 66, y + 64), "ink end halo"),
      .text("gain 1", at: SVGPoint(x + 126, y + 134), "quiet"),
      .text("0.5", at: SVGPoint(x + 52, y + 84), "quiet halo"),
    ]
  }

  private var legend: [SVGElement] {
    SVGElement.key("gain", "series1", at: SVGPoint(90, 434))
      + SVGElement.key("of high frequencies (5 kHz)", "accent", at: SVGPoint(220, 434))
  }
}
