import FileDecode
import Spatial3D
import Stage

/// An exploration by a script of keys, rendered offline: the same screens and the same mix in every run.
struct ScriptedRun {
  /// A screen at a time in seconds.
  struct Frame {
    let time: Double
    let screen: Screen
  }

  /// The screens at equal distances of time; the last screen shows the end.
  private(set) var frames: [Frame] = []

  /// The largest magnitude of the samples of the mix.
  private(set) var peak: Float = 0

  /// Performs a script, and writes the mix to a sound file if it is given.
  init(
    of sounds: [MonoSound],
    by script: KeyScript,
    frameCount: Int,
    size: Screen.Size,
    _ glyphs: Glyphs,
    voices: Int = World.voices,
    recordingTo recording: OutputFile? = nil
  ) throws {
    let exploration = try Exploration(of: sounds, voices: voices)
    var file = try recording.map { try AudioFileWriter(creating: $0.path, format: OfflineMix.format) }
    var progress = ProgressLine()
    let step = 1 / Double(World.updateRate)
    let updateCount = max(Int((script.seconds * Double(World.updateRate)).rounded()), 1)
    var keys = script.steps[...]
    for update in 0..<updateCount {
      // Half a millisecond covers the rounding of a key's time.
      while let next = keys.first, next.time < Double(update) * step + 0.000_5 {
        keys.removeFirst()
        if let command = Command(next.key) { exploration.perform(command) }
      }
      let mix = exploration.advance(by: step)
      peak = mix.samples.reduce(peak) { max($0, abs($1)) }
      try file?.write(mix)
      // The frame n of N shows the update at which n / N of all updates are done.
      if (update + 1) * frameCount / updateCount > update * frameCount / updateCount {
        let screen = exploration.screen(size, output: "offline, by a script", glyphs)
        frames.append(Frame(time: exploration.world.time, screen: screen))
      }
      progress.show("Rendering", done: Double(update + 1) / Double(updateCount))
    }
    try file?.close()
  }
}
