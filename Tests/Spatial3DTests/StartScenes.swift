import Spatial3DTesting
import TestSupport

@testable import Spatial3D

/// Sounds, mixes and versions for tests of starts at a frame.
enum StartScenes {
  static let libraries: [DisabledFeatures] = [[], [.startDelay], [.deviceClock]]

  /// A source of the samples 1, 2, 3 … in 1/1,000, which give its position.
  static func ramp(
    frames: Int = 4_000,
    loopRange: Range<Int>? = nil,
    in context: AudioContext
  ) throws -> SoundSource {
    let samples = (1...frames).map { Float($0) / 1_000 }
    let pcm = try PCMBuffer(samples: samples, format: Scenes.mono)
    let source = try SoundSource(playing: SoundBuffer(pcm, loopRange: loopRange, in: context), in: context)
    source.gainLimits = 0...16
    return source
  }

  /// A mix of many pieces of random lengths.
  static func render(_ frameCount: Int, _ offline: inout OfflineRenderer) -> [Float] {
    var generator = SplitMix64(seed: UInt64(frameCount))
    var mix: [Float] = []
    while mix.count < frameCount {
      let piece = min(Int.random(in: 1...1_500, using: &generator), frameCount - mix.count)
      mix += offline.render(frameCount: piece).samples
    }
    return mix
  }

  static func time(ofFrame frame: Int) -> Duration { Scenes.mono.duration(ofFrames: frame) }
}
