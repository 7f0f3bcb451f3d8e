import FileDecode
import Foundation
import GameAudio
import Spatial3DTesting
import Stage

/// The walk, rendered offline: the voices, and the cost.
struct Measurement {
  static let format = PCMFormat.stereo(sampleRate: 48_000)

  /// One second of the walk.
  struct Second {
    /// The position of the listener at its end.
    let place: SIMD3<Float>
    let voices: VoiceStatistics
    /// The voices that changed hands in it.
    let changes: Int
    let level: Decibels
    /// The time that the machine took, as a part of real time.
    let cost: Double
  }

  private(set) var seconds: [Second] = []
  /// Whether each torch has a voice, in the middle of the walk.
  private(set) var hasVoice: [Bool] = []

  init(voices: Int, recordingTo recording: OutputFile?) throws {
    var renderer = try OfflineRenderer(format: Self.format)
    let light = try TorchLight(in: renderer.context, voices: voices)
    var file = try recording.map { try AudioFileWriter(creating: $0.path, format: Self.format) }
    var progress = ProgressLine()
    var promoted = 0
    var mix = PCMBuffer<Float>(format: Self.format)
    for second in 0..<Dungeon.seconds {
      var power: Float = 0
      var cost = Duration.zero
      for update in 0..<Dungeon.updateRate {
        let start = ContinuousClock.now
        light.update(to: Double(second) + Double(update) / Double(Dungeon.updateRate))
        renderer.render(into: &mix, frameCount: Self.format.sampleRate / Dungeon.updateRate)
        cost += ContinuousClock.now - start
        power += pow(Gain.decibels(mix.level).rawValue, 2) / Float(Dungeon.updateRate)
        try file?.write(mix)
      }
      let voices = light.world.voiceStatistics()
      seconds.append(
        Second(
          place: light.world.listener.position,
          voices: voices,
          changes: voices.promoted - promoted,
          level: Gain(power.squareRoot()).decibels,
          cost: cost / .seconds(1)
        )
      )
      promoted = voices.promoted
      if second == Dungeon.seconds / 2 { hasVoice = light.torches.map { !$0.isVirtual } }
      progress.show("Rendering", done: Double(second + 1) / Double(Dungeon.seconds))
    }
    try file?.close()
  }

  /// The mean cost, as a part of real time.
  var cost: Double { seconds.reduce(0) { $0 + $1.cost } / Double(seconds.count) }
}
