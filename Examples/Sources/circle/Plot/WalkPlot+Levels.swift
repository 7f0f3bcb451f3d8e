@_spi(Drawing) import Spatial3DReports
import Stage

extension WalkPlot {
  /// The level of each ear over time.
  var levelChart: [SVGElement] {
    let levels = curveMoments.map { measurement.whole.levels(at: $0, window: scene.levelWindow) }
    let level = decibelScale(levels.flatMap { [$0.left, $0.right] })
    let (left, right) = (time(0), time(scene.walk.seconds))
    let grid = SVGElement.levels(level.ticks.values, on: level.scale, from: left, to: right)
    let title = SVGElement.heading(
      "Level at each ear",
      note: "dB re full scale",
      at: SVGPoint(Self.margin, Self.chartTop - 20)
    )
    let ears = [("left", "ink", levels.map(\.left)), ("right", "accent", levels.map(\.right))]
    let curves = ears.enumerated().flatMap { index, ear -> [SVGElement] in
      let points = zip(curveMoments, ear.2).map { SVGPoint(time($0), level.scale($1)) }
      let key = SVGPoint(right - 118 + Double(index) * 66, Self.chartTop - 24)
      return [.path(SVGPath(through: points), "\(ear.1) line", width: 2)]
        + SVGElement.key(ear.0, ear.1, text: ear.1, at: key)
    }
    return [title] + grid + curves
  }

  /// A scale from the quietest to the loudest level, on round numbers; silence is at its bottom.
  private func decibelScale(_ levels: [Double]) -> (scale: LinearScale, ticks: Ticks) {
    let heard = levels.filter(\.isFinite)
    let top = (heard.max() ?? 0)
    let bottom = min(max(heard.min() ?? -48, top - 48), top - 6)
    let step = Ticks(in: bottom...top, about: 4).step
    let range = (bottom / step).rounded(.down) * step...(top / step).rounded(.up) * step
    let scale = LinearScale(range, from: Self.chartTop + Self.chartHeight, to: Self.chartTop)
    return (scale, Ticks(in: range, about: Int(((range.upperBound - range.lowerBound) / step).rounded())))
  }
}
