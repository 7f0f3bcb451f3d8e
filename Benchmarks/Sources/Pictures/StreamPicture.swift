@_spi(Drawing) import Spatial3DReports
import Spatial3D
import Spatial3DTesting
import Synchronization

/// The frames that a stream has read from its reader, and those that it has played, over time.
struct StreamPicture {
  /// The number of frames that were read.
  private final class Count: Sendable {
    let frames = Mutex(0)
  }

  /// A reader of a tone, which counts what is read.
  private struct CountingReader: PCMReader, Sendable {
    let format = Measured.mono
    let frameCount: Int? = 20 * Measured.rate
    let count: Count

    mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) throws(PCMError) -> Int {
      buffer = try PCMBuffer(samples: [Float](repeating: 0.1, count: maxFrames), format: format)
      count.frames.withLock { $0 += maxFrames }
      return maxFrames
    }

    mutating func seek(toFrame frame: Int) throws(PCMError) {}
  }

  /// Seconds of the sound, every 10 ms of the mix.
  private var read: [Double] = []
  private var played: [Double] = []
  private static let duration = 1.5

  init() throws {
    var renderer = try OfflineRenderer(format: Measured.mono)
    let count = Count()
    let source = try SoundSource(streaming: CountingReader(count: count), in: renderer.context)
    for step in 0...Int(Self.duration * 100) {
      if step == 20 { source.play() }
      _ = renderer.render(.milliseconds(10))
      read.append(Double(count.frames.withLock { $0 }) / Double(Measured.rate))
      played.append(Double(source.playbackFrame) / Double(Measured.rate))
    }
  }

  var picture: Picture {
    let chart = Chart(x: 0...Self.duration, y: 0...2, top: 58, bottom: 306)
    let queue = zip(read, played).map { $0 - $1 }.max() ?? 0
    let text = queue.text(decimals: 1)
    return Picture(
      name: "stream",
      title: "The queue of a stream",
      summary:
        "A stream reads blocks of 50 ms ahead of the position that it plays. \(text) s of its sound are in the queue.",
      height: 350,
      elements: [.heading("Stream", note: "seconds of the sound, over time", at: SVGPoint(28, 34))]
        + chart.rows([(0, "0"), (1, "1"), (2, "2")])
        + chart.columns([(0, "0"), (0.5, "0.5"), (1, "1"), (1.5, "1.5 s")])
        + [
          chart.curve(read.enumerated().map { (Double($0.offset) / 100, $0.element) }, "accent"),
          chart.curve(played.enumerated().map { (Double($0.offset) / 100, $0.element) }, "series1"),
          chart.label("read from the file", x: 0.34, y: 1.02, "accent"),
          chart.label("played", x: 1.02, y: 0.55, "series1"),
          chart.label("\(text) s in the queue", x: 0.02, y: 0.24, "ink small"),
          chart.label("play()", x: 0.34, y: 0.03, "ink small"),
        ]
    )
  }
}
