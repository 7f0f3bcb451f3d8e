import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// The diagnostic about a source that was played and released before a mix.
@Suite struct ReleaseTests {
  /// The diagnostics of an offline context in which a closure plays and releases sources, and of a mix afterwards.
  private func diagnostics(
    rendering frames: Int = 100,
    _ play: (AudioContext, SoundBuffer) throws -> Void
  ) throws -> [Diagnostic] {
    let log = DiagnosticLog()
    var offline = try OfflineRenderer(format: Scenes.mono)
    offline.context.onDiagnostic = { log.add($0) }
    let hum = TestSignal.sine(frequency: 440, duration: .seconds(1), format: Scenes.mono)
    try play(offline.context, SoundBuffer(hum, named: "hum.ogg", in: offline.context))
    #expect(log.codes.isEmpty)
    offline.render(frameCount: frames)
    offline.render(frameCount: frames)
    return log.all
  }

  @Test func `A source that is dropped before the mixer played it is reported once, with its sound and position`()
    throws
  {
    let reported = try diagnostics { context, buffer in
      for x: Float in [3, 4, 5] {
        let source = try SoundSource(playing: buffer, in: context)
        source.position = [x, 0, 0]
        source.play()
        source.play()
      }
    }
    #expect(reported.map(\.code) == [.releasedUnplayed])
    #expect(reported[0].message.contains("a source of \"hum.ogg\", at [3.0, 0.0, 0.0] was dropped before the mixer"))
  }

  @Test func `A queue and a group call are reported as well`() throws {
    #expect(
      try diagnostics { context, buffer in
        let source = try SoundSource(in: context)
        try source.queue([buffer, buffer])
        context.play([source])
      }.map(\.code) == [.releasedUnplayed]
    )
  }

  @Test func `Without a later mix nothing is reported`() throws {
    #expect(try diagnostics(rendering: 0) { try SoundSource(playing: $1, in: $0).play() }.isEmpty)
  }

  @Test(arguments: 0..<10)
  func `A source that the program ended, never started or plays later is not reported`(scene: Int) throws {
    let reported = try diagnostics { context, buffer in
      let source = try SoundSource(playing: buffer, in: context)
      switch scene {
      case 0: break
      case 1:
        source.play()
        source.stop()
      case 2:
        source.play()
        source.pause()
      case 3:
        source.play()
        source.rewind()
      case 4: source.play(at: .seconds(1))
      case 5:
        context.suspend(.freeze)
        source.play()
      case 6:
        context.suspend(.queue)
        source.play()
      case 7: try context.playOnce(buffer)
      case 8: try SoundSource(streaming: SampleReader(frames: 9_000), in: context).play()
      default: try SoundSource(in: context).play()
      }
    }
    #expect(reported.isEmpty)
  }

  @Test func `A source that was heard, or plays again, is not reported`() throws {
    let log = DiagnosticLog()
    var offline = try OfflineRenderer(format: Scenes.mono)
    offline.context.onDiagnostic = { log.add($0) }
    var sources = try (0..<2).map { _ in try Scenes.noise(in: offline.context) }
    offline.render(frameCount: 64)
    sources[1].stop()
    sources[1].play()
    sources = []
    offline.render(frameCount: 64)
    #expect(log.codes.isEmpty)
  }

  @Test(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"))
  func `A source that is dropped while there is no output is not reported`() async throws {
    let log = DiagnosticLog()
    let device = try AudioDevice()
    let context = try AudioContext(device: device)
    context.onDiagnostic = { log.add($0) }
    // Nothing is mixed on the placeholder then.
    device.keepsTimeWithoutOutput = false
    context.inspector.forceUnplugged(true)
    for _ in 0..<20 { _ = try Scenes.noise(in: context) }
    try await eventually("the placeholder is in place") { device.handle.isPlaceholder }
    for _ in 0..<20 { _ = try Scenes.noise(in: context) }
    #expect(log.codes.isEmpty)
    context.inspector.forceUnplugged(false)
  }

  @Test func `A silent device reports a dropped source at once`() async throws {
    let log = DiagnosticLog()
    let context = try AudioContext(device: .silent)
    context.onDiagnostic = { log.add($0) }
    // The mixer may play one of them in time.
    try await eventually("a source is dropped between two mixes") {
      _ = try Scenes.noise(in: context)
      return !log.codes.isEmpty
    }
    #expect(log.codes == [.releasedUnplayed])
  }
}
