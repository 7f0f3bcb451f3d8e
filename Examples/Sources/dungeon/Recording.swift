import FileDecode
import Foundation
import GameAudio
import Spatial3DTesting
import Stage

/// The game, rendered offline: the levels of its buses, its voices and its rooms, each half second.
struct Recording {
  static let format = PCMFormat.stereo(sampleRate: 48_000)
  static let stepsPerSecond = 2
  static let buses = ["music", "effects", "speech", "interface"]

  /// Half a second of the game.
  struct Step {
    let place: SIMD3<Float>
    let voices: VoiceStatistics
    /// The predicted levels of the buses, in the order of ``buses``.
    let levels: [Decibels]
    let mix: Decibels
  }

  private(set) var steps: [Step] = []

  init(to output: OutputFile?) throws {
    var renderer = try OfflineRenderer(format: Self.format)
    let game = try Game(in: renderer.context)
    var file = try output.map { try AudioFileWriter(creating: $0.path, format: Self.format) }
    var progress = ProgressLine()
    let buses = [game.music, game.effects, game.speech, game.interface]
    let updates = Script.updateRate / Self.stepsPerSecond
    for step in 0..<Script.seconds * Self.stepsPerSecond {
      let time = Double(step) / Double(Self.stepsPerSecond)
      for entry in Script.actions where Double(entry.second) == time { game.take(entry.action) }
      var powers = Array(repeating: Float(0), count: buses.count)
      var samples: [Float] = []
      for update in 0..<updates {
        game.update(at: time + Double(update) / Double(Script.updateRate))
        samples += renderer.render(frameCount: Self.format.sampleRate / Script.updateRate).samples
        for (index, bus) in buses.enumerated() {
          powers[index] += pow(Gain.decibels(bus.level).rawValue, 2) / Float(updates)
        }
      }
      let mix = try PCMBuffer(samples: samples, format: Self.format)
      try file?.write(mix)
      steps.append(
        Step(
          place: game.world.listener.position,
          voices: game.world.voiceStatistics(),
          levels: powers.map { Gain($0.squareRoot()).decibels },
          mix: mix.level
        )
      )
      progress.show("Rendering", done: Double(step + 1) / Double(Script.seconds * Self.stepsPerSecond))
    }
    try file?.close()
  }
}

extension Recording: CustomStringConvertible {
  /// A line for each second.
  var description: String {
    var table = TextTable(
      columns: [
        .init("s", group: "time"), .init("hall", group: "rooms in %"), .init("cave", group: "rooms in %"),
        .init("", group: "voices"),
      ] + Self.buses.map { .init($0, group: "level in dB, predicted") } + [.init("", group: "mix")]
    )
    for second in 0..<Script.seconds {
      let both = steps[second * Self.stepsPerSecond..<(second + 1) * Self.stepsPerSecond]
      func mean(_ level: (Step) -> Decibels) -> String {
        let power = both.reduce(0) { $0 + pow(Gain.decibels(level($1)).rawValue, 2) } / Float(both.count)
        return power < 1e-9 ? "–" : String(format: "%.0f", Gain(power.squareRoot()).decibels.rawValue)
      }
      guard let last = both.last else { continue }
      let shares = Rooms.shares(at: last.place)
      table.append(
        ["\(second)"] + [shares.hall, shares.cave].map { "\(Int(($0 * $0 * 100).rounded()))" } + ["\(last.voices.real)"]
          + Self.buses.indices.map { bus in mean { $0.levels[bus] } } + [mean(\.mix)]
      )
    }
    return table.description
  }
}
