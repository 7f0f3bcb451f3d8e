import FileDecode
import Foundation
import GameAudio
import Spatial3DTesting
import Stage

/// The evening, rendered offline: its lines with the level of the mix, and what the mix lacks.
struct Recording {
  static let format = PCMFormat.stereo(sampleRate: 48_000)

  private(set) var lines: [String] = []
  let report: String

  init(to output: OutputFile?) throws {
    var renderer = try OfflineRenderer(format: Self.format)
    let evening = try Evening(in: renderer.context)
    var file = try output.map { try AudioFileWriter(creating: $0.path, format: Self.format) }
    var samples: [Float] = []
    for step in 0..<Evening.steps {
      evening.begin(step)
      let line = evening.line(of: step)
      let mix = renderer.render(Evening.step)
      lines.append(line + String(format: " %5.1f dB", mix.level.rawValue))
      samples += mix.samples
      try file?.write(mix)
    }
    try file?.close()
    let mix = try PCMBuffer(samples: samples, format: Self.format)
    let gaps = mix.silences(lasting: .milliseconds(20)).count
    let clicks = mix.clicks(highestFrequency: 900).count
    report = evening.report + "\nThe mix has \(gaps) gaps and \(clicks) clicks."
  }
}
