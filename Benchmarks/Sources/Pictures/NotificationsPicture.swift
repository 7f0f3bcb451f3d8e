@_spi(Drawing) import Spatial3DReports
import Spatial3D
import Spatial3DTesting

/// The notifications of a source that loops, and of one with a queue, over their sounds.
struct NotificationsPicture {
  private let loop: TimelineRow
  private let queue: TimelineRow

  private static let duration = 2.5

  init() throws {
    loop = try Self.loop()
    queue = try Self.queue()
  }

  private static func loop() throws -> TimelineRow {
    let run = try ObservedRun()
    run.source.buffer = try SoundBuffer(ObservedRun.chirp(.milliseconds(500)), in: run.context)
    run.source.isLooping = true
    run.render(.milliseconds(100))
    run.source.play()
    run.render(.milliseconds(1_350))
    run.source.pause()
    run.render(.milliseconds(350))
    run.source.isLooping = false
    run.source.play()
    run.render(.milliseconds(700))
    return run.row
  }

  private static func queue() throws -> TimelineRow {
    let run = try ObservedRun()
    try run.source.queue(
      [600, 450, 600].map { try SoundBuffer(ObservedRun.chirp(.milliseconds($0)), in: run.context) }
    )
    run.render(.milliseconds(200))
    run.source.play()
    run.render(.milliseconds(2_300))
    return run.row
  }

  var picture: Picture {
    Picture(
      name: "notifications",
      title: "The notifications of two sources",
      summary: """
        A looping source posts playing, looped, looped, paused, playing and stopped. A source with three buffers in its queue posts \
        playing, buffersProcessed for each buffer, and stopped.
        """,
      height: 436,
      elements: [SVGElement.text("isLooping", at: SVGPoint(28, 34), "ink heading")]
        + loop.elements(middle: 80, height: 66)
        + [SVGElement.text("queue of three buffers", at: SVGPoint(28, 222), "ink heading")]
        + queue.elements(middle: 268, height: 66)
        + TimelineRow.seconds(Self.duration, every: 0.5, at: 398)
        + TimelineRow.key(at: SVGPoint(150, 424))
    )
  }
}

/// An offline scene whose single source is observed while it is rendered piece by piece.
final class ObservedRun {
  private var renderer: OfflineRenderer
  let source: SoundSource
  private let timeline = NotificationTimeline()
  private var samples: [Float] = []

  init() throws {
    renderer = try OfflineRenderer(format: Measured.mono)
    source = try SoundSource(in: renderer.context)
    timeline.observe(source, as: "source")
  }

  var context: AudioContext { renderer.context }

  func render(_ duration: Duration) {
    samples += renderer.render(duration).samples
  }

  /// The mix, the states of the source, and its notifications.
  var row: TimelineRow {
    var states: [(frame: Int, state: SourceState)] = []
    for case let entry in timeline.entries {
      if case .stateChanged(let state) = entry.kind { states.append((entry.framePosition, state)) }
    }
    let marks = timeline.entries.map { (frame: $0.framePosition, text: Self.text(of: $0.kind)) }
    return TimelineRow(samples: samples, states: states, marks: marks)
  }

  private static func text(of kind: SourceNotification.Kind) -> String {
    switch kind {
    case .stateChanged(let state): "\(state)"
    case .looped(let count): "looped(\(count))"
    case .buffersProcessed(let count): "buffersProcessed(\(count))"
    case .underrun: "underrun"
    @unknown default: "\(kind)"
    }
  }

  /// A tone that fades, so that its beginning is visible.
  static func chirp(_ duration: Duration) -> PCMBuffer<Float> {
    var tone = TestSignal.sine(frequency: 300, duration: duration, format: Measured.mono)
    let count = Float(tone.frameCount)
    let samples = tone.samples.enumerated().map { $1 * (1 - 0.85 * Float($0) / count) }
    tone = (try? PCMBuffer(samples: samples, format: tone.format)) ?? tone
    return tone
  }
}
