import FileDecode
import Testing

/// The end of the samples, which is not always the end of the file, and not always in the header.
@Suite struct FileEndTests {
  private let samples = [UInt8](repeating: 3, count: 2_002)

  @Test func `Bytes behind the samples of a Wave64 file are not decoded`() throws {
    let folder = try TemporaryFolder()
    for behind in [[], Array("levl".utf8) + [UInt8](repeating: 9, count: 4_020), [1, 2, 3]] {
      let file = try AudioFile(opening: folder.write(w64(samples, behind: behind), as: "a.w64"))
      #expect(file.frameCount == 1_001)
      #expect(try file.readAll().samples == [Float](repeating: 771 / 32_768, count: 1_001))
      #expect(file.isTruncated == false)
    }
  }

  @Test func `A WAV file that another follows is read to its own end`() throws {
    let folder = try TemporaryFolder()
    let file = try AudioFile(opening: folder.write(wav(data: samples) + wav(data: samples), as: "a.wav"))
    #expect(try file.readAll().frameCount == 1_001)
    #expect(file.isTruncated == false)
  }

  @Test func `A cut Wave64, RF64, AU or CAF file reports its truncation and returns the remaining frames`() throws {
    let folder = try TemporaryFolder()
    for (name, whole) in [
      ("a.w64", w64(samples)), ("a.rf64", rf64(samples)), ("a.au", au(samples)), ("a.caf", caf(samples)),
    ] {
      let cutCount = name == "a.w64" ? 1_006 : 1_000
      let file = try AudioFile(opening: folder.write(Array(whole.dropLast(cutCount)), as: name))
      #expect(file.isTruncated == true, "\(name)")
      #expect(try file.readAll().samples == [Float](repeating: 771 / 32_768, count: 501), "\(name)")
      #expect(try !AudioFile(opening: folder.write(whole, as: name)).isTruncated, "\(name)")
    }
  }

  @Test func `A CAF file without a data size is read to its end`() throws {
    let folder = try TemporaryFolder()
    let file = try AudioFile(opening: folder.write(caf(hasSize: false, samples), as: "a.caf"))
    #expect(try file.readAll().samples == [Float](repeating: 771 / 32_768, count: 1_001))
    #expect(file.isTruncated == false)
  }

  @Test func `A WAV file of a crashed recorder returns its samples and is truncated`() throws {
    let folder = try TemporaryFolder()
    var unfinished = wav(dataSize: 0, data: samples)
    for formSize: UInt64 in [0, 36] {
      unfinished.replaceSubrange(4..<8, with: little(formSize, 4))
      let file = try AudioFile(opening: folder.write(unfinished, as: "a.wav"))
      #expect(try file.readAll().samples == [Float](repeating: 771 / 32_768, count: 1_001))
      #expect(file.isTruncated == true)
    }
    let empty = wav(dataSize: 0, data: Array("LIST".utf8) + little(4, 4) + Array("INFO".utf8))
    let file = try AudioFile(opening: folder.write(empty, as: "b.wav"))
    #expect(try file.readAll().frameCount == 0)
    #expect(file.isTruncated == false)
  }

  @Test func `A tag behind a FLAC file is no damage, however the file is read`() throws {
    let folder = try TemporaryFolder()
    let original = try noise(10_000, .mono(sampleRate: 44_100))
    let flac = try bytes(of: save(original, to: folder.file("a.flac")))
    for behind in [Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125), [UInt8](repeating: 0xAA, count: 5_000)] {
      let path = try folder.write(flac + behind, as: "b.flac")
      #expect(try AudioFile(opening: path).readAll(as: Int16.self) == original)
      for maxFrames in [4_096, 1_000, 7] {
        let file = try AudioFile(opening: path)
        var block = PCMBuffer<Float>(format: file.format)
        while try file.read(into: &block, maxFrames: maxFrames) > 0 {}
        #expect(file.isTruncated == false)
      }
    }
  }
}
