import TestSupport
import Testing

@testable import GameAudio

/// The parts of a world in random games: what is kept up to date with each call is what the emitters say.
@Suite struct WorldConsistencyTests {
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `The state of a random game agrees with itself after each frame`(seed: UInt64) throws {
    var scene = try RandomScene(seed: 400 + seed)
    try scene.prepare()
    for frame in 0..<60 {
      _ = try scene.play(frames: 1)
      let faults = scene.world.inspector.state.faults
      #expect(faults.isEmpty, "frame \(frame)")
      guard faults.isEmpty else { return }
    }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `The sources of a random game have the values of their emitters after each frame`(seed: UInt64) throws {
    var scene = try RandomScene(seed: 500 + seed)
    var compared = 0
    for _ in 0..<60 {
      let before = scene.world.inspector.tickCount
      _ = try scene.play(frames: 1)
      let state = scene.world.inspector.state
      guard state.playback.scene.time.ticks > before, state.playback.outbox.commands.isEmpty else { continue }
      for (index, voice) in state.playback.voices.all.enumerated()
      where voice.state == .sounding && voice.role == .plain {
        let source = scene.world.inspector.source(ofVoice: index)
        let values = voice.values
        #expect(source.position == values.position && source.velocity == values.velocity)
        #expect(source.direction == values.direction && source.cone == values.cone && source.radius == values.radius)
        #expect(source.pitch == values.pitch && source.filter == values.filter)
        #expect(source.occlusion == values.occlusion && source.obstruction == values.obstruction)
        #expect(source.isListenerRelative == !values.isPlaced && source.usesDirectChannels == values.isDirect)
        #expect(source.stereoAngles == values.angles && source.attenuation == values.law)
        let sends = state.playback.scene.sends(of: try #require(voice.slot), with: voice.feeds)
        #expect(
          Set(source.effectSends.map { ObjectIdentifier($0.unit) }) == Set(sends.map { ObjectIdentifier($0.unit) })
        )
        compared += 1
      }
    }
    #expect(compared > 40)
  }
}
