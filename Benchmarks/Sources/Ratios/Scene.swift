import Spatial3D
import Spatial3DTesting

/// Looping sources around the listener, each at its own position, mixed offline.
final class Scene {
  var renderer: OfflineRenderer
  let context: AudioContext
  let sources: [SoundSource]
  private var mix = PCMBuffer<Float>(format: .stereo(sampleRate: 48_000))

  /// The distance of all sources behind the listener.
  private let distance: Float

  /// A tone, by default at the rate of most assets, which requires resampling in a mix of 48,000 Hz.
  static func tone(sampleRate: Int = 44_100) -> PCMBuffer<Float> {
    TestSignal.sine(frequency: 440, duration: .seconds(1), format: .mono(sampleRate: sampleRate))
  }

  /// Creates sources that start at the beginning of their sound.
  ///
  /// With `isSpread` they start at different frames of it, so that some of them loop in every mix.
  init(sourceCount: Int, voice: Voice = .plain, isSpread: Bool = false) throws {
    let renderer = try OfflineRenderer(
      format: .stereo(sampleRate: 48_000),
      settings: OutputSettings(hrtf: voice == .hrtf ? .on : .off, sourceLimit: sourceCount)
    )
    let context = renderer.context
    if voice == .hrtf, case .refused = context.output.hrtf { throw NoHRTF() }
    if voice == .send { context.reverb = Reverb(efx: .generic) }
    let tone = Self.tone(sampleRate: voice == .atMixRate ? 48_000 : 44_100)
    distance = voice == .far ? 10_000 : 0
    let buffer = try SoundBuffer(tone, in: context)
    sources = try (0..<sourceCount).map { index in
      let source = try SoundSource(playing: buffer, in: context)
      source.isLooping = true
      if isSpread { source.playbackFrame = index * tone.frameCount / sourceCount }
      if voice == .send { source.reverbBlend = Voice.sendLevel }
      if voice == .airAbsorption { source.airAbsorption = 1 }
      if voice == .silent { source.gain = 0 }
      if voice == .occluded || voice == .clearedOfOcclusion { source.occlusion = Voice.occlusion }
      return source
    }
    context.play(sources)
    if voice == .paused { context.pause(sources) }
    self.renderer = renderer
    self.context = context
    if voice == .clearedOfOcclusion {
      // Mixes once with the occlusion.
      moveAndMix(0)
      for source in sources { source.occlusion = 0 }
    }
  }

  static let framesPerMix = 1_024

  /// Moves every source slightly, in a deferred update, and mixes the next frames.
  func moveAndMix(_ x: Float) {
    context.withDeferredUpdates {
      for (index, source) in sources.enumerated() {
        source.position = [Float(index % 8) - 3.5 + x, 0, Float(index / 8) - 3.5 + distance]
      }
    }
    renderer.render(into: &mix, frameCount: Self.framesPerMix)
  }

  /// The samples of the last mix.
  var samples: [Float] { mix.samples }

  struct NoHRTF: Error, CustomStringConvertible {
    let description = "OpenAL Soft has no HRTF data here: Debian has it in libopenal-data."
  }
}
