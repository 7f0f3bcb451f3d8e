import Synchronization
import TestSupport
import Testing

@testable import FileDecode

/// Seeks in Ogg files land on the frames that decoding from the start returns; in Opus the last bit may differ.
@Suite struct OggSeekTests {
  /// The file with another comment of some size.
  private func withComment(ofSize size: Int, _ bytes: [UInt8]) throws -> [UInt8] {
    func read(_ offset: Int, _ count: Int) -> [UInt8] { Array(bytes.dropFirst(offset).prefix(count)) }
    let headers = try #require(OggStreamHeaders(sampleRate: 48_000, reading: read))
    let list = little(0, 4) + little(1, 4) + little(UInt64(size), 4) + Array("A=".utf8)
    let text = list + [UInt8](repeating: 7, count: size - 2)
    let comments: [UInt8] =
      headers.setup == nil ? Array("OpusTags".utf8) + text : [3] + Array("vorbis".utf8) + text + [1]
    let rest = [comments] + (headers.setup.map { [$0] } ?? [])
    var pages = OggPage.headerPages(
      [headers.identification],
      serial: headers.serial,
      firstNumber: 0,
      startsStream: true
    )
    pages += OggPage.headerPages(rest, serial: headers.serial, firstNumber: 1)
    for range in oggPageRanges(bytes) where range.lowerBound >= headers.end {
      var page = Array(bytes[range])
      OggPage.number(&page, pages.count)
      pages.append(page)
    }
    return pages.flatMap(\.self)
  }

  /// Compares seeks to random frames with a whole read; both fail, or return the same.
  private func differs(_ bytes: [UInt8], seeks: Int, using generator: inout SplitMix64) -> String? {
    guard let linear = try? AudioFile(bytes: bytes), let whole = try? linear.readAll() else { return nil }
    guard let file = try? AudioFile(bytes: bytes) else { return "opens once" }
    let channelCount = whole.format.channelCount
    var block = PCMBuffer<Float>(format: file.format)
    for _ in 0..<seeks {
      let frame = Int.random(in: 0...whole.frameCount + 10, using: &generator)
      let count = Int.random(in: 1...3_000, using: &generator)
      guard (try? file.seek(toFrame: frame)) != nil, (try? file.read(into: &block, maxFrames: count)) != nil else {
        return "a seek to \(frame) fails"
      }
      let expected = whole.samples[(min(frame, whole.frameCount) * channelCount)...].prefix(count * channelCount)
      guard largestDifference(block.samples, expected) <= sampleTolerance(of: file.codec) else {
        return "frame \(frame) of \(whole.frameCount)"
      }
    }
    return nil
  }

