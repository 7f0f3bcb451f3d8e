import Spatial3D
import Spatial3DTesting

/// Scenes of one source, rendered to be measured.
enum Measured {
  static let rate = 48_000
  static let mono = PCMFormat.mono(sampleRate: rate)
  static let noise = TestSignal.noise(duration: .milliseconds(200), format: mono, amplitude: 0.25)

  /// The mixes of a looping sound, in mono or stereo: one for each value, after `change` has applied it.
  static func mixes<Value>(
    of sound: PCMBuffer<Float>,
    for values: [Value],
    format: PCMFormat = mono,
    settings: OutputSettings = OutputSettings(),
    _ change: (SoundSource, AudioContext, Value) -> Void
  ) throws -> [PCMBuffer<Float>] {
    var renderer = try OfflineRenderer(format: format, settings: settings)
    if settings.hrtf == .on, !renderer.context.output.hrtf.isOn {
      throw PictureError(description: "There is no HRTF: \(renderer.context.output.hrtf).")
    }
    let source = try SoundSource(playing: SoundBuffer(sound, in: renderer.context), in: renderer.context)
    source.isLooping = true
    return values.map { value in
      change(source, renderer.context, value)
      source.play()
      // Gains and filters reach their new values.
      _ = renderer.render(.milliseconds(200))
      return renderer.render(.milliseconds(200))
    }
  }
}
