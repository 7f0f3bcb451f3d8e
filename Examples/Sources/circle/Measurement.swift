import FileDecode
import Spatial3D
import Spatial3DTesting
import Stage

/// How loud a scene is at each ear all along the walk: as a whole, and each sound by itself.
///
/// Rendered with no sound card, and so at hundreds of times the pace of the clock.
struct Measurement {
  /// What the scene is rendered to.
  static let format = PCMFormat.stereo(sampleRate: 48_000)

  /// The levels of all sounds together.
  let whole: EarLevels

  /// The levels of each sound alone.
  let solos: [EarLevels]

  /// The largest sample of the mix; below 0 dB, nothing is clipped.
  let peak: Decibels

  /// Renders a scene, and writes the mix to a sound file if a path is given.
  init(of scene: Scene, recordingTo path: String?) throws {
    var progress = ProgressLine()
    let renderings = Double(scene.placed.count + 1)
    var file = try path.map { try AudioFileWriter(creating: $0, format: Self.format) }
    var peak = Decibels.silence
    whole = try scene.render { mix, part in
      try file?.write(mix)
      peak = max(peak, mix.peak)
      progress.show("Rendering", done: part / renderings)
    }
    try file?.close()
    self.peak = peak
    solos = try scene.placed.indices.map { index in
      try scene.render(only: index) { _, part in
        progress.show("Measuring", done: (Double(index + 1) + part) / renderings)
      }
    }
  }
}
