import Foundation
import TestSupport
import Testing

@testable import Spatial3DTesting

/// The bytes of a golden mix.
@Suite struct GoldenFileTests {
  private func file(frameCount: Int = 20, comment: String = "library: 1.1\nhrtf: on: \"Ünïcode\"") throws -> [UInt8] {
    let samples = (0..<(2 * frameCount)).map { Float($0) / 100 }
    let mix = try PCMBuffer(samples: samples, format: .stereo(sampleRate: 44_100))
    return try #require(GoldenFile(mix: mix, comment: comment).bytes)
  }

  @Test func `A file is a WAV of floating point, byte for byte`() throws {
    let mix = try PCMBuffer(samples: [1, -0.5] as [Float], format: .mono(sampleRate: 8_000))
    let expected: [UInt8] =
      Array("RIFF".utf8) + [106, 0, 0, 0] + Array("WAVEfmt ".utf8) + [18, 0, 0, 0]
      + [3, 0, 1, 0, 0x40, 0x1f, 0, 0, 0, 0x7d, 0, 0, 4, 0, 32, 0, 0, 0]
      + Array("fact".utf8) + [4, 0, 0, 0, 2, 0, 0, 0]
      + Array("LIST".utf8) + [40, 0, 0, 0] + Array("INFOISFT".utf8) + [17, 0, 0, 0]
      + Array("Spatial3DTesting\0\0".utf8) + Array("ICMT".utf8) + [2, 0, 0, 0] + Array("a\0".utf8)
      + Array("data".utf8) + [8, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0xbf]
    #expect(GoldenFile(mix: mix, comment: "a").bytes == expected)
  }

  @Test(arguments: ["", "a", "ab", "library: 1\nhrtf: off", "Ünïcode"])
  func `A golden file reads back as written`(comment: String) throws {
    let bytes = try file(comment: comment)
    let read = try #require(GoldenFile(bytes: bytes))
    #expect(read.comment == comment)
    #expect(read.mix.samples == (0..<40).map { Float($0) / 100 })
    #expect(read.mix.format == .stereo(sampleRate: 44_100))
  }

  @Test func `A file that is cut off is not read`() throws {
    let bytes = try file()
    for count in bytes.indices { #expect(GoldenFile(bytes: Array(bytes[..<count])) == nil) }
  }

  @Test func `Unknown chunks are skipped`() throws {
    let bytes = try file()
    let odd = Array("junk".utf8) + [3, 0, 0, 0, 1, 2, 3, 0]
    let read = try #require(GoldenFile(bytes: bytes[..<12] + odd + bytes[12...] + odd))
    #expect(read.mix.frameCount == 20)
  }

  @Test func `A file with changed bytes is read or rejected without a crash`() throws {
    let bytes = try file()
    var generator = SplitMix64(seed: 8)
    var unread = 0
    for _ in 0..<5_000 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: 0..<140, using: &generator)
        changed[index] = [0, 0xff, UInt8.random(in: 0...255, using: &generator)].randomElement(using: &generator) ?? 0
      }
      guard let read = GoldenFile(bytes: changed) else {
        unread += 1
        continue
      }
      #expect(read.mix.samples.count <= 40)
    }
    #expect(unread > 500 && unread < 5_000)
  }

  @Test(arguments: ["", "RIFF", "RIFF1234WAVE", "OggS and so on"])
  func `A file of another kind is rejected`(text: String) {
    #expect(GoldenFile(bytes: Array(text.utf8)) == nil)
  }
}
