import Foundation
import Spatial3DTesting
import Testing

@Suite struct LevelTests {
  private let stereo = PCMFormat.stereo(sampleRate: 48_000)

  @Test(arguments: [1, 0.5, 0.1, 0.001] as [Float])
  func `A sine lies 3 dB below its peak`(amplitude: Float) {
    let sine = TestSignal.sine(frequency: 1_000, duration: .seconds(1), format: stereo, amplitude: amplitude)
    #expect(abs((sine.level - Decibels(factor: amplitude)).rawValue + 3.010_3) < 0.001)
    #expect(abs((sine.level(ofChannel: 1) - Decibels(factor: amplitude)).rawValue + 3.010_3) < 0.001)
    #expect(abs((sine.peak - Decibels(factor: amplitude)).rawValue) < 0.001)
  }

  @Test func `Even noise lies 4_8 dB below its peak`() {
    let noise = TestSignal.noise(duration: .seconds(2), format: stereo, amplitude: 1)
    #expect(abs(noise.level.rawValue + 4.771) < 0.05)
    #expect(noise.peak > -0.01 && noise.peak <= 0)
    let mean = noise.samples.reduce(0, +) / Float(noise.samples.count)
    #expect(abs(mean) < 0.01)
  }

  @Test func `Channels are measured apart`() throws {
    let samples = (0..<1_000).flatMap { _ in [1, -0.1] as [Float] }
    let buffer = try PCMBuffer(samples: samples, format: stereo)
    #expect(buffer.level(ofChannel: 0) == 0)
    #expect(abs(buffer.level(ofChannel: 1).rawValue + 20) < 1e-4)
    #expect(abs(buffer.level.rawValue - 10 * log10(0.505)) < 1e-4)
    #expect(buffer.level(ofChannel: 2) == .silence)
    #expect(buffer.level(ofChannel: -1) == .silence)
  }

  @Test func `The level of an empty buffer is silence`() {
    #expect(PCMBuffer<Float>(format: stereo).level == .silence)
    #expect(PCMBuffer<Float>(format: stereo).level(ofChannel: 0) == .silence)
    #expect(PCMBuffer<Float>(format: stereo).level(ofChannel: 1) == .silence)
    #expect(PCMBuffer<Float>(format: stereo).peak == .silence)
    #expect(PCMBuffer<Float>(format: stereo).levels(ofChannel: 0, windowFrames: 10).isEmpty)
  }

  @Test func `Windows follow each other and the last may be shorter`() throws {
    // Frame n has n on the left and a tenth of it on the right.
    let samples = (0..<25).flatMap { [Float($0), Float($0) / 10] }
    let buffer = try PCMBuffer(samples: samples, format: stereo)
    for (channel, factor) in [(0, Float(1)), (1, 0.1)] {
      let levels = buffer.levels(ofChannel: channel, windowFrames: 10)
      #expect(levels.count == 3)
      for (level, frames) in zip(levels, [0..<10, 10..<20, 20..<25]) {
        let mean = frames.map { Float($0 * $0) }.reduce(0, +) / Float(frames.count)
        #expect(abs((level - Decibels(factor: mean.squareRoot() * factor)).rawValue) < 1e-3)
      }
    }
    #expect(buffer.levels(ofChannel: 2, windowFrames: 10).isEmpty)
    #expect(buffer.levels(ofChannel: 0, windowFrames: 0).count == 25)
    #expect(buffer.levels(ofChannel: 0, windowFrames: .max).count == 1)
  }

  @Test func `A 16-bit buffer has the levels of its signal`() throws {
    let buffer = try PCMBuffer(samples: [Int16](repeating: -16_384, count: 100), format: .mono(sampleRate: 8_000))
    #expect(abs(buffer.level.rawValue + 6.020_6) < 1e-4)
  }
}
