import FileDecode
import Foundation
import Spatial3D
import Spatial3DTesting
import Stage

/// The battle rendered offline: shots, playing sources and levels, second by second.
struct Rendering {
  /// A second of the battle.
  struct Second {
    var shots = 0
    /// The largest number at once.
    var sounding = 0
    var left = 0.0
    var right = 0.0
  }

  static let format = PCMFormat.stereo(sampleRate: 48_000)

  /// The seconds of the battle.
  private(set) var seconds: [Second] = []

  /// The size of the shared buffer, in bytes.
  let byteCount: Int

  /// The duration of a shot.
  let duration: Duration

  /// The largest sample of the mix; below 0 dB, the mix does not clip.
  private(set) var peak = Decibels.silence

  /// Renders a battle, and writes the mix to a sound file if it is given.
  init(of battle: Battle, firing shot: PCMBuffer<Float>, recordingTo recording: OutputFile?) throws {
    // Long sounds of a user may be too loud together.
    var renderer = try OfflineRenderer(format: Self.format, settings: OutputSettings(limiter: .on))
    let guns = try Guns(of: battle, firing: shot, in: renderer.context)
    (byteCount, duration) = (guns.buffer.byteCount, guns.buffer.duration)
    var file = try recording.map { try AudioFileWriter(creating: $0.path, format: Self.format) }
    var progress = ProgressLine()
    for index in 0..<Int(Battle.seconds) {
      var second = Second()
      for update in index * Battle.updateRate..<(index + 1) * Battle.updateRate {
        guns.update(update)
        let mix = renderer.render(frameCount: Self.format.sampleRate / Battle.updateRate)
        try file?.write(mix)
        second.shots += battle.shots(in: update).count
        second.sounding = max(second.sounding, guns.soundingCount)
        second.left += pow(10, Double(mix.level(ofChannel: 0).rawValue) / 10) / Double(Battle.updateRate)
        second.right += pow(10, Double(mix.level(ofChannel: 1).rawValue) / 10) / Double(Battle.updateRate)
        peak = max(peak, mix.peak)
        progress.show("Rendering", done: Double(update) / Double(Battle.updateCount))
      }
      seconds.append(second)
    }
    try file?.close()
  }
}

extension Rendering: CustomStringConvertible {
  /// The seconds as plain text.
  var description: String {
    var table = TextTable(
      columns: [.init("s"), .init("shots"), .init("sounding"), .init("left", group: "dB"), .init("right", group: "dB")]
    )
    for (index, second) in seconds.enumerated() {
      let levels = [second.left, second.right].map { $0 > 0 ? String(format: "%.1f", 10 * log10($0)) : "silent" }
      table.append(["\(index)", "\(second.shots)", "\(second.sounding)"] + levels)
    }
    return table.description
  }
}
