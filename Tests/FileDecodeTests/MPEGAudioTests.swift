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

  @Test func `A tagged file that was cut says so`() throws {
    let folder = try TemporaryFolder()
    let file = try AudioFile(opening: folder.write(Array(Fixtures.mp3.prefix(1_500)), as: "a.mp3"))
    let decoded = try file.readAll()
    #expect((1_000..<12_000).contains(decoded.frameCount))
    #expect(file.isTruncated == true)
  }

  @Test func `Without a tag the length is unknown, and a guess that was wrong is no truncation`() throws {
    let folder = try TemporaryFolder()
    for tail in [0, 1, 100, 300] {
      let bytes = id3(3_000) + silentMP3(packetCount: 40).dropLast(tail)
      let file = try AudioFile(opening: folder.write(bytes, as: "a.mp3"))
      #expect(file.frameCount == nil)
      let decoded = try file.readAll()
      #expect((38 * 1_152...40 * 1_152).contains(decoded.frameCount))
      #expect(file.isTruncated == false)
    }
  }

  @Test func `A tag that counts packets by the billion costs no memory`() throws {
    let folder = try TemporaryFolder()
    let file = try AudioFile(opening: folder.write(silentMP3(packetCount: 20, countedAs: 0x7FFF_FFFF), as: "a.mp3"))
    #expect(file.frameCount == nil)
    let decoded = try file.readAll()
    #expect((15_000..<25_000).contains(decoded.frameCount))
    #expect(decoded.samples.capacity < 1 << 20)
  }
}
