import Foundation
import Spatial3DTesting
import Testing

@testable import Spatial3D

@Suite struct ResamplerTests {
  /// The error of a 4 kHz sine, played a quarter too slowly, as a level.
  private func error(of resampler: Resampler?) throws -> Decibels {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let tone = TestSignal.sine(frequency: 4_000, duration: .milliseconds(200), format: Scenes.mono, amplitude: 0.5)
    let source = try SoundSource(playing: SoundBuffer(tone, in: offline.context), in: offline.context)
    source.resampler = resampler
    source.pitch = 0.75
    source.play()
    let mix = offline.render(frameCount: 4_096).samples[1_024...]
    // The error is the rest of the mix without its 3 kHz sine of 16 frames a period.
    let (sine, cosine) = mix.enumerated().reduce(into: (Float(0), Float(0))) { sums, sample in
      let phase = Float(sample.offset % 16) * .pi / 8
      sums.0 += sample.element * sin(phase)
      sums.1 += sample.element * cos(phase)
    }
    let scale = 2 / Float(mix.count)
    let rest = mix.enumerated().map { index, sample in
      let phase = Float(index % 16) * .pi / 8
      return sample - scale * (sine * sin(phase) + cosine * cos(phase))
    }
    return try PCMBuffer(samples: rest, format: Scenes.mono).level
  }

  @Test func `A context lists the resamplers by name and reports the default one`() throws {
    let context = try OfflineRenderer(format: Scenes.mono).context
    let resamplers = context.resamplers
    #expect(resamplers.count >= 3)
    #expect(Set(resamplers.map(\.name)).count == resamplers.count)
    #expect(resamplers.contains { $0.name == "Linear" })
    let first = try #require(context.defaultResampler)
    #expect(resamplers.contains(first))
    #expect(first.description == first.name)
  }

  @Test func `A more expensive resampler adds less distortion`() throws {
    let context = try OfflineRenderer(format: Scenes.mono).context
    let resamplers = context.resamplers
    let linear = try #require(resamplers.first { $0.name == "Linear" })
    let best = try #require(resamplers.last)
    let (pointError, linearError, bestError) = try (error(of: resamplers[0]), error(of: linear), error(of: best))
    #expect(linearError < pointError - 10)
    #expect(bestError < linearError - 10)
    #expect(try error(of: nil) == error(of: context.defaultResampler))
  }

  @Test func `A library without the resampler extension lists no resamplers`() throws {
    let context = try OfflineRenderer(format: Scenes.mono, disabling: [.sourceResampler]).context
    #expect(context.resamplers.isEmpty)
    #expect(context.defaultResampler == nil)
    #expect(!context.capabilities.contains(.sourceResampler))
  }
}
