import GameAudio
import Stage

/// The programme, rendered offline and recorded by its world.
struct Recording {
  static let format = PCMFormat.stereo(sampleRate: 48_000)

  private(set) var lines: [String] = []
  let report: String
  /// The mix that the renderer returned.
  private(set) var mix = PCMBuffer<Float>(format: format)

  init(to output: OutputFile?) throws {
    var renderer = try OfflineRenderer(format: Self.format)
    let programme = try Programme(in: renderer.context)
    let take = try output.map { try programme.world.recordMix(to: $0.path) }
    var samples: [Float] = []
    for step in 0..<Programme.steps {
      programme.begin(step)
      samples += renderer.render(Programme.step).samples
      lines.append(programme.line(of: step))
    }
    try take?.finish()
    mix = try PCMBuffer(samples: samples, format: Self.format)
    report = programme.report
  }
}
