import GameAudio
import Testing

/// A gain below zero is most likely meant as decibels: it changes nothing, and is reported.
@Suite struct NegativeGainTests {
  @Test func `A negative gain changes nothing, and its diagnostic has the form of a level`() throws {
    var room = ReverbZone(.sphere(center: .zero, radius: 3), Reverb(.smallRoom), name: "hall")
    room.reverb.room.gain = -6
    let calls: [(String, (ClampScene) throws -> Void)] = [
      ("emitter", { $0.emitter.gain = -6 }), ("fade", { $0.emitter.fade(to: -6, .none) }),
      ("send", { $0.emitter.send(to: $0.unit, gain: -6) }), ("bus", { $0.bus.gain = -6 }),
      ("fade of a bus", { $0.bus.fade(to: -6, .none) }), ("send of a bus", { $0.bus.send(to: $0.unit, gain: -6) }),
      ("listener", { $0.world.listener.gain = -6 }), ("one-shot", { $0.world.playOnce(ClampScene.tone, gain: -6) }),
      ("one-shot of an emitter", { $0.emitter.playOnce(ClampScene.tone, gain: -6) }),
      ("player", { $0.player.volume = -6 }),
      (
        "bank",
        { scene in
          scene.bank.define("tone", ClampScene.tone, loading: .onDemand)
          try scene.bank.play("tone", gain: -6)
        }
      ),
      ("snapshot", { $0.world.mixer.apply(MixSnapshot(lines: ["music": .init(gain: -6)]), .none) }),
      ("cone", { $0.emitter.cone = Cone(outerGain: -6) }), ("zone", { $0.world.zones = [room] }),
    ]
    for (name, call) in calls {
      let scene = try ClampScene()
      try call(scene)
      let sentences = scene.sentences
      #expect(sentences.count == 1 && sentences[0].contains(".decibels(-6.0)"), "\(name): \(sentences)")
      #expect(
        scene.emitter.gain == .unity && scene.bus.gain == .unity && scene.world.listener.gain == .unity,
        "\(name)"
      )
    }
  }
}
