@_spi(Drawing) import Spatial3DReports
import Foundation
import Stage

extension WalkPlot {
  /// The heading of the bands.
  var bandsTitle: [SVGElement] {
    let y = Self.bandsTop
    let right = time(scene.walk.seconds)
    return [
      .heading("Each sound between the ears", note: "up is right, down is left", at: SVGPoint(Self.margin, y)),
      facingMark(isAhead: true, at: SVGPoint(right - 166, y - 4)),
      .text("straight ahead", at: SVGPoint(right - 156, y), "quiet"),
      facingMark(isAhead: false, at: SVGPoint(right - 49, y - 4)),
      .text("behind", at: SVGPoint(right - 39, y), "quiet"),
    ]
  }

  /// The balance of a sound between the left and the right ear over time, measured with the others silent.
  func band(of index: Int) -> [SVGElement] {
    let middle = Self.bandsTop + 52 + Double(index) * Self.bandPitch
    let (left, right) = (time(0), time(scene.walk.seconds))
    let place = LinearScale(-1...1, from: middle + Self.bandHeight / 2, to: middle - Self.bandHeight / 2)
    let curve = curveMoments.map { SVGPoint(time($0), place(balance(of: index, at: $0))) }
    var area = SVGPath(through: [SVGPoint(left, middle)] + curve + [SVGPoint(right, middle)])
    area.close()
    let style = Theme.series(index)
    let name = scene.placed[index].sound.name
    let facings = scene.walk.facings(of: scene.placed[index].place)
    return dot(of: index, at: SVGPoint(Self.margin + 10, middle)).map { $0.titled(name) } + [
      .path(area, "\(style) fill", opacity: 0.3),
      .line(SVGPoint(left, middle), SVGPoint(right, middle), "quiet line"),
      .path(SVGPath(through: curve), "\(style) line", width: 1.5),
      .text("R", at: SVGPoint(right + 8, middle - Self.bandHeight / 2 + 8), "quiet small"),
      .text("L", at: SVGPoint(right + 8, middle + Self.bandHeight / 2), "quiet small"),
    ] + facings.map { facingMark(isAhead: $0.isAhead, at: SVGPoint(time($0.time), middle)) }
  }

  /// The balance of a sound: 1 is right alone, -1 is left alone, 0 is the middle or silence.
  private func balance(of index: Int, at moment: Double) -> Double {
    let levels = measurement.solos[index].levels(at: moment, window: scene.levelWindow / 2)
    let (left, right) = (pow(10, levels.left / 20), pow(10, levels.right / 20))
    return left + right > 0 ? (right - left) / (right + left) : 0
  }

  /// A triangle: filled and pointing up for a sound ahead, hollow and pointing down for a sound behind.
  private func facingMark(isAhead: Bool, at center: SVGPoint) -> SVGElement {
    let heading = isAhead ? 0.0 : 180
    var outline = SVGPath(through: [0, 120, 240].map { center.moved(by: 5.5, towards: heading + $0) })
    outline.close()
    return .path(outline, isAhead ? "ink fill" : "ink hollow", width: 1.5)
  }
}
