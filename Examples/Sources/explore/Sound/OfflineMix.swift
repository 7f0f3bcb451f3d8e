import GameAudio
import Stage

/// The scene rendered offline, update by update: the mix that a script writes to a file, and that the meters measure.
///
/// An output has no meter. A live exploration therefore renders the same scene a second time, and measures that.
final class OfflineMix {
  static let format = PCMFormat.stereo(sampleRate: 48_000)

  let soundscape: Soundscape
  private var renderer: OfflineRenderer
  private var mix = PCMBuffer<Float>(format: OfflineMix.format)
  /// The part of a frame that the updates so far have left.
  private var remainder = 0.0

  init(_ sounds: [MonoSound], of world: World, voices: Int) throws(AudioError) {
    // Loud sounds of a user could clip together; an output has a limiter by default.
    renderer = try OfflineRenderer(format: Self.format, settings: OutputSettings(limiter: .on))
    soundscape = Soundscape(sounds, of: world, in: renderer.context, voices: voices)
  }

  /// Renders a number of seconds of the scene as it is.
  func render(seconds: Double) -> PCMBuffer<Float> {
    let frames = seconds * Double(Self.format.sampleRate) + remainder
    remainder = frames - frames.rounded()
    renderer.render(into: &mix, frameCount: Int(frames.rounded()))
    return mix
  }
}
