import Testing

@testable import FileDecode

/// libmpg123 without the decoder around it: blocks of any size, behind samples that are there already.
@Suite struct MPEGDecoderReadingTests {
  /// The packets of a file for a decoder, and the sound of all of them.
  private struct Packets {
    let scan: MPEGScan
    let view: SplicedBytes
    let whole: PCMBuffer<Float>

    init(_ name: String, copies: Int = 1) throws {
      let bytes = try (0..<copies).flatMap { _ in try FixtureFiles.bytes(name) }
      func read(_ place: Int, _ count: Int) -> [UInt8] { Array(bytes.dropFirst(place).prefix(count)) }
      let start = try #require(FileSignature(reading: read)).offset
      scan = try #require(MPEGScan(from: start, reading: read))
      view = SplicedBytes(try ByteSource(bytes, path: name), mpeg: scan, ranges: scan.ranges)
      whole = try AudioFile(bytes: bytes, trimming: .off).readAll()
    }
  }

  @Test(arguments: [100, 1_152, 5_000, 60_000])
  func `Blocks of any size are the whole file, one behind the other`(blockSize: Int) throws {
    // Three times as many bytes as the library is fed at once.
    let packets = try Packets("untagged.mp3", copies: 40)
    let (whole, channelCount) = (packets.whole.samples, packets.whole.format.channelCount)
    guard var decoder = MPEGDecoder(packets.scan, packets.view) else { return }
    var samples: [Float] = []
    while samples.count < whole.count {
      let wanted = min(blockSize, (whole.count - samples.count) / channelCount)
      var arrived = 0
      var block: [Float] = [7, 8, 9]
      // There is more room than frames are wanted.
      block.append(addingCapacity: (wanted + 10) * channelCount) { arrived = decoder.read(wanted, into: &$0) }
      try #require(arrived == wanted && block.count == 3 + wanted * channelCount && block[..<3] == [7, 8, 9])
      samples += block[3...]
    }
    let isSame = samples == whole
    let hasError = decoder.hasDecodingError || decoder.systemError != nil
    #expect(isSame && !hasError)
    // Less room than frames.
    var few: [Float] = []
    few.append(addingCapacity: 10 * channelCount) { _ = decoder.read(50, into: &$0) }
    #expect(few.count == 10 * channelCount)
    // The view repeats the last packet, and then ends.
    var tail: [Float] = []
    tail.append(addingCapacity: 100_000) { _ = decoder.read(50_000, into: &$0) }
    let failed = decoder.hasDecodingError
    #expect(tail.count < 5 * 1_152 * channelCount && !failed)
  }

  @Test(
    arguments: [("untagged.mp3", 0x23_0082), ("mpeg2.mp3", 0x23_0082), ("layer2.mp2", 0x23_0081)] as [(String, Int32)]
  )
  func `A decoder reports the rate, the channels and the layer of its packets`(name: String, format: Int32) throws {
    let packets = try Packets(name)
    guard let decoder = MPEGDecoder(packets.scan, packets.view) else { return }
    let stored = packets.whole.format
    let expected = SoundHandle.Header(
      frames: .max,
      sampleRate: stored.sampleRate,
      channelCount: stored.channelCount,
      format: format
    )
    let report = decoder.report
    #expect(report == expected)
  }

  @Test func `Apple Lossless without its priming has the rest of its packets behind the sound`() throws {
    var bytes = try FixtureFiles.bytes("alac.caf")
    let table = try #require(bytes.indices.first { bytes[$0...].starts(with: "pakt".utf8) })
    // The valid frames and the priming, behind the name, the size and the number of packets.
    bytes.replaceSubrange(table + 20..<table + 32, with: big(2_000, 8) + big(100, 4))
    let found = try AudioFile(bytes: bytes).packetTable
    #expect(found.primingFrames == 100 && found.validFrames == 2_000 && found.remainderFrames == 4_096 - 2_100)
    #expect(found.totalFrames == 4_096 && found.source == .pakt)
    let original = try AudioFile(bytes: FixtureFiles.bytes("alac.caf")).readAll().samples
    #expect(try AudioFile(bytes: bytes).readAll().samples == Array(original[100..<2_100]))
  }
}
