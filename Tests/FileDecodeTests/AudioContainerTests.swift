import FileDecode
import Testing

@Suite struct AudioContainerTests {
  @Test func `Bytes in memory have the container that their head shows, and it prints its name`() throws {
    let samples = [UInt8](repeating: 1, count: 400)
    let files: [([UInt8], AudioContainer, String)] = [
      (wav(data: samples), .wav, "WAV"), (rf64(samples), .rf64, "RF64"), (w64(samples), .wave64, "Wave64"),
      (caf(samples), .caf, "CAF"), (au(samples), .au, "AU"), (silentMP3(packetCount: 4), .mpegAudio, "MPEG audio"),
    ]
    for (bytes, container, name) in files {
      let found = try AudioFile(bytes: bytes).container
      #expect(found == container, "\(name)")
      #expect(found.name == name && found.description == name)
    }
  }

  @Test func `Files of other programs have their containers, and they print their names`() throws {
    let files: [(String, AudioContainer, String)] = [
      ("ima4.aifc", .aiff, "AIFF"), ("streamed.flac", .flac, "FLAC"), ("vorbis.ogg", .ogg, "Ogg"),
      ("alac.m4a", .mpeg4, "MPEG-4"), ("aac.aac", .adts, "ADTS"), ("layer2.mp2", .mpegAudio, "MPEG audio"),
    ]
    for (fixture, container, name) in files {
      let found = try AudioFile(opening: FixtureFiles.path(fixture)).container
      #expect(found == container, "\(fixture)")
      #expect(found.name == name && found.description == name)
    }
  }

  @Test func `A codec prints its name`() {
    let codecs: [AudioCodec] = [.int16, .aLaw, .alac, .vorbis]
    #expect(codecs.map(\.description) == ["16-bit integer", "A-law", "Apple Lossless", "Vorbis"])
  }
}
