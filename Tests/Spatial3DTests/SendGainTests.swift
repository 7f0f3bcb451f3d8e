import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// The gain of one send.
@Suite struct SendGainTests {
  /// The mix of a tone through two echoes, of which a closure sets the sends.
  private func mix(_ setSends: (SoundSource, [EffectUnit]) -> Void) throws -> PCMBuffer<Float> {
    var settings = OutputSettings()
    settings.auxiliarySendLimit = 4
    var offline = try OfflineRenderer(format: Scenes.mono, settings: settings)
    let units = try [
      EffectUnit(.echo(.init()), in: offline.context), EffectUnit(.chorus(.chorus), in: offline.context),
    ]
    let source = try Scenes.noise(in: offline.context)
    source.effectSends = units.map { EffectSend(to: $0) }
    offline.render(frameCount: 4_800)
    setSends(source, units)
    return offline.render(frameCount: 48_000)
  }

  @Test func `A send's gain sounds like the same gain in an array`() throws {
    let one = try mix { source, units in
      source.setSendGain(0.25, highFrequencyLevel: -12, to: units[0])
      source.setSendGain(0, to: units[1])
      #expect(source.effectSends.map(\.gain) == [0.25, 0])
    }
    let array = try mix { source, units in
      source.effectSends = [
        EffectSend(to: units[0], gain: 0.25, highFrequencyLevel: -12), EffectSend(to: units[1], gain: 0),
      ]
    }
    #expect(one.samples == array.samples)
    #expect(try one.samples != mix { _, _ in }.samples)
  }

  @Test func `A unit that the source does not feed is added, within the limit`() throws {
    var settings = OutputSettings()
    settings.auxiliarySendLimit = 1
    let offline = try OfflineRenderer(format: Scenes.mono, settings: settings)
    let log = DiagnosticLog()
    offline.context.onDiagnostic = { log.add($0) }
    let source = try SoundSource(in: offline.context)
    let units = try (0..<2).map { _ in try EffectUnit(.echo(.init()), in: offline.context) }
    source.setSendGain(0.5, to: units[0])
    #expect(source.effectSends == [EffectSend(to: units[0], gain: 0.5)])
    source.setSendGain(0.5, to: units[1])
    #expect(source.effectSends == [EffectSend(to: units[0], gain: 0.5)])
    #expect(log.codes == [.sendLimitExceeded])
    source.effectSends = []
    #expect(source.effectSends.isEmpty)
  }

  @Test(arguments: [(2, 1), (-1, 0.5), (Gain(.infinity), 0.5), (Gain(.nan), 0.5)] as [(Gain, Gain)])
  func `A gain above its range is clamped, and one that is negative or no number is left out`(gain: Gain, result: Gain)
    throws
  {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let log = DiagnosticLog()
    offline.context.onDiagnostic = { log.add($0) }
    let source = try SoundSource(in: offline.context)
    let unit = try EffectUnit(.echo(.init()), in: offline.context)
    source.setSendGain(0.5, to: unit)
    source.setSendGain(gain, highFrequencyLevel: 6, to: unit)
    #expect(source.effectSends == [EffectSend(to: unit, gain: result)])
    #expect(log.codes.isEmpty == gain.isUsable)
  }
}
