import GameAudio
import Spatial3D
import Spatial3DTesting
import Testing

/// A gain below zero is most likely meant as decibels: it changes nothing, and is reported.
@Suite struct NegativeGainTests {
  private static let tone = Sound(
    TestSignal.sine(frequency: 440, duration: .seconds(1), format: .mono(sampleRate: 48_000))
  )

  private final class Scene {
    let offline: OfflineRenderer
    let world: AudioWorld
    let (emitter, bus, unit): (Emitter, Bus, EffectUnit)
    let reports = Collected<Diagnostic>()

    init() throws {
      offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
      world = AudioWorld(in: offline.context)
      emitter = Emitter(playing: NegativeGainTests.tone, in: world)
      bus = world.mixer.makeBus("music")
      unit = try EffectUnit(.echo(.init()), in: offline.context)
      let reports = reports
      offline.context.onDiagnostic = { reports.append($0) }
    }
  }

  @Test func `A negative gain changes nothing, and its diagnostic has the form of a level`() throws {
    var room = ReverbZone(.sphere(center: .zero, radius: 3), Reverb(.smallRoom), name: "hall")
    room.reverb.room.gain = -6
    let calls: [(String, (Scene) throws -> Void)] = [
      ("emitter", { $0.emitter.gain = -6 }), ("fade", { $0.emitter.fade(to: -6, .none) }),
      ("send", { $0.emitter.send(to: $0.unit, gain: -6) }), ("bus", { $0.bus.gain = -6 }),
      ("fade of a bus", { $0.bus.fade(to: -6, .none) }), ("send of a bus", { $0.bus.send(to: $0.unit, gain: -6) }),
      ("listener", { $0.world.listener.gain = -6 }), ("one-shot", { $0.world.playOnce(Self.tone, gain: -6) }),
      ("one-shot of an emitter", { $0.emitter.playOnce(Self.tone, gain: -6) }),
      ("player", { (try SoundPlayer(playing: Self.tone, in: $0.world)).volume = -6 }),
      (
        "bank",
        { scene in
          let bank = SoundBank(in: scene.world)
          bank.define("tone", Self.tone, loading: .onDemand)
          try bank.play("tone", gain: -6)
        }
      ),
      ("snapshot", { $0.world.mixer.apply(MixSnapshot(lines: ["music": .init(gain: -6)]), .none) }),
      ("cone", { $0.emitter.cone = Cone(outerGain: -6) }), ("zone", { $0.world.zones = [room] }),
    ]
    for (name, call) in calls {
      let scene = try Scene()
      try call(scene)
      let sentences = scene.reports.all.map(\.message)
      #expect(sentences.count == 1 && sentences[0].contains(".decibels(-6.0)"), "\(name): \(sentences)")
      #expect(
        scene.emitter.gain == .unity && scene.bus.gain == .unity && scene.world.listener.gain == .unity,
        "\(name)"
      )
    }
  }
}
