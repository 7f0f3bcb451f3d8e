import Foundation
import Testing

@testable import Spatial3DTesting

/// Integrated loudness, by the numbers of ITU-R BS.1770-4 and the signals of EBU Tech 3341.
@Suite struct LoudnessTests {
  /// A tone in all channels, in parts of a level in dBFS and a duration in seconds.
  private func tone(_ parts: [(level: Double, seconds: Double)], _ format: PCMFormat) throws -> PCMBuffer<Float> {
    let step = 2 * Double.pi * 1_000 / Double(format.sampleRate)
    var samples: [Float] = []
    for part in parts {
      let amplitude = pow(10, part.level / 20)
      for _ in 0..<Int(part.seconds * Double(format.sampleRate)) {
        let value = Float(amplitude * sin(step * Double(samples.count / format.channelCount)))
        for _ in 0..<format.channelCount { samples.append(value) }
      }
    }
    return try PCMBuffer(samples: samples, format: format)
  }

  @Test(arguments: [8_000, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000, 192_000])
  func `A tone of -23 dBFS in two channels has -23 LUFS at every rate`(rate: Int) throws {
    let loudness = try #require(try tone([(-23, 3)], .stereo(sampleRate: rate)).loudness)
    #expect(abs(loudness.rawValue + 23) < 0.1)
    let mono = try #require(try tone([(-23, 3)], .mono(sampleRate: rate)).loudness)
    #expect(abs(mono.rawValue + 26.01) < 0.1)
  }

  @Test(
    arguments: [
      ([(-23, 20)], -23), ([(-33, 20)], -33), ([(-36, 10), (-23, 60), (-36, 10)], -23),
      ([(-72, 10), (-36, 10), (-23, 60), (-36, 10), (-72, 10)], -23), ([(-26, 20), (-20, 20.1), (-26, 20)], -23),
    ] as [([(Double, Double)], Float)]
  )
  func `The gates leave out the soft parts of the EBU's signals`(parts: [(Double, Double)], expected: Float) throws {
    let loudness = try #require(try tone(parts.map { ($0.0, $0.1) }, .stereo(sampleRate: 16_000)).loudness)
    #expect(abs(loudness.rawValue - expected) < 0.1)
  }

  @Test func `The channels of surround sound have their weights`() throws {
    let format = PCMFormat(sampleRate: 16_000, layout: .surround51)
    let one = try #require(try tone([(-20, 2)], .mono(sampleRate: 16_000)).loudness).rawValue
    for (channel, expected) in [(0, one), (1, one), (2, one), (3, nil), (4, one + 1.49), (5, one + 1.49)]
      as [(Int, Float?)]
    {
      let mono = try tone([(-20, 2)], .mono(sampleRate: 16_000)).samples
      var samples = [Float](repeating: 0, count: 6 * mono.count)
      for (frame, sample) in mono.enumerated() { samples[6 * frame + channel] = sample }
      let loudness = try PCMBuffer(samples: samples, format: format).loudness?.rawValue
      if let expected { #expect(abs(try #require(loudness) - expected) < 0.02) } else { #expect(loudness == nil) }
    }
  }

  @Test func `A sound in parts of any length has the loudness of the whole`() throws {
    let sound = try tone([(-40, 0.5), (-20, 1.3), (-30, 0.7)], .stereo(sampleRate: 22_050))
    let whole = try #require(sound.loudness)
    for length in [1, 7, 2_205, 2_206, 10_000, 100_000] {
      var meter = LoudnessMeter(format: sound.format)
      #expect(meter.format == sound.format)
      for start in stride(from: 0, to: sound.frameCount, by: length) {
        meter.append(sound.frames(start..<min(start + length, sound.frameCount)))
      }
      #expect(meter.integrated == whole)
    }
  }

  @Test func `A short or silent sound has no loudness, and numbers that are not finite count as silence`() throws {
    let mono = PCMFormat.mono(sampleRate: 16_000)
    #expect(try tone([(-20, 0.399)], mono).loudness == nil)
    #expect(try tone([(-20, 0.4)], mono).loudness != nil)
    #expect(try tone([(-80, 2)], mono).loudness == nil)
    #expect(PCMBuffer<Float>(format: mono).loudness == nil)
    var samples = try tone([(-20, 2)], mono).samples
    for (index, value) in [Float.nan, .infinity, -.infinity].enumerated() { samples[1_000 * index] = value }
    let loudness = try #require(try PCMBuffer(samples: samples, format: mono).loudness)
    #expect(abs(loudness.rawValue + 23.01) < 0.1)
    let huge = try PCMBuffer(samples: samples.map { $0 * 1e30 }, format: mono).loudness
    #expect(huge?.rawValue.isFinite != false)
  }
}
