import Spatial3DTesting
import Testing

@testable import Spatial3D

/// Filters at the lowest and the highest rates of a mix.
@Suite struct MixRateTests {
  static let hasStableFilters: Bool = {
    let version = try? OfflineRenderer(format: .mono(sampleRate: 48_000)).context.inspector.libraryVersion
    return EffectLimits(version: version, rate: Double(Ranges.mixRate.lowerBound)).hasStableFilters
  }()
  static let lowestRate = hasStableFilters ? Ranges.mixRate.lowerBound : Int(EffectLimits.lowestStableRate)

  @Test(arguments: [lowestRate, 12_000, 16_000, 22_050, Ranges.mixRate.upperBound])
  func `The filters of a source do not amplify it at any mix rate`(rate: Int) throws {
    let format = PCMFormat.mono(sampleRate: rate)
    var offline = try OfflineRenderer(format: format)
    let noise = TestSignal.noise(duration: .milliseconds(200), format: format)
    let loudest = noise.samples.map(abs).max() ?? 0
    let source = try SoundSource(playing: SoundBuffer(noise, in: offline.context), in: offline.context)
    source.isLooping = true
    source.play()
    let filters: [(SoundSource) -> Void] = [
      { $0.occlusion = -60 }, { $0.obstruction = -100 }, { $0.airAbsorption = 10 },
      { $0.cone = Cone(innerAngle: 10, outerAngle: 20, outerGain: 1, outerHighFrequencyGain: 0) },
    ]
    source.position = [0, 0, -15]
    source.direction = [0, 0, -1]
    source.attenuation = DistanceAttenuation(referenceDistance: 100, maximumDistance: 200)
    for filter in filters {
      filter(source)
      let mix = offline.render(.milliseconds(400))
      // A filter may ring a little.
      #expect(mix.samples.allSatisfy { abs($0) <= 2 * loudest })
    }
  }

  @Test func `A version without stable filters at 8,000 Hz mixes at 11,025 Hz and above`() throws {
    let device = try AudioDevice.silent
    let context = try AudioContext(device: device, settings: OutputSettings(sampleRate: 8_000))
    #expect(context.sampleRate == Self.lowestRate)
    let second = try AudioContext(device: device, settings: OutputSettings(sampleRate: 22_050))
    #expect(context.sampleRate == 22_050)
    let third = try AudioContext(device: device, settings: OutputSettings(sampleRate: 1))
    #expect(third.sampleRate == Self.lowestRate)
    withExtendedLifetime(second) {}

    for rate in [8_000, 11_024] {
      let format = PCMFormat.mono(sampleRate: rate)
      if Self.hasStableFilters {
        #expect(try OfflineRenderer(format: format).context.sampleRate == rate)
      } else {
        let error = #expect(throws: AudioError.self) { _ = try OfflineRenderer(format: format) }
        #expect(error?.code == .formatUnsupported)
        #expect(error?.message.contains("from 11,025 Hz") == true)
      }
    }
    let low = #expect(throws: AudioError.self) { _ = try OfflineRenderer(format: .mono(sampleRate: 7_999)) }
    #expect(low?.code == .formatUnsupported)
  }
}