  private func written<Sample: PCMSample>(_ buffer: PCMBuffer<Sample>, as name: String) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    return try bytes(of: save(buffer, to: folder.file(name)))
  }

  @Test(arguments: ["a.ogg", "a.opus"], [1, 2])
  func `Seeks in a file of six seconds land on the very frame`(name: String, channelCount: Int) throws {
    let format = PCMFormat(sampleRate: 48_000, layout: .usual(channelCount: channelCount))
    let bytes = try written(tones(6 * 48_000, format), as: name)
    var generator = SplitMix64(seed: UInt64(channelCount))
    #expect(differs(bytes, seeks: 150, using: &generator) == nil)
  }

  @Test func `Seeks in Opus behind silence land on the very frame`() throws {
    var samples = try tones(5 * 48_000, .mono(sampleRate: 48_000)).samples
    // Two seconds of silence do not bring decoders with different pasts closer to each other.
    for frame in 2 * 48_000..<4 * 48_000 { samples[frame] = 0 }
    let bytes = try written(PCMBuffer(samples: samples, format: .mono(sampleRate: 48_000)), as: "a.opus")
    let whole = try AudioFile(bytes: bytes).readAll()
    var block = PCMBuffer<Float>(format: whole.format)
    for frame in stride(from: 4_700, to: 5 * 48_000, by: 4_700).reversed() {
      let file = try AudioFile(bytes: bytes)
      try file.seek(toFrame: frame)
      let count = try file.read(into: &block)
      let error = zip(block.samples, whole.samples[frame..<frame + count]).map { abs($0 - $1) }.max() ?? 1
      #expect(error <= 1e-6, "\(frame)")
    }
  }

  @Test(arguments: ["a.ogg", "a.opus"])
  func `A seek back reads the pages in front of the target, and not the file from its start`(name: String) throws {
    let bytes = try written(noise(40 * 48_000, .stereo(sampleRate: 48_000)), as: name)
    let reader = CountingReader(bytes)
    let file = try AudioFile(reading: reader)
    try file.seek(toFrame: 38 * 48_000)
    let first = reader.count
    try file.seek(toFrame: 36 * 48_000)
    // The headers and the last page, for the decoder; the pages of a second, and some in a window behind them.
    #expect(reader.count - first < 400_000, "\(bytes.count)")
    #expect(bytes.count > 500_000)
  }

  @Test func `Seeks in Opus around packets without content land on the very frame`() throws {
    // The invented sound has the noise level of the whole past: low after the quiet beginning.
    var generator = SplitMix64(seed: 8)
    var samples = try noise(11 * 48_000, .mono(sampleRate: 48_000)).samples
    for frame in 0..<3 * 48_000 { samples[frame] = 0 }
    var bytes = try written(PCMBuffer(samples: samples, format: .mono(sampleRate: 48_000)), as: "a.opus")
    let pages = oggPageRanges(bytes)
    func position(_ page: Range<Int>) -> Int {
      bytes[page].dropFirst(6).prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    // The page of the last second but one.
    let page = try #require(pages.last { position($0) < 480_000 })
    // Each packet of the page loses all bytes but its first.
    let count = Int(bytes[page.lowerBound + 26])
    var start = page.lowerBound + 27 + count
    var firsts: [UInt8] = []
    var isStart = true
    for segment in 0..<count {
      let length = bytes[page.lowerBound + 27 + segment]
      if isStart { firsts.append(bytes[start]) }
      isStart = length < 255
      start += Int(length)
    }
    #expect(firsts.count > 5 && firsts.allSatisfy { $0 & 3 == 0 })
    let lengths = [UInt8](repeating: 1, count: firsts.count)
    bytes.replaceSubrange(page, with: bytes[page].prefix(26) + [UInt8(firsts.count)] + lengths + firsts)
    repairOggChecksums(&bytes)
    #expect(differs(bytes, seeks: 60, using: &generator) == nil)
  }

  /// Whether a position is off by a multiple of 2³².
  ///
  /// libsndfile then takes the low half of the distance to the next position for a number of frames of Opus. It returns
  /// memory that it did not write.
  private func hasFarPosition(_ bytes: [UInt8]) -> Bool {
    bytes.indices.contains { index in
      guard bytes[index] == 0x4F, bytes[index...].starts(with: "OggS".utf8) else { return false }
      let high = bytes[index...].dropFirst(10).prefix(4)
      return high.contains { $0 != 0 } && high.contains { $0 != 0xFF }
    }
  }

  @Test(arguments: [("a.ogg", 750), ("a.opus", 250)], 0..<2)
  func `Seeks in 2,000 mutated files return what decoding from the start returns`(
    kind: (name: String, count: Int),
    seed: Int
  ) throws {
    let bytes = try written(tones(90_000, .mono(sampleRate: 48_000)), as: kind.name)
    var generator = SplitMix64(seed: UInt64(seed))
    var comparedCount = 0
    for index in 0..<kind.count {
      let changed = mutatedOgg(bytes, using: &generator).bytes
      if kind.name == "a.opus", hasFarPosition(changed) { continue }
      if (try? AudioFile(bytes: changed).readAll()) != nil { comparedCount += 1 }
      let difference = differs(changed, seeks: 2, using: &generator)
      #expect(difference == nil, "file \(index)")
    }
    // The others do not open, or have no frames that decode.
    #expect(comparedCount > kind.count / 2, "\(comparedCount) of \(kind.count)")
  }

  @Test(arguments: ["a.ogg", "a.opus"])
  func `A seek does not read a picture in the comments again`(name: String) throws {
    let bytes = try written(noise(20 * 48_000, .mono(sampleRate: 48_000)), as: name)
    let tagged = try withComment(ofSize: 3_000_000, bytes)
    let reader = CountingReader(tagged)
    let file = try AudioFile(reading: reader)
    let whole = try AudioFile(bytes: bytes).readAll()
    var block = PCMBuffer<Float>(format: file.format)
    for second in [18, 2, 17, 5] {
      let before = reader.count
      try file.seek(toFrame: second * 48_000)
      let count = try file.read(into: &block)
      // The first seek reads the headers once more.
      if second != 18 { #expect(reader.count - before < 1_500_000) }
      let expected = whole.samples[second * 48_000..<second * 48_000 + count]
      #expect(zip(block.samples, expected).allSatisfy { abs($0 - $1) <= 1e-6 })
    }
  }

  @Test func `Chained, multiplexed and unfinished files are decoded from the start`() throws {
    var generator = SplitMix64(seed: 5)
    for name in ["a.ogg", "a.opus"] {
      let bytes = try written(tones(90_000, .mono(sampleRate: 48_000)), as: name)
      let pages = oggPageRanges(bytes).map { Array(bytes[$0]) }
      var other = pages
      for index in other.indices {
        other[index][14] ^= 0xFF
      }
      var multiplexed = zip(pages, other).flatMap { $0 + $1 }
      repairOggChecksums(&multiplexed)
      var chained = bytes + other.joined()
      repairOggChecksums(&chained)
      var unmarked = pages
      unmarked[unmarked.count - 1][5] = 0
      var unfinished = Array(unmarked.joined())
      repairOggChecksums(&unfinished)
      for file in [multiplexed, chained, unfinished, bytes + [1, 2, 3], Array(bytes.dropLast(9))] {
        #expect(differs(file, seeks: 30, using: &generator) == nil)
      }
    }
  }
}

/// A reader that counts the bytes that it returns.
private final class CountingReader: AudioByteReader {
  private let content: [UInt8]
  private let counter = Mutex(0)

  init(_ content: [UInt8]) {
    self.content = content
  }

  var count: Int { counter.withLock { $0 } }
  var byteCount: Int { content.count }

  func bytes(at offset: Int, count: Int) -> [UInt8] {
    let bytes = Array(content.dropFirst(offset).prefix(count))
    counter.withLock { $0 += bytes.count }
    return bytes
  }
}
