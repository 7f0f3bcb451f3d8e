import TestSupport
import Testing

@testable import FileDecode

/// IMA ADPCM of WAV files, which this library decodes without libsndfile.
@Suite struct IMADecoderTests {
  /// A WAV file of IMA ADPCM whose blocks hold random bytes.
  private func file(
    _ channelCount: Int,
    blockSize: Int,
    byteCount: Int,
    seed: UInt64 = 1,
    behind: [UInt8] = []
  ) -> [UInt8] {
    var generator = SplitMix64(seed: seed)
    let data = (0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let frameCount = (blockSize - 4 * channelCount) * 2 / channelCount + 1
    let format =
      little(0x11, 2) + little(UInt64(channelCount), 2) + little(22_050, 4) + little(22_050, 4)
      + little(UInt64(blockSize), 2) + little(4, 2) + little(2, 2) + little(UInt64(frameCount), 2)
    let padding = [UInt8](repeating: 0, count: byteCount % 2)
    let body =
      Array("WAVEfmt ".utf8) + little(UInt64(format.count), 4) + format + Array("data".utf8)
      + little(UInt64(byteCount), 4) + data + padding + behind
    return Array("RIFF".utf8) + little(UInt64(body.count), 4) + body
  }

  /// The samples of libsndfile, in one call from the start.
  private func reference(_ bytes: [UInt8]) throws -> (header: SoundHandle.Header, samples: [Float]) {
    let source = try ByteSource(bytes, path: "a")
    let plan = try DecodePlan(source, reading: source.reader(path: "a"), path: "a")
    var handle = try SoundHandle(plan.view, .wav, path: "a")
    let header = handle.header
    var samples: [Float] = []
    samples.append(addingCapacity: header.frames * header.channelCount) { _ = handle.read(header.frames, into: &$0) }
    return (header, samples)
  }

  @Test(arguments: [1, 2])
  func `Samples of every block size are equal to the samples of libsndfile`(channelCount: Int) throws {
    for group in [1, 2, 3, 9, 32, 64, 128, 255, 512] {
      let blockSize = 4 * channelCount * group
      for blockCount in [1, 2, 5] {
        let bytes = file(channelCount, blockSize: blockSize, byteCount: blockCount * blockSize, seed: UInt64(group))
        let (header, expected) = try reference(bytes)
        #expect(header.frames == blockCount * (8 * (group - 1) + 1))
        let source = try ByteSource(bytes, path: "a")
        let plan = try DecodePlan(source, reading: source.reader(path: "a"), path: "a")
        let blocks = try #require(IMABlocks(plan, header))
        var decoder = IMADecoder(blocks, plan.view, header)
        var found: [Float] = []
        found.append(addingCapacity: expected.count) { _ = decoder.read(header.frames, into: &$0) }
        #expect(found == expected, "\(channelCount), \(blockSize), \(blockCount)")
        let read = try AudioFile(bytes: bytes)
        #expect(try read.readAll().samples == expected)
        #expect(try read.readAll(as: Int16.self).samples.map { Float($0) / 32_768 } == expected)
      }
    }
  }

  @Test(arguments: [1, 2])
  func `A cut block ends like the block of libsndfile`(channelCount: Int) throws {
    let blockSize = 64 * channelCount
    for size in [1, 3, 4, 5, 63, 64, 65, 66, 67, 68, 100, 127, 128, 129, 200, 300] {
      for behind in [[], Array("LIST".utf8) + little(200, 4) + [UInt8](repeating: 0x77, count: 200)] {
        let bytes = file(channelCount, blockSize: blockSize, byteCount: size * channelCount, behind: behind)
        let (header, expected) = try reference(bytes)
        let read = try AudioFile(bytes: bytes)
        #expect(try read.readAll().samples == expected, "\(size), \(behind.count)")
        // The frames do not depend on the frames that were read before.
        try read.seek(toFrame: header.frames - 1)
        var block = PCMBuffer<Float>(format: read.format)
        #expect(try read.read(into: &block) == 1 && block.samples == Array(expected.suffix(channelCount)))
      }
    }
  }

  /// A reader that returns no bytes from an offset on, though it claims the whole file.
  private struct ShortReader: AudioByteReader {
    let contents: [UInt8]
    let end: Int

    var byteCount: Int { contents.count }

    func bytes(at offset: Int, count: Int) -> [UInt8] { Array(contents[..<end].dropFirst(offset).prefix(count)) }
  }

  @Test(arguments: [1, 2])
  func `A block whose bytes do not arrive ends the file in front of it`(channelCount: Int) throws {
    let blockSize = 64 * channelCount
    let frameCount = 121
    let bytes = file(channelCount, blockSize: blockSize, byteCount: 3 * blockSize)
    let (_, expected) = try reference(bytes)
    let start = bytes.count - 3 * blockSize
    for offset in [blockSize, blockSize + 3, blockSize + 40, 2 * blockSize - 1] {
      let read = try AudioFile(reading: ShortReader(contents: bytes, end: start + offset))
      #expect(try read.readAll().samples == Array(expected[..<(frameCount * channelCount)]), "\(offset)")
      #expect(read.isTruncated == true, "\(offset)")
    }
  }

  @Test(arguments: [1, 2])
  func `Every seek reaches its frame`(channelCount: Int) throws {
    let blockSize = 36 * channelCount
    let bytes = file(channelCount, blockSize: blockSize, byteCount: 20 * blockSize + 7)
    let (header, expected) = try reference(bytes)
    let read = try AudioFile(bytes: bytes)
    #expect(read.frameCount == header.frames && header.frames == 21 * 65)
    var block = PCMBuffer<Float>(format: read.format)
    var generator = SplitMix64(seed: 3)
    for _ in 0..<300 {
      let frame = Int.random(in: 0...header.frames, using: &generator)
      let count = Int.random(in: 1...200, using: &generator)
      let end = min(frame + count, header.frames)
      try read.seek(toFrame: frame)
      #expect(try read.read(into: &block, maxFrames: count) == end - frame)
      #expect(block.samples == Array(expected[frame * channelCount..<end * channelCount]), "\(frame), \(count)")
    }
  }

  @Test func `libsndfile decodes the blocks that have another form`() throws {
    func blocks(_ size: Int, _ channelCount: Int, frames: Int) -> IMABlocks? {
      IMABlocks(
        offset: 0,
        byteCount: size,
        SoundHandle.Header(frames: frames, sampleRate: 8_000, channelCount: channelCount, format: 0)
      )
    }
    #expect(blocks(8, 1, frames: 18)?.frameCount == 9 && blocks(16, 2, frames: 0)?.frameCount == 9)
    #expect(blocks(8, 1, frames: 17) == nil && blocks(8, 1, frames: -9) == nil)
    #expect(blocks(9, 1, frames: 0) == nil && blocks(12, 2, frames: 0) == nil && blocks(0, 1, frames: 0) == nil)
    #expect(blocks(24, 3, frames: 0) == nil && blocks(8, 0, frames: 0) == nil)
  }
}
