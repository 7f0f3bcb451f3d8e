import TestSupport
import Testing

@testable import FileDecode

/// Floating-point samples without compression, which this library reads without libsndfile.
@Suite struct PlainFloatTests {
  /// A kind of file with floating-point samples.
  struct Kind: CustomTestStringConvertible, Sendable {
    let name: String
    let container: Container
    let byteCount: Int
    let isBigEndian: Bool
    let header: @Sendable (_ dataCount: Int) -> [UInt8]
    var testDescription: String { name }

    func file(_ samples: [Double]) -> [UInt8] {
      let data = samples.flatMap { sample in
        let bits = byteCount == 8 ? sample.bitPattern : UInt64(Float(sample).bitPattern)
        return isBigEndian ? big(bits, byteCount) : little(bits, byteCount)
      }
      return header(data.count) + data
    }
  }

  private static func text(_ string: String) -> [UInt8] { Array(string.utf8) }

  static let kinds: [Kind] = [4, 8].flatMap { size in
    let bits = UInt64(8 * size)
    let frame = UInt64(2 * size)
    let fields: [(UInt64, Int)] = [(3, 2), (2, 2), (48_000, 4), (48_000 * frame, 4), (frame, 2), (bits, 2)]
    return [
      Kind(name: "WAV \(bits)", container: .wav, byteCount: size, isBigEndian: false) { count in
        text("RIFF") + little(UInt64(36 + count), 4) + text("WAVEfmt ") + little(16, 4)
          + fields.flatMap { little($0.0, $0.1) } + text("data") + little(UInt64(count), 4)
      },
      Kind(name: "RIFX \(bits)", container: .wav, byteCount: size, isBigEndian: true) { count in
        text("RIFX") + big(UInt64(36 + count), 4) + text("WAVEfmt ") + big(16, 4)
          + fields.flatMap { big($0.0, $0.1) } + text("data") + big(UInt64(count), 4)
      },
      Kind(name: "AIFC \(bits)", container: .aiff, byteCount: size, isBigEndian: true) { count in
        let rate: [UInt8] = [0x40, 0x0E, 0xBB, 0x80, 0, 0, 0, 0, 0, 0]
        let common = big(2, 2) + big(UInt64(count) / frame, 4) + big(bits, 2) + rate + text("fl\(bits)") + [0, 0]
        return text("FORM") + big(UInt64(4 + 12 + 8 + common.count + 16 + count), 4) + text("AIFC") + text("FVER")
          + big(4, 4) + big(0xA280_5140, 4) + text("COMM") + big(UInt64(common.count), 4) + common + text("SSND")
          + big(UInt64(8 + count), 4) + big(0, 8)
      },
      Kind(name: "AU \(bits)", container: .au, byteCount: size, isBigEndian: true) { count in
        text(".snd") + big(24, 4) + big(UInt64(count), 4) + big(size == 4 ? 6 : 7, 4) + big(48_000, 4) + big(2, 4)
      },
    ]
      + [false, true].map { isBig in
        Kind(name: "CAF \(bits) \(isBig)", container: .caf, byteCount: size, isBigEndian: isBig) { count in
          text("caff") + [0, 1, 0, 0] + text("desc") + big(32, 8) + big(48_000.0.bitPattern, 8) + text("lpcm")
            + big(isBig ? 1 : 3, 4) + big(frame, 4) + big(1, 4) + big(2, 4) + big(bits, 4) + text("data")
            + big(UInt64(4 + count), 8) + big(0, 4)
        }
      }
  }

  /// Samples of all magnitudes, in stereo, with values that are not finite numbers between others.
  private static let samples: [Double] = {
    var generator = SplitMix64(seed: 40)
    var samples = (0..<20_002).map { _ in Double.random(in: -1...1, using: &generator) }
    for (index, value) in [2, -2, 1.999_999_9, 1e38, -1e38, 1e300, 1e-40, 1e-300, -0.0, .infinity, -.infinity, .nan]
      .enumerated()
    {
      samples[9_000 + 5 * index] = value
    }
    samples[20_001] = .infinity
    return samples
  }()

  @Test(arguments: kinds)
  func `Samples are equal to the samples of libsndfile to the bit`(kind: Kind) throws {
    let bytes = kind.file(Self.samples)
    let source = try ByteSource(bytes, path: "a")
    var reference = try SoundHandle(SplicedBytes(source, [.file(0..<bytes.count)]), kind.container, path: "a")
    var expected: [Float] = []
    expected.append(addingCapacity: 20_002) { _ = reference.read(10_001, into: &$0) }
    #expect(expected.count == 20_002 && expected.contains { !$0.isFinite })

    let chunk = try AudioChunk(in: kind.container, reading: source.bytes)
    let samples = try #require(try PlainSamples(in: kind.container, chunk, reading: source.bytes))
    #expect(samples.isBigEndian == kind.isBigEndian)
    let encoding = try #require(PlainDecoder.Encoding(kind.byteCount == 4 ? .float32 : .float64))
    var plain = try #require(PlainDecoder(samples, encoding, source, reference.header))
    #expect(!plain.holdsInt16)
    var found: [Float] = []
    var arrived = 1
    while arrived > 0 { found.append(addingCapacity: 9_000) { arrived = plain.read(5_000, into: &$0) } }
    // Equal bits, as a value that is not a number equals nothing.
    #expect(found.map(\.bitPattern) == expected.map(\.bitPattern))

    let silenced = expected.map { $0.isFinite ? $0.bitPattern : 0 }
    let file = try AudioFile(bytes: bytes)
    #expect(file.frameCount == 10_001 && file.codec == (kind.byteCount == 4 ? .float32 : .float64))
    #expect(try file.readAll().samples.map(\.bitPattern) == silenced)
    var block = PCMBuffer<Float>(format: file.format)
    for frame in [0, 1, 4_499, 4_500, 9_999, 10_000, 10_001] {
      for count in [1, 7, 512, 9_000] {
        try file.seek(toFrame: frame)
        let end = min(frame + count, 10_001)
        #expect(try file.read(into: &block, maxFrames: count) == end - frame)
        #expect(block.samples.map(\.bitPattern) == Array(silenced[2 * frame..<2 * end]), "\(frame), \(count)")
      }
    }
  }

  @Test func `A file that ends within a sample ends before its frame`() throws {
    for kind in Self.kinds {
      let bytes = kind.file(Array(Self.samples.prefix(2_000)))
      for cut in [1, 2 * kind.byteCount - 1, 2 * kind.byteCount] {
        let file = try AudioFile(bytes: Array(bytes.dropLast(cut)))
        #expect(try file.readAll().frameCount == 999 && file.isTruncated, "\(kind.name), \(cut)")
      }
    }
  }
}
