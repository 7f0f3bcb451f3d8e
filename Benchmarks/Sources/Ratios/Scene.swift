import Spatial3D
import Spatial3DTesting

/// Looping sources around the listener, each at a place of its own, mixed offline.
struct Scene: ~Copyable {
  var renderer: OfflineRenderer
  let sources: [SoundSource]

  static var tone: PCMBuffer<Float> {
    TestSignal.sine(frequency: 440, duration: .seconds(1), format: .mono(sampleRate: 48_000))
  }

  init(sourceCount: Int) throws {
    let renderer = try OfflineRenderer(
      format: .stereo(sampleRate: 48_000),
      settings: OutputSettings(sourceLimit: sourceCount)
    )
    let context = renderer.context
    let buffer = try SoundBuffer(Self.tone, in: context)
    sources = try (0..<sourceCount).map { index in
      let source = try SoundSource(playing: buffer, in: context)
      source.isLooping = true
      source.position = [Float(index % 8) - 3.5, 0, Float(index / 8) - 3.5]
      source.play()
      return source
    }
    self.renderer = renderer
  }
}
