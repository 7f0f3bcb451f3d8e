import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Changes of rooms and effects on many threads at once, and during a mix.
@Suite struct RoomThreadTests {
  @Test(arguments: [[], [.threadLocalContexts], [.deferredUpdates]] as [DisabledFeatures])
  func `Rooms, sends and effects may be set from any thread while others mix and drop them`(
    disabled: DisabledFeatures
  ) throws {
    var settings = OutputSettings()
    settings.auxiliarySendLimit = 4
    var renderer = try OfflineRenderer(format: .mono(sampleRate: 11_025), settings: settings, disabling: disabled)
    let context = renderer.context
    let noise = TestSignal.noise(duration: .milliseconds(500), format: .mono(sampleRate: 11_025))
    let buffer = try SoundBuffer(noise, in: context)
    let sources = try (0..<4).map { _ in try SoundSource(playing: buffer, in: context) }
    for source in sources {
      source.isLooping = true
      source.play()
    }
    let diagnostics = DiagnosticLog()
    context.onDiagnostic = { diagnostics.add($0) }
    let workers = Workers(count: 4) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      for _ in 0..<60 {
        let source = sources[Int.random(in: 0..<4, using: &random)]
        let level = Decibels(Float.random(in: -40...10, using: &random))
        switch Int.random(in: 0..<5, using: &random) {
        case 0: context.reverb = RoomPreset.allCases.randomElement(using: &random).map { Reverb($0, level: level) }
        case 1: context.reverb = nil
        case 2: source.effectSends = (try? EffectUnit(.echo(.init()), in: context)).map { [EffectSend(to: $0)] } ?? []
        case 3: source.reverbBlend = Float.random(in: 0...1, using: &random)
        default:
          context.withDeferredUpdates {
            for source in sources { source.occlusion = level }
            source.obstruction = level
            source.reverbBlend = Float.random(in: 0...1, using: &random)
          }
        }
      }
    }
    while !workers.areDone { _ = renderer.render(frameCount: 256) }
    #expect(diagnostics.codes.isEmpty)
  }
}
