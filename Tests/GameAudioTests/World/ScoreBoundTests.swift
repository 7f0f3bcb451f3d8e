import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The bounds by which a choice finds its candidates, beside the scores of random states.
@Suite struct ScoreBoundTests {
  private static let mono = PCMFormat.mono(sampleRate: 8_000)

  private static func sounds(using random: inout SplitMix64) -> [Sound] {
    DistanceModel.allCases.flatMap { model in
      (0..<3).map { _ in
        Sound(TestSignal.noise(duration: .milliseconds(500), format: mono)).withRandomLaw(model, using: &random)
      }
    }
  }

  /// Makes an emitter or player wait for a voice, with random values.
  private static func scatter(_ slot: EmitterSlot, in scene: inout WorldScene, using random: inout SplitMix64) {
    func number(_ range: ClosedRange<Float>) -> Float { .random(in: range, using: &random) }
    scene.emitters.setPosition([number(-60...60), number(-5...5), number(-60...60)], of: slot)
    scene.modify(slot) { record in
      (record.status, record.voice) = (.playing, nil)
      record.occupant = Bool.random(using: &random) ? .emitter : .player(PlayerIndex(0))
      (record.gain, record.copyGain) = (number(0...2), number(0.1...1))
      record.fade = Int.random(in: 0..<3, using: &random) == 0 ? 0 : number(0...1)
      record.priority = Priority(Int.random(in: 0..<100, using: &random))
    }
    guard Bool.random(using: &random) else { return }
    scene.emitters.changeRare(slot) { rare in
      rare.direction = [number(-1...1), number(-1...1), 0.1]
      rare.cone = Cone(innerAngle: 60, outerAngle: 200, outerGain: Gain(number(0...1)))
      (rare.occlusion, rare.obstruction) = (Decibels(number(-60...0)), Decibels(number(-60...0)))
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `No bound of an emitter or of a player in a fade is below its score`(seed: UInt64) throws {
    var random = SplitMix64(seed: 410 + seed)
    var state = try CommandState(Self.sounds(using: &random), mixesByFrames: true).state
    for _ in 0..<40 {
      for slot in state.playback.scene.emitters.indices {
        Self.scatter(slot, in: &state.playback.scene, using: &random)
        state.playback.scene.setLaw(of: slot)
        state.playback.scene.updateWeight(of: slot)
      }
      _ = state.playback.scene.mixer.change(0) { bus in
        bus.gain = .random(in: 0.1...2, using: &random)
        bus.filter = ToneFilter(
          low: Decibels(.random(in: -60...0, using: &random)),
          high: Decibels(.random(in: -60...0, using: &random))
        )
      }
      let copy = WorldCopy(state)
      let bounds = ScoreBounds(copy)
      for slot in copy.scene.emitters.indices {
        let (score, bound) = (copy.score(of: slot), bounds.upper(of: slot) ?? 0)
        #expect(score <= bound, "\(copy.scene.emitters[slot])")
      }
    }
  }
}
