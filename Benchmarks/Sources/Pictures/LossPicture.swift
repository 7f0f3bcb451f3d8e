import Foundation
import SoundServer
import Spatial3D
@_spi(Drawing) import Spatial3DReports
import Spatial3DTesting
import Synchronization

/// The position in a sound over time, while the sound server ends and starts again.
struct LossPicture {
  /// A position, in seconds of the sound, at a time after `play()`, rounded to half a second.
  private struct Reading {
    let time: Double
    let position: Double
    let isHeard: Bool
  }

  private var readings: [Reading] = []
  private var lost = 0.0
  private var returned = 0.0

  /// Nothing without a sound server; must run before any other use of the library, which chooses its driver once.
  init?() async throws {
    guard let kind = SoundServer.installed.first else { return nil }
    let server = try SoundServer(kind)
    try server.lendToThisProcess()
    let context = try AudioContext()
    let hum = TestSignal.sine(frequency: 300, duration: .seconds(30), format: Measured.mono)
    let source = try SoundSource(playing: SoundBuffer(hum, in: context), in: context)
    let events = EventLog(of: context)

    var recording = try server.recording()
    source.play()
    try recording.untilSound()
    let start = ContinuousClock.now
    try record(6, of: recording, source, since: start)
    try server.kill()
    try await events.wait(for: .deviceLost)
    lost = Self.rounded(start.duration(to: .now))
    for _ in 1...6 {
      try await Task.sleep(for: .milliseconds(500))
      add(source, at: start.duration(to: .now), isHeard: false)
    }
    try server.start()
    try server.add(sink: "main")
    recording = try server.recording()
    try await events.wait(for: .deviceReturned)
    returned = Self.rounded(start.duration(to: .now))
    try record(10, of: recording, source, since: start)
  }

  /// Reads the position after each half second that the sink has played.
  private mutating func record(
    _ count: Int,
    of recording: Recording,
    _ source: SoundSource,
    since start: ContinuousClock.Instant
  ) throws {
    for _ in 1...count {
      let isHeard = try !recording.seconds(0.5).isSilent(below: -60)
      add(source, at: start.duration(to: .now), isHeard: isHeard)
    }
  }

  private mutating func add(_ source: SoundSource, at time: Duration, isHeard: Bool) {
    let reading = Reading(
      time: Self.rounded(time),
      position: Self.rounded(source.playbackTime),
      isHeard: isHeard
    )
    readings.append(reading)
  }

  private static func rounded(_ time: Duration) -> Double { (time / .seconds(1) * 2).rounded() / 2 }

  var picture: Picture {
    let chart = Chart(x: 0...12, y: 0...12, top: 84, bottom: 316)
    let gap = SVGElement(
      "rect",
      [
        "class": "faint fill", "x": SVGValue(chart.x(lost)), "y": 84,
        "width": SVGValue(chart.x(returned) - chart.x(lost)), "height": 232, "opacity": 0.5,
      ]
    )
    let dots = readings.filter { $0.time <= 12 }.map { reading in
      SVGElement.circle(
        at: SVGPoint(chart.x(reading.time), chart.y(reading.position)),
        radius: 5,
        reading.isHeard ? "series1 fill" : "accent line"
      )
    }
    return Picture(
      name: "device-loss",
      title: "A sound while its output is lost",
      summary: """
        The position in a sound over twelve seconds. After three seconds the sound server ends, and the context posts \
        deviceLost. The position goes on at the same pace. The server starts, the context posts deviceReturned, and the \
        sound is heard from there.
        """,
      height: 400,
      elements: [.heading("Position", note: "in the sound, in seconds, over time", at: SVGPoint(28, 34)), gap]
        + chart.rows([(0, "0"), (5, "5"), (10, "10")])
        + chart.columns([(0, "0"), (2, "2"), (4, "4"), (6, "6"), (8, "8"), (10, "10"), (12, "12 s")])
        + dots
        + [
          .text("deviceLost", at: SVGPoint(chart.x(lost), 74), "ink end"),
          .text("deviceReturned", at: SVGPoint(chart.x(returned), 74), "ink"),
          .circle(at: SVGPoint(150, 372), radius: 5, "series1 fill"), .text("heard", at: SVGPoint(164, 377), "ink"),
          .circle(at: SVGPoint(280, 372), radius: 5, "accent line"), .text("not heard", at: SVGPoint(294, 377), "ink"),
        ]
    )
  }
}

/// The events of a context so far.
private final class EventLog: Sendable {
  struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  private let kinds: Seen
  private let token: NotificationToken

  private final class Seen: Sendable {
    let all = Mutex<[ContextEvent.Kind]>([])
  }

  init(of context: AudioContext) {
    let seen = Seen()
    kinds = seen
    token = context.observe { event in seen.all.withLock { $0.append(event.kind) } }
  }

  /// Waits for an event, half a minute at most.
  func wait(for kind: ContextEvent.Kind) async throws {
    for _ in 0..<3_000 {
      if kinds.all.withLock({ $0.contains(kind) }) { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw Missing(description: "The context did not post \(kind) within half a minute.")
  }
}
