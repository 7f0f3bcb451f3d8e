import FileDecode
import Testing

@Suite struct MPEGAudioTests {
  @Test func `The tag of the encoder makes the length exact`() throws {
    let folder = try TemporaryFolder()
    let file = try AudioFile(opening: folder.write(Fixtures.mp3, as: "a.mp3"))
    let decoded = try file.readAll()
    #expect(file.frameCount == 12_000)
    #expect(decoded.frameCount == 12_000)
    #expect(file.isTruncated == false)
    let peak = decoded.samples.map(abs).max() ?? 0
    #expect((0.35...0.45).contains(peak))
  }

  @Test func `A cut file with a tag reports its truncation`() throws {
    let folder = try TemporaryFolder()
    let file = try AudioFile(opening: folder.write(Array(Fixtures.mp3.prefix(1_500)), as: "a.mp3"))
    let decoded = try file.readAll()
    #expect((1_000..<12_000).contains(decoded.frameCount))
    #expect(file.isTruncated == true)
  }

  @Test func `The length of a file without a tag is the number of its whole packets`() throws {
    let folder = try TemporaryFolder()
    for tail in [0, 1, 100, 300, 417] {
      let bytes = id3(3_000) + silentMP3(packetCount: 40).dropLast(tail)
      let file = try AudioFile(opening: folder.write(bytes, as: "a.mp3"))
      let isWhole = tail == 0 || tail == 417
      #expect(file.frameCount == (tail == 0 ? 40 : 39) * 1_152)
      #expect(try file.readAll().frameCount == file.frameCount)
      #expect(file.isTruncated == !isWhole)
    }
  }

  @Test func `A damaged file returns the same frames for any block size`() throws {
    let folder = try TemporaryFolder()
    let cut = Array(Fixtures.mp3.prefix(1_500))
    let junk = silentMP3(packetCount: 40) + [UInt8](repeating: 0x55, count: 3_000)
    for bytes in [cut, junk, Array(silentMP3(packetCount: 40).dropLast(300))] {
      let path = try folder.write(bytes, as: "a.mp3")
      let whole = try AudioFile(opening: path).readAll()
      #expect(try AudioFile(opening: path).readAll(as: Int16.self).frameCount == whole.frameCount)
      for maxFrames in [1, 100, 1_151, 1_152, 1_153, 4_096, 100_000] {
        let file = try AudioFile(opening: path)
        var block = PCMBuffer<Float>(format: file.format)
        var samples: [Float] = []
        while try file.read(into: &block, maxFrames: maxFrames) > 0 { samples += block.samples }
        #expect(samples == whole.samples)
        try file.seek(toFrame: 1_000)
        #expect(try file.read(into: &block, maxFrames: 1) == min(1, max(0, whole.frameCount - 1_000)))
      }
    }
  }

  @Test func `A damaged file ends at the same frame after a seek`() throws {
    let folder = try TemporaryFolder()
    // The tag counts more packets than there are in front of the damage.
    let bytes = silentMP3(packetCount: 80, countedAs: 120) + [UInt8](repeating: 0x55, count: 3_000)
    let path = try folder.write(bytes, as: "a.mp3")
    let whole = try AudioFile(opening: path).readAll()
    for frame in [40_000, 60_001, whole.frameCount - 1] {
      let file = try AudioFile(opening: path)
      var block = PCMBuffer<Float>(format: file.format)
      try file.seek(toFrame: frame)
      var count = 0
      while try file.read(into: &block) > 0 { count += block.frameCount }
      #expect(count == whole.frameCount - frame)
      #expect(file.isTruncated == true)
    }
  }

  @Test func `A file without a tag is decoded to its end, whatever its bit rate at the start`() throws {
    func packet(_ bitRateBits: UInt8, _ byteCount: Int) -> [UInt8] {
      [0xFF, 0xFB, bitRateBits, 0xC0] + [UInt8](repeating: 0, count: byteCount - 4)
    }
    let folder = try TemporaryFolder()
    // An estimate from 320 kbit/s and the size gives 15 packets, not 105.
    let bytes = (0..<5).flatMap { _ in packet(0xE0, 1_044) } + (0..<100).flatMap { _ in packet(0x10, 104) }
    let file = try AudioFile(opening: folder.write(bytes, as: "a.mp3"))
    #expect(try file.readAll().frameCount == 105 * 1_152)
    #expect(file.isTruncated == false)
    var block = PCMBuffer<Float>(format: file.format)
    try file.seek(toFrame: 105 * 1_152 - 7)
    #expect(try file.read(into: &block) == 7)
  }

  @Test func `A tag that counts packets by the billion costs no memory`() throws {
    let folder = try TemporaryFolder()
    let file = try AudioFile(opening: folder.write(silentMP3(packetCount: 20, countedAs: 0x7FFF_FFFF), as: "a.mp3"))
    #expect(file.frameCount == 20 * 1_152)
    #expect(file.isTruncated == true)
    let decoded = try file.readAll()
    #expect(decoded.frameCount == 20 * 1_152)
    #expect(decoded.samples.capacity < 1 << 20)
  }
}
