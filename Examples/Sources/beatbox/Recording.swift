import FileDecode
import GameAudio
import Stage
import Synchronization

/// The song, rendered offline: its bars, and the frames at which the mix has them.
struct Recording {
  static let format = PCMFormat.stereo(sampleRate: 48_000)

  /// A bar, as the clock reported it.
  struct Bar {
    let tick: BeatClock.Tick
    let tempo: Tempo
  }

  let bars: [Bar]
  /// The left channel of the mix.
  private var samples: [Float] = []

  init(to output: OutputFile?) throws {
    var renderer = try OfflineRenderer(format: Self.format)
    let drummer = try Drummer(in: renderer.context)
    let collected = CollectedBars()
    let token = drummer.start(at: .milliseconds(200)) { [weak drummer] tick in
      if let drummer { collected.append(Bar(tick: tick, tempo: drummer.beats.tempo)) }
    }
    var file = try output.map { try AudioFileWriter(creating: $0.path, format: Self.format) }
    while drummer.beats.position < Song.length {
      let mix = renderer.render(.milliseconds(50))
      samples += stride(from: 0, to: mix.samples.count, by: 2).map { mix.samples[$0] }
      try file?.write(mix)
    }
    try file?.close()
    token.cancel()
    bars = collected.all.filter { $0.tick.bar <= Song.bars }
  }

  /// The frames by which the hit on a bar is late in the mix; its beginning is the steepest step near there.
  func lateness(of bar: Bar) -> Int {
    let frame = Self.format.frameCount(in: bar.tick.moment)
    let nearby = max(frame - 200, 1)..<min(frame + 200, samples.count)
    func step(_ frame: Int) -> Float { abs(samples[frame] - samples[frame - 1]) }
    return (nearby.max { step($0) < step($1) } ?? 0) - frame
  }
}

/// The bars that a handler collects.
private final class CollectedBars: Sendable {
  private let bars = Mutex<[Recording.Bar]>([])

  var all: [Recording.Bar] { bars.withLock { $0 } }

  func append(_ bar: Recording.Bar) { bars.withLock { $0.append(bar) } }
}
