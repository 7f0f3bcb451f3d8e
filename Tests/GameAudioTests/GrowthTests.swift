import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The cost of many things at once: it grows with their number, and not with its square.
@Suite struct GrowthTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  @Test func `Different sounds that begin together`() throws {
    let samples = TestSignal.noise(duration: .milliseconds(5), format: Self.mono)
    try expectGrowth(of: "sounds", from: 400) { count in
      let offline = try OfflineRenderer(format: Self.mono)
      let world = AudioWorld(in: offline.context, voiceLimit: 4)
      let emitters = (0..<count).map { _ in Emitter(playing: Sound(samples), in: world) }
      world.update { for emitter in emitters { emitter.play() } }
      #expect(emitters.allSatisfy { $0.isPlaying })
    }
  }

  @Test(arguments: [Fade.declick, Fade(.zero)]) func `Buses, and a snapshot for all of them`(fade: Fade) throws {
    try expectGrowth(of: "buses", from: 500) { count in
      let offline = try OfflineRenderer(format: Self.mono)
      let world = AudioWorld(in: offline.context, voiceLimit: 1)
      let names = (0..<count).map { "bus \($0)" }
      for name in names { _ = world.mixer.makeBus(BusName(name)) }
      let line = MixSnapshot.Line(gain: .decibels(-6), low: -3, high: -2, pitch: 1.5)
      let unknown = (0..<count).map { "unknown \($0)" }
      let lines = (names + unknown).map { (BusName($0), line) }
      world.mixer.apply(MixSnapshot(lines: Dictionary(uniqueKeysWithValues: lines)), fade)
    }
  }

  @Test func `Gains of buses that are set one by one`() throws {
    try expectGrowth(of: "gains", from: 500) { count in
      let offline = try OfflineRenderer(format: Self.mono)
      let world = AudioWorld(in: offline.context, voiceLimit: 1)
      let buses = (0..<count).map { world.mixer.makeBus("bus \($0)") }
      for (index, bus) in buses.enumerated() { bus.gain = .decibels(Decibels(-Float(index % 40))) }
    }
  }

  @Test func `Changes of the tempo that lie ahead`() {
    expectGrowth(of: "tempo changes", from: 1_000) { count in
      var timeline = BeatTimeline(120, meter: Meter(4, 4))
      timeline.start(at: nil, fromBeat: 0)
      for tick in 0..<count / 50 {
        timeline.adopt(.milliseconds(10 * tick))
        for change in 1...50 {
          timeline.setTempo(Tempo(Double(60 + change)), at: timeline.now + .milliseconds(997 * change))
        }
      }
    }
  }
}
