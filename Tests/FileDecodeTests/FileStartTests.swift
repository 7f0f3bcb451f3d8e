import FileDecode
import Testing

/// The start of the sound, which is not always the start of the file.
@Suite struct FileStartTests {
  @Test func `Tags and padding in front are skipped`() throws {
    let folder = try TemporaryFolder()
    let original = try noise(3_000, .mono(sampleRate: 44_100))
    let flac = try bytes(of: save(original, to: folder.file("a.flac")))
    let mp3 = try AudioFile(opening: folder.write(Fixtures.mp3, as: "a.mp3")).readAll()
    let fronts = [
      id3(50), id3(50) + [UInt8](repeating: 0, count: 300), id3(50) + [UInt8](repeating: 0, count: 9_000),
      id3(50) + id3(5_000), ape(50), id3(5_000) + ape(50),
    ]
    for front in fronts {
      #expect(try AudioFile(opening: folder.write(front + flac, as: "b")).readAll(as: Int16.self) == original)
      #expect(try AudioFile(opening: folder.write(front + Fixtures.mp3, as: "b")).readAll() == mp3)
    }
  }

  @Test func `An MP3 that was cut at its front plays from the first whole frame`() throws {
    let folder = try TemporaryFolder()
    let whole = silentMP3(packetCount: 20)
    for missing in [1, 100, 416] {
      let file = try AudioFile(opening: folder.write(Array(whole.dropFirst(missing)), as: "a.mp3"))
      #expect(try file.readAll().frameCount == 19 * 1_152)
    }
    let zeros = [UInt8](repeating: 0, count: 17)
    let mp3 = try AudioFile(opening: folder.write(Fixtures.mp3, as: "a.mp3")).readAll()
    #expect(try AudioFile(opening: folder.write(zeros + Fixtures.mp3, as: "b.mp3")).readAll() == mp3)
  }
}
