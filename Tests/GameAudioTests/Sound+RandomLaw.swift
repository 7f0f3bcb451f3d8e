import GameAudio
import TestSupport

extension Sound {
  /// The sound with a random law of distance of a model, in half of the cases with a distance of silence.
  func withRandomLaw(_ model: DistanceModel, using random: inout SplitMix64) -> Sound {
    var sound = self
    sound.attenuation = DistanceAttenuation(
      referenceDistance: .random(in: 0.5...4, using: &random),
      maximumDistance: .random(in: 20...200, using: &random),
      rolloffFactor: .random(in: 0...2, using: &random),
      model: model
    )
    if Bool.random(using: &random) { sound.silentBeyond = .random(in: 5...80, using: &random) }
    return sound
  }
}
