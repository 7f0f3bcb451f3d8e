@_spi(Drawing) import Spatial3DReports
import Spatial3D
import Spatial3DTesting

/// The gain over the distance: for each kind of model, and for three rolloff factors.
struct DistancePicture {
  /// A measured curve, as gains at ``distances``.
  private struct Curve {
    let model: DistanceModel
    let rolloffFactor: Float
    let gains: [Double]
  }

  private static let distances = stride(from: 0.25, through: 20, by: 0.25).map(Float.init)
  private static let reference: Float = 2
  private static let maximum: Float = 16

  private let models: [Curve]
  private let factors: [Curve]

  init() throws {
    models = try [(.inverseClamped, 1), (.inverse, 1), (.linearClamped, 1), (.exponentClamped, 2)].map(Self.curve)
    factors = try [(.inverseClamped, 0.5), (.inverseClamped, 1), (.inverseClamped, 2)].map(Self.curve)
  }

  private static func curve(model: DistanceModel, rolloffFactor: Float) throws -> Curve {
    let attenuation = DistanceAttenuation(
      referenceDistance: reference,
      maximumDistance: maximum,
      rolloffFactor: rolloffFactor,
      model: model
    )
    let mixes = try Measured.mixes(of: Measured.noise, for: distances) { source, _, distance in
      source.attenuation = attenuation
      source.position = [0, 0, -distance]
    }
    // At the reference distance each model has the source's own gain.
    let own = try Measured.mixes(of: Measured.noise, for: [reference]) { $0.position = [0, 0, -$2 / reference] }
    let gains = mixes.map { Double(Gain.decibels($0.level - own[0].level).rawValue) }
    guard let index = distances.firstIndex(of: reference), abs(gains[index] - 1) < 0.001 else {
      throw PictureError(description: "\(model) does not have its own gain at the reference distance.")
    }
    return Curve(model: model, rolloffFactor: rolloffFactor, gains: gains)
  }

  var picture: Picture {
    Picture(
      name: "distance",
      title: "Gain over distance",
      summary: """
        With a reference distance of 2 m and a maximum distance of 16 m. Up to 2 m the gain is 1. Beyond, the inverse model falls \
        quickly and then slowly, the linear one evenly to 0 at 16 m. A larger rolloff factor falls more steeply.
        """,
      height: 602,
      elements: modelPanel + factorPanel
    )
  }

  private func chart(top: Double) -> Chart {
    Chart(x: 0...20, y: 0...1, top: top, bottom: top + 200)
  }

  private func frame(of chart: Chart) -> [SVGElement] {
    chart.rows([(0, "silent"), (0.25, "−12 dB"), (0.5, "−6 dB"), (1, "0 dB")])
      + chart.columns([(0, "0"), (2, "2"), (4, "4"), (8, "8"), (12, "12"), (16, "16"), (20, "20 m")])
  }

  private func line(_ curve: Curve, in chart: Chart, _ style: String) -> SVGElement {
    chart.curve(zip(Self.distances, curve.gains).map { (Double($0), $1) }, style)
  }

  private var modelPanel: [SVGElement] {
    let chart = chart(top: 62)
    return [.heading("Models", note: "reference distance 2 m, maximum distance 16 m", at: SVGPoint(28, 36))]
      + frame(of: chart)
      + [
        line(models[1], in: chart, "series1 dashed"),
        line(models[0], in: chart, "series1"),
        line(models[2], in: chart, "series2"),
        line(models[3], in: chart, "accent"),
        chart.label("linear", x: 9, y: 0.5, dx: 10, dy: -4, "series2"),
        chart.label("inverse", x: 4, y: 0.5, dx: 8, dy: -6, "series1"),
        chart.label("exponent,", x: 0.3, y: 0.2, "accent"),
        chart.label("factor 2", x: 0.3, y: 0.11, "accent"),
      ]
  }

  private var factorPanel: [SVGElement] {
    let chart = chart(top: 360)
    return [.heading("Rolloff factor", note: "of the inverse model", at: SVGPoint(28, 334))]
      + frame(of: chart)
      + [
        line(factors[0], in: chart, "series2"),
        line(factors[1], in: chart, "series1"),
        line(factors[2], in: chart, "accent"),
        chart.label("½", x: 8, y: 0.4, dx: 4, dy: -8, "series2"),
        chart.label("1", x: 8, y: 0.25, dx: 4, dy: -8, "series1"),
        chart.label("2", x: 8, y: 0.143, dx: 4, dy: 18, "accent"),
      ]
  }
}
