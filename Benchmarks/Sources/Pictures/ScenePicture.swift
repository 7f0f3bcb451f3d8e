@_spi(Drawing) import Spatial3DReports
import Foundation
import Spatial3D
import Spatial3DTesting

/// A drone that flies past the listener: its path from above, and the sound in each ear.
struct ScenePicture {
  private static let seconds = 6.0
  private static let stepsPerSecond = 50.0
  private static let format = PCMFormat.stereo(sampleRate: Measured.rate)

  private let left: [Float]
  private let right: [Float]

  init() throws {
    var renderer = try OfflineRenderer(format: Self.format, settings: OutputSettings(hrtf: .on))
    let context = renderer.context
    let hum = TestSignal.noise(duration: .seconds(6), format: Measured.mono, amplitude: 0.25)
    let drone = try SoundSource(playing: SoundBuffer(hum, in: context), in: context)
    drone.play()
    var mixes: (left: [Float], right: [Float]) = ([], [])
    for step in 0..<Int(Self.seconds * Self.stepsPerSecond) {
      drone.position = Self.place(at: Double(step) / Self.stepsPerSecond)
      let mix = renderer.render(.seconds(1 / Self.stepsPerSecond))
      mixes.left += mix.channel(0)
      mixes.right += mix.channel(1)
    }
    (left, right) = mixes
  }

  /// The position of the drone: a bend from the left, past the listener, to the right.
  private static func place(at second: Double) -> SIMD3<Float> {
    let x = -7.5 + 15 * second / seconds
    return [Float(x), 0, Float(-0.9 - 0.055 * x * x)]
  }

  var picture: Picture {
    let peak = (left + right).reduce(0) { max($0, abs($1)) }
    let rows = [(left, "series1", "left ear", 300.0), (right, "accent", "right ear", 400.0)].flatMap {
      [
        SVGElement.path(
          Waveform($0.0, peak: peak).path(
            from: TimelineRow.left,
            to: TimelineRow.right,
            middle: $0.3,
            height: 84
          ),
          "\($0.1) fill",
          width: 0
        ),
        .text($0.2, at: SVGPoint(28, $0.3 - 28), "\($0.1)"),
      ]
    }
    return Picture(
      name: "scene",
      title: "A drone flies past the listener",
      summary: """
        Above, the path of the drone from above, from the left to the right, with a mark each second. Below, the sound in the left and \
        in the right ear: the left one is loud first, then the right one.
        """,
      height: 480,
      elements: map + rows + TimelineRow.seconds(Self.seconds, every: 1, at: 466)
    )
  }

  private var map: [SVGElement] {
    // The columns of the path are the columns of the time below.
    let x = LinearScale(-7.5...7.5, from: TimelineRow.left, to: TimelineRow.right)
    let scale = (TimelineRow.right - TimelineRow.left) / 15
    let listener = SVGPoint(x(0), 196)
    func point(at second: Double) -> SVGPoint {
      let place = Self.place(at: second)
      return SVGPoint(x(Double(place.x)), listener.y + Double(place.z) * scale)
    }
    let path = stride(from: 0, through: Self.seconds, by: 0.1).map(point)
    let marks = stride(from: 0, through: Self.seconds, by: 1).map {
      SVGElement.circle(at: point(at: $0), radius: 5, "series2 fill")
    }
    var nose = SVGPath(through: [(12.0, -35.0), (27, 0), (12, 35)].map { listener.moved(by: $0.0, towards: $0.1) })
    nose.close()
    return [.path(SVGPath(through: path), "series2 line", width: 2.5)] + marks
      + [
        .path(nose, "ink fill"),
        .circle(at: listener.moved(by: 18, towards: 270), radius: 5, "series1 fill"),
        .circle(at: listener.moved(by: 18, towards: 90), radius: 5, "accent fill"),
        .circle(at: listener, radius: 17, "ink fill"),
        .text("listener", at: SVGPoint(listener.x + 34, listener.y + 6), "ink"),
        .text("drone", at: SVGPoint(path[0].x + 16, path[0].y + 4), "series2"),
      ]
  }
}
