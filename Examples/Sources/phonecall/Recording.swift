import FileDecode
import Foundation
import GameAudio
import Spatial3DTesting
import Stage

/// The story, rendered offline: a line for each happening, and the levels of the music and of the effects over time.
struct Recording: CustomStringConvertible {
  static let format = PCMFormat.stereo(sampleRate: 48_000)
  /// The seconds that a level is measured over: the length of a drop.
  static let step = 0.5

  private struct Line {
    let happening: Story.Happening
    let state: [String]
  }

  private var lines: [Line] = []
  private(set) var music: [Decibels] = []
  private(set) var effects: [Decibels] = []

  init(to output: OutputFile?) throws {
    var renderer = try OfflineRenderer(format: Self.format)
    let game = try Game(in: renderer.context, following: AudioSession())
    var file = try output.map { try AudioFileWriter(creating: $0.path, format: Self.format) }
    for second in 0..<Story.seconds {
      for happening in Story.happenings(in: second) {
        game.take(happening)
        lines.append(Line(happening: happening, state: game.state))
      }
      for _ in 0..<Int(1 / Self.step) {
        let mix = renderer.render(.seconds(Self.step))
        music.append(mix.level(at: Tones.drone))
        effects.append(mix.level(at: Tones.ping))
        try file?.write(mix)
      }
    }
    try file?.close()
  }

  /// A line for each happening, with the levels in the half second that begins one second later.
  var description: String {
    var table = TextTable(
      columns: [
        .init("s", group: "time"), .init("happening", group: " "), .init("session", group: ""),
        .init("", group: "music"), .init("at s", group: "music"),
        .init("music", group: "level in dB"), .init("effects", group: "level in dB"),
      ]
    )
    let width = lines.map(\.happening.name.count).max() ?? 0
    for line in lines {
      let index = Int(Double(line.happening.second + 1) / Self.step)
      table.append(
        ["\(line.happening.second)", line.happening.name.padded(to: width)] + line.state
          + [music[index], effects[index]].map { $0 < -80 ? "–" : String(format: "%.0f", $0.rawValue) }
      )
    }
    return table.description
  }
}

extension String {
  /// The text with spaces up to a length.
  fileprivate func padded(to length: Int) -> String { self + String(repeating: " ", count: max(length - count, 0)) }
}
