@_spi(Drawing) import Spatial3DReports
import Spatial3D
import Spatial3DTesting

/// A sound that fades in, fades to a pause, and fades out.
struct FadesPicture {
  private let row: TimelineRow
  private static let duration = 4.0

  init() throws {
    let run = try ObservedRun()
    let hum = TestSignal.sine(frequency: 300, duration: .seconds(1), format: Measured.mono)
    run.source.buffer = try SoundBuffer(hum, in: run.context)
    run.source.isLooping = true
    run.render(.milliseconds(200))
    run.source.play(fadingIn: .milliseconds(800))
    run.render(.milliseconds(1_200))
    run.source.pause(fadingOut: .milliseconds(300))
    run.render(.milliseconds(700))
    run.source.play(fadingIn: .milliseconds(300))
    run.render(.milliseconds(700))
    run.source.stop(fadingOut: .seconds(1))
    run.render(.milliseconds(1_200))
    var row = run.row
    let calls = ["play(fadingIn:)", "pause(fadingOut:)", "play(fadingIn:)", "stop(fadingOut:)"]
    row.marks = zip([9_600, 67_200, 100_800, 134_400], calls).map { ($0, $1) }
    self.row = row
  }

  var picture: Picture {
    Picture(
      name: "fades",
      title: "Fades",
      summary: """
        A sound over four seconds: it fades in within 0.8 s, fades out within 0.3 s to a pause, fades in again, and fades out within \
        1 s to its stop. The state changes at the end of each fade-out.
        """,
      height: 268,
      elements: row.elements(middle: 74, height: 100)
        + TimelineRow.seconds(Self.duration, every: 1, at: 224)
        + TimelineRow.key(at: SVGPoint(150, 252))
    )
  }
}
