import GameAudio
import Spatial3D
import Spatial3DTesting
import Testing

/// Emitters that are released before they are mixed.
@Suite struct UnheldEmitterTests {
  private static let tone = Sound(
    TestSignal.sine(frequency: 440, duration: .seconds(1), format: .mono(sampleRate: 48_000))
  )

  private static func reports(_ body: (inout OfflineRenderer, AudioWorld) -> Void) throws -> [Diagnostic] {
    var offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
    let reports = Collected<Diagnostic>()
    offline.context.onDiagnostic = { reports.append($0) }
    body(&offline, AudioWorld(in: offline.context))
    return reports.all
  }

  @Test func `An emitter that nobody holds is reported once`() throws {
    let reports = try Self.reports { offline, world in
      for _ in 0..<2 { Emitter(playing: Self.tone, in: world).play() }
      offline.render(.milliseconds(50))
    }
    #expect(reports.map(\.code) == [.releasedUnplayed])
    #expect(reports.first?.message.hasPrefix("The last reference to emitter 1 (A sound in memory) was dropped") == true)
    #expect(reports.first?.message.contains("AudioWorld.playOnce") == true)
  }

  @Test func `An emitter that was mixed, stopped, scheduled or is played by its world is not reported`() throws {
    let reports = try Self.reports { offline, world in
      do {
        let emitter = Emitter(playing: Self.tone, in: world)
        emitter.play()
        offline.render(.milliseconds(50))
      }
      do {
        let emitter = Emitter(playing: Self.tone, in: world)
        emitter.play()
        offline.render(.milliseconds(50))
        emitter.play()
      }
      do {
        let emitter = Emitter(playing: Self.tone, in: world)
        emitter.play()
        emitter.stop()
      }
      Emitter(playing: Self.tone, in: world).play(at: .seconds(1))
      world.playOnce(Self.tone)
      _ = Emitter(playing: Self.tone, in: world)
      offline.render(.milliseconds(50))
    }
    #expect(reports.isEmpty)
  }
}
