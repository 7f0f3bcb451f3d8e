@_spi(Drawing) import Spatial3DReports
import Foundation
import Spatial3D
import Stage

extension WalkPlot {
  /// The legend beside the map: the sources, and the meaning of the marks.
  var legend: [SVGElement] {
    var rows: [SVGElement] = [.heading("Sounds", at: SVGPoint(0, 14))]
    var y = 44.0
    for (index, placed) in scene.placed.enumerated() {
      rows += dot(of: index, at: SVGPoint(10, y))
      rows += [
        .text(placed.sound.name.shortened(to: 36), at: SVGPoint(30, y - 1), "ink").titled(placed.sound.name),
        .text(facts(about: placed), at: SVGPoint(30, y + 15), "quiet small"),
      ]
      y += 44
    }
    y += 6
    rows += [
      .heading("Listener", at: SVGPoint(0, y)),
      .line(SVGPoint(0, y + 24), SVGPoint(20, y + 24), "ink line"),
      arrowhead(at: SVGPoint(10, y + 24), towards: 90),
      .text("place and heading every \(stepText)", at: SVGPoint(30, y + 28), "quiet"),
    ]
    y += 62
    rows += [.heading("Rings", at: SVGPoint(0, y))]
    let distances = ringDistances.map { $0.text(decimals: 0) }.joined(separator: ", ")
    let losses = ringDistances.map { (-20 * log10($0)).text(decimals: 0) }.joined(separator: ", ")
    rows += [3.0, 6, 10].prefix(ringDistances.count).map { .circle(at: SVGPoint(10, y + 24), radius: $0, "quiet line") }
    rows += [.text("\(distances) m from a sound: \(losses) dB", at: SVGPoint(30, y + 28), "quiet")]
    return rows
  }

  /// A file's rate and length, and the smallest distance of the listener.
  private func facts(about placed: (sound: MonoSound, place: SIMD3<Float>)) -> String {
    let rate = Double(placed.sound.pcm.format.sampleRate) / 1_000
    let length = Double(placed.sound.pcm.frameCount) / Double(placed.sound.pcm.format.sampleRate)
    let nearest = curveMoments.map { scene.walk.listener(at: $0).distance(to: placed.place) }.min() ?? 0
    return "\(rate) kHz · \(length.text(decimals: 1)) s · passed within \(Double(nearest).text(decimals: 1)) m"
  }

  /// The time between two marks.
  private var stepText: String {
    let step = scene.moments.step
    return step >= 60 ? "\((step / 60).text(decimals: 0)) min" : "\(clock(step)) s"
  }
}
