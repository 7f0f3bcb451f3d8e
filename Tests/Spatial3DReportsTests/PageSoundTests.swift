import FileDecode
import Foundation
import Spatial3D
import Spatial3DTesting
import Testing

@testable import Spatial3DReports

@Suite struct PageSoundTests {
  private let stereo = PCMFormat.stereo(sampleRate: 48_000)

  private func sine(_ level: Decibels, format: PCMFormat, seconds: Int = 2) -> [Float] {
    let tone = TestSignal.sine(frequency: 997, duration: .seconds(seconds), format: format)
    let gain = level.factor / tone.peak.factor
    return tone.samples.map { $0 * gain }
  }

  @Test(arguments: [-50, -30, -20, -16, -3, 0] as [Decibels]) func `A sound comes to -16 LUFS`(level: Decibels) throws {
    var writer = try PageSoundWriter(format: stereo)
    try writer.write(PCMBuffer(samples: sine(level, format: stereo), format: stereo))
    let sound = try writer.finish()
    let gain = min(Decibels(-16 - level.rawValue), 30)
    #expect(abs((sound.levelChange - gain).rawValue) < 0.1)
    #expect(abs((sound.loudness - level - gain).rawValue) < 0.1)
    let heard = try AudioFile(bytes: sound.bytes).readAll()
    let loudness = try #require(heard.loudness)
    #expect(abs((loudness - level - gain).rawValue) < 0.3)
  }

  @Test func `A writer has the duration of what was written`() throws {
    var writer = try PageSoundWriter(format: stereo)
    #expect(writer.format == stereo && writer.seconds == 0)
    for _ in 0..<3 { try writer.write(PCMBuffer(samples: [Float](repeating: 0, count: 24_000), format: stereo)) }
    #expect(writer.seconds == 0.75)
  }

  @Test func `A compressed file that is gone is an error with its path and the reason`() {
    let error = #expect(throws: ReportError.self) { try takeFile("/nowhere/page.mp3") }
    #expect(error?.code == .soundFailed && error?.code.description == "soundFailed")
    #expect(
      error?.description == "The compressed sound /nowhere/page.mp3 could not be read again: No such file or directory."
        + " Check the temporary folder."
    )
  }

  @Test func `A quiet mix with loud peaks becomes louder and does not clip`() throws {
    var samples = sine(-30, format: stereo, seconds: 6)
    for frame in stride(from: 24_000, to: 288_000, by: 48_000) { samples[2 * frame] = 0.5 }
    var writer = try PageSoundWriter(format: stereo)
    try writer.write(PCMBuffer(samples: samples, format: stereo))
    let sound = try writer.finish()
    // The peaks are 6 dB below full scale, and lose 8 dB at most.
    #expect(abs(sound.levelChange.rawValue - (-1.5 + 6.02 + 8)) < 0.1)
    #expect(try AudioFile(bytes: sound.bytes).readAll().peak < 0)
  }

  @Test func `Silence stays silence`() throws {
    var writer = try PageSoundWriter(format: stereo)
    try writer.write(PCMBuffer(samples: [.nan, .infinity, 0, 0], format: stereo))
    let sound = try writer.finish()
    #expect(sound.levelChange == 0)
    #expect(sound.seconds == 2 / 48_000.0)
    #expect(try AudioFile(bytes: sound.bytes).readAll().samples.allSatisfy { $0.isFinite && abs($0) < 1e-4 })
  }

  @Test(arguments: [1, 2]) func `A limited sample is within the ceiling, and a quiet one has the gain`(channels: Int) {
    var generator = SystemRandomNumberGenerator()
    var samples = (0..<20_000).map { _ in Float.random(in: -0.05...0.05, using: &generator) }
    for _ in 0..<8 { samples[Int.random(in: 4_000..<20_000, using: &generator)] = Float.random(in: -4...4) }
    let limiter = Limiter(gain: 2, ceiling: 0.5)
    let limited = limiter.limited(samples, channelCount: channels, sampleRate: 8_000)
    #expect(limited.count == samples.count)
    #expect(limited.allSatisfy { abs($0) <= 0.5001 })
    #expect(limited[..<3_000].elementsEqual(samples[..<3_000].map { $0 * 2 }))
    #expect(limiter.limited([], channelCount: channels, sampleRate: 8_000).isEmpty)
  }
}
