import Spatial3D
import Spatial3DTesting

/// The loss of a sound's level behind a wall.
enum WallLoss {
  /// The part of a sound that is measured.
  private static let duration = Duration.seconds(2)

  /// Renders a sound with and without a wall, and returns the change of its level in decibels.
  ///
  /// The occlusion is exact at 5 kHz, and low notes lose a quarter of it, so that the loss depends on the sound.
  static func measure(_ sound: PCMBuffer<Float>) throws(AudioError) -> Double {
    let change = try level(of: sound, behind: Decibels(Float(World.wallLevel))) - level(of: sound, behind: 0)
    return change.isFinite ? change : World.wallLevel
  }

  private static func level(of sound: PCMBuffer<Float>, behind occlusion: Decibels) throws(AudioError) -> Double {
    var renderer = try OfflineRenderer(format: .mono(sampleRate: 48_000))
    let source = try SoundSource(playing: SoundBuffer(sound, in: renderer.context), in: renderer.context)
    source.isLooping = true
    source.occlusion = occlusion
    source.play()
    return Double(renderer.render(duration).level.rawValue)
  }
}
