import Foundation
import Testing

@testable import FileDecode

@Suite struct ResamplingTests {
  private func sine(_ frequency: Double, frames: Int, rate: Int) -> [Float] {
    (0..<frames).map { 0.5 * Float(sin(2 * .pi * frequency * Double($0) / Double(rate))) }
  }

  private func saved(_ samples: [Float], rate: Int, in folder: borrowing TemporaryFolder) throws -> String {
    try save(
      PCMBuffer(samples: samples, format: .mono(sampleRate: rate)),
      to: folder.file("a.wav"),
      codec: .float32
    )
  }

  @Test(arguments: [(44_100, 22_050), (44_100, 48_000), (48_000, 44_100), (96_000, 44_100), (22_050, 48_000)])
  func `A resampled tone keeps its frequency, level and phase`(from: Int, to: Int) throws {
    let folder = try TemporaryFolder()
    let path = try saved(sine(1_000, frames: from / 2, rate: from), rate: from, in: folder)
    let file = try AudioFile(opening: path, in: ClientFormat(sampleRate: to))
    #expect(file.frameCount == to / 2)
    let decoded = try file.readAll()
    #expect(decoded.format == .mono(sampleRate: to))
    #expect(decoded.frameCount == to / 2)
    let expected = sine(1_000, frames: to / 2, rate: to)
    let middle = 1_000..<to / 2 - 1_000
    let error = zip(decoded.samples[middle], expected[middle]).map { abs($0 - $1) }.max() ?? 1
    #expect(error < 1e-5)
  }

  @Test func `Frequencies above half the lower rate are removed without aliasing`() throws {
    let folder = try TemporaryFolder()
    let path = try saved(sine(15_000, frames: 44_100, rate: 44_100), rate: 44_100, in: folder)
    let decoded = try AudioFile(opening: path, in: ClientFormat(sampleRate: 22_050)).readAll()
    #expect(decoded.samples[1_000..<21_000].map(abs).max() ?? 1 < 1e-5)
  }

  #if Resampling
    @Test func `A failure of libsoxr throws an error`() throws {
      // No file has such rates, but they fail like a lack of memory.
      let impossible = RateRatio(input: -1, output: 1)
      #expect(throws: RateConverter.Failure.self) { _ = try RateConverter(impossible, channelCount: 1) }
      let failure = AudioFileError.resampling("a.wav", RateConverter.Failure.stuck)
      #expect(failure.code == .conversionFailed)
      #expect(failure.message.hasPrefix("a.wav could not be converted to another rate"))
      #expect(failure.underlying == "the converter is stuck")
    }
  #endif

  @Test func `Seeks land on the very frame`() throws {
    let folder = try TemporaryFolder()
    var generator = SystemRandomNumberGenerator()
    let noise = (0..<60_000).map { _ in Float.random(in: -0.5...0.5, using: &generator) }
    let path = try saved(noise, rate: 44_100, in: folder)
    let client = ClientFormat(sampleRate: 48_000)
    let whole = try AudioFile(opening: path, in: client).readAll()
    let file = try AudioFile(opening: path, in: client)
    var block = PCMBuffer<Float>(format: file.format)
    for _ in 0..<40 {
      let frame = Int.random(in: 0...whole.frameCount, using: &generator)
      try file.seek(toFrame: frame)
      let count = try file.read(into: &block, maxFrames: 500)
      try #require(count == min(500, whole.frameCount - frame))
      let error = zip(block.samples, whole.samples[frame...]).map { abs($0 - $1) }.max() ?? 0
      try #require(error < 1e-5)
    }
  }

  /// A WAV file of floats with a loop.
  private func looped(_ samples: [Float], _ loop: Range<Int>, rate: Int = 44_100) -> [UInt8] {
    let data = samples.flatMap { little(UInt64($0.bitPattern), 4) }
    let list =
      little(0, 8) + little(UInt64(loop.lowerBound), 4) + little(UInt64(loop.upperBound - 1), 4) + little(0, 8)
    let smpl = [UInt8](repeating: 0, count: 28) + little(1, 4) + little(0, 4) + list
    return wav(sampleRate: rate, formatTag: 3, bits: 32, data: data) + Array("smpl".utf8)
      + little(UInt64(smpl.count), 4) + smpl
  }

  @Test(arguments: [22_050, 48_000, 32_000], [0, 441, 10_000])
  func `A loop stays seamless at another rate`(rate: Int, introduction: Int) throws {
    // The samples are 50 periods in 2,205 frames, with an introduction that leads into them.
    let samples = (0..<introduction + 2_205).map { frame in
      0.5 * Float(sin(2 * .pi * 50 * Double(frame - introduction) / 2_205))
    }
    let file = try AudioFile(
      bytes: looped(samples, introduction..<introduction + 2_205),
      in: ClientFormat(sampleRate: rate)
    )
    let decoded = try file.readAll()
    let range = file.loopRange
    let loop = try #require(range)
    #expect(decoded.frameCount == file.frameCount)
    #expect(loop.upperBound == decoded.frameCount)
    let body = Array(decoded.samples[loop])
    let expected = (0..<body.count).map { 0.5 * Float(sin(2 * .pi * 50 * Double($0) / Double(body.count))) }
    let error = zip(body, expected).map { abs($0 - $1) }.max() ?? 1
    #expect(error < 1e-5)
  }

  @Test(arguments: [0, 7_680, 100_000])
  func `A loop at the lowest rate is seamless though its filter is longer`(introduction: Int) throws {
    // One period in 7,680 frames, which become 10.
    let samples = (0..<introduction + 7_680).map { frame in
      0.5 * Float(sin(2 * .pi * Double(frame - introduction) / 7_680))
    }
    let bytes = looped(samples, introduction..<introduction + 7_680, rate: 768_000)
    let file = try AudioFile(bytes: bytes, in: ClientFormat(sampleRate: 1_000))
    let decoded = try file.readAll()
    let range = file.loopRange
    let loop = try #require(range)
    let body = Array(decoded.samples[loop])
    let expected = (0..<10).map { 0.5 * Float(sin(2 * .pi * Double($0) / 10)) }
    let error = zip(body, expected).map { abs($0 - $1) }.max() ?? 1
    #expect(body.count == 10 && error < 1e-5)
  }

  @Test func `Blocks put together are the whole file`() throws {
    let client = ClientFormat(sampleRate: 32_000, layout: .mono)
    for name in ["tagged.mp3", "surround.ogg", "original.wav"] {
      let whole = try AudioFile(opening: FixtureFiles.path(name), in: client).readAll()
      let file = try AudioFile(opening: FixtureFiles.path(name), in: client)
      #expect(file.frameCount == 1_600)
      var block = PCMBuffer<Float>(format: file.format)
      var samples: [Float] = []
      while try file.read(into: &block, maxFrames: 333) > 0 { samples += block.samples }
      #expect(samples == whole.samples)
      #expect(try file.readAll(as: Int16.self).frameCount == 1_600)
    }
  }
}
