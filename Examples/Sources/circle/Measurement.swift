import FileDecode
import Spatial3D
import Spatial3DReports
import Spatial3DTesting
import Stage

/// The level of a scene at each ear all along the walk: of all sounds together, and of each by itself.
///
/// The scene is rendered offline, at hundreds of times the speed of real time.
struct Measurement {
  /// The format of the mix.
  static let format = PCMFormat.stereo(sampleRate: 48_000)

  /// The levels of all sounds together.
  let whole: EarLevels

  /// The levels of each sound alone.
  let solos: [EarLevels]

  /// The loops of the sounds; the label of a sound is its number, from 0.
  let laps: [NotificationTimeline.Entry]

  /// The largest sample of the mix; below 0 dB, the mix does not clip.
  let peak: Decibels

  /// The mix for a page, if the page was asked for.
  let sound: PageSound?

  /// Renders a scene, and writes the mix to a sound file and for a page if they are asked for.
  init(of scene: Scene, recordingTo recording: OutputFile?, forPage: Bool = false) throws {
    var progress = ProgressLine()
    let renderings = Double(scene.placed.count + 1)
    var file = try recording.map { try AudioFileWriter(creating: $0.path, format: Self.format) }
    var sound = forPage ? try PageSoundWriter(format: Self.format) : nil
    var peak = Decibels.silence
    let timeline = NotificationTimeline()
    whole = try scene.render(noting: timeline) { mix, part in
      try file?.write(mix)
      try sound?.write(mix)
      peak = max(peak, mix.peak)
      progress.show("Rendering", done: part / renderings)
    }
    try file?.close()
    self.sound = try sound?.finish()
    laps = timeline.entries
    self.peak = peak
    solos = try scene.placed.indices.map { index in
      try scene.render(only: index) { _, part in
        progress.show("Measuring", done: (Double(index + 1) + part) / renderings)
      }
    }
  }
}
