@testable import FileDecode
import Testing

@Suite struct AnnotationTests {
  private func chunk(_ name: String, _ content: [UInt8], _ size: (UInt64, Int) -> [UInt8]) -> [UInt8] {
    Array(name.utf8) + size(UInt64(content.count), 4) + content + (content.count % 2 == 0 ? [] : [0])
  }

  private func text(_ string: String) -> [UInt8] { Array(string.utf8) + [0] }

  private func smpl(_ loops: [(kind: UInt64, start: UInt64, last: UInt64, count: UInt64)]) -> [UInt8] {
    let list = loops.flatMap { loop in
      little(0, 4) + little(loop.kind, 4) + little(loop.start, 4) + little(loop.last, 4) + little(0, 4)
        + little(loop.count, 4)
    }
    return chunk(
      "smpl",
      [UInt8](repeating: 0, count: 28) + little(UInt64(loops.count), 4) + little(0, 4) + list,
      little
    )
  }

  /// A WAV file of 1,000 frames with chunks in front of or behind its samples.
  private func wave(front: [UInt8] = [], behind: [UInt8] = []) -> [UInt8] {
    var bytes = wav(data: [UInt8](repeating: 1, count: 2_000))
    bytes.insert(contentsOf: front, at: 36)
    return bytes + behind
  }

  @Test func `Loops of a WAV file end behind their named last frame, before and after the samples`() throws {
    let loops = smpl([(0, 100, 899, 0), (1, 0, 0, 3), (2, 5, 999, 1)])
    for bytes in [wave(front: loops), wave(behind: loops)] {
      let file = try AudioFile(bytes: bytes)
      #expect(
        file.loops == [
          AudioLoop(range: 100..<900), AudioLoop(range: 0..<1, direction: .alternating, playCount: 3),
          AudioLoop(range: 5..<1_000, direction: .backward, playCount: 1),
        ]
      )
      #expect(file.loopRange == 100..<900)
    }
  }

  @Test func `Invalid loops are dropped`() throws {
    let loops = smpl([(0, 0, 1_000, 0), (0, 0, 0xFFFF_FFFF, 0), (0, 500, 499, 0), (0, 0xFFFF_FFFF, 0xFFFF_FFFF, 0)])
    #expect(try AudioFile(bytes: wave(behind: loops)).loops.isEmpty)
    var claiming = smpl([(0, 0, 9, 0)])
    claiming.replaceSubrange(36..<40, with: little(0xFFFF_FFFF, 4))
    #expect(try AudioFile(bytes: wave(behind: claiming)).loops == [AudioLoop(range: 0..<10)])
    #expect(try AudioFile(bytes: wave()).loops.isEmpty)
    #expect(try AudioFile(bytes: wave()).loopRange == nil)
  }

  @Test func `Cues of a WAV file come in their order, with their names`() throws {
    func cue(_ id: UInt64, _ frame: UInt64) -> [UInt8] {
      little(id, 4) + little(frame, 4) + Array("data".utf8) + little(0, 8) + little(frame, 4)
    }
    let cues = chunk("cue ", little(3, 4) + cue(1, 700) + cue(2, 5) + cue(9, 1_001), little)
    let names = chunk("LIST", Array("adtl".utf8) + chunk("labl", little(1, 4) + text("Chorus"), little), little)
    let file = try AudioFile(bytes: wave(behind: cues + names))
    #expect(file.markers == [AudioMarker(frame: 5), AudioMarker(frame: 700, name: "Chorus")])
  }

  @Test func `Texts of a WAV file are UTF-8, or Latin-1`() throws {
    let info =
      chunk("INAM", text("Grówl"), little) + chunk("IART", [0x4A, 0xF6, 0x72, 0x67, 0], little)
      + chunk("IXYZ", text("unknown"), little)
    let file = try AudioFile(bytes: wave(front: chunk("LIST", Array("INFO".utf8) + info, little)))
    #expect(file.tags.title == "Grówl")
    #expect(file.tags.artist == "Jörg")
    #expect(file.tags.entries.count == 2)
  }

  @Test func `Loops of an AIFF file lie between its markers`() throws {
    let folder = try TemporaryFolder()
    let plain = try bytes(of: save(noise(1_000, .mono(sampleRate: 44_100)), to: folder.file("a.aiff")))
    func mark(_ id: UInt64, _ frame: UInt64, _ name: String) -> [UInt8] {
      big(id, 2) + big(frame, 4) + [UInt8(name.utf8.count)] + Array(name.utf8) + (name.utf8.count % 2 == 0 ? [0] : [])
    }
    let marks = chunk(
      "MARK",
      big(4, 2) + mark(1, 10, "a") + mark(2, 900, "bc") + mark(3, 50, "Verse") + mark(4, 0, ""),
      big
    )
    let instrument = chunk(
      "INST",
      [60, 0, 0, 127, 0, 127] + big(0, 2) + big(1, 2) + big(1, 2) + big(2, 2) + big(0, 6),
      big
    )
    let file = try AudioFile(bytes: plain + marks + instrument + chunk("NAME", Array("Growl".utf8), big))
    #expect(file.loops == [AudioLoop(range: 10..<900)])
    #expect(file.markers == [AudioMarker(frame: 0), AudioMarker(frame: 50, name: "Verse")])
    #expect(file.tags.title == "Growl")
  }

  /// A FLAC file of 1,000 frames with comments.
  private func flac(_ comments: [String]) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    var bytes = try bytes(of: save(noise(1_000, .mono(sampleRate: 44_100)), to: folder.file("a.flac")))
    let list = comments.flatMap { little(UInt64($0.utf8.count), 4) + Array($0.utf8) }
    let block = little(3, 4) + Array("me!".utf8) + little(UInt64(comments.count), 4) + list
    // The new block follows the first one, which has 34 bytes.
    bytes.insert(contentsOf: [4] + big(UInt64(block.count), 3) + block, at: 4 + 4 + 34)
    return bytes
  }

  @Test func `LOOPSTART, LOOPLENGTH and LOOPEND comments loop a file`() throws {
    for (comments, range) in [
      (["LOOPSTART=100", "LOOPLENGTH=800"], 100..<900), (["loopstart=100", "LoopEnd=900"], 100..<900),
      (["LOOPSTART=100"], 100..<1_000), (["LOOPSTART=0", "LOOPLENGTH=1000"], 0..<1_000),
    ] {
      #expect(try AudioFile(bytes: flac(comments)).loops == [AudioLoop(range: range)])
    }
    for comments in [
      ["LOOPSTART=100", "LOOPLENGTH=901"], ["LOOPSTART=-1"], ["LOOPSTART=x"], ["LOOPLENGTH=5"], ["LOOPSTART=1000"],
      ["LOOPSTART=1", "LOOPLENGTH=9223372036854775807"], ["LOOPSTART=9223372036854775807"],
    ] {
      #expect(try AudioFile(bytes: flac(comments)).loops == [])
    }
  }

  @Test func `Vorbis comments are read unchanged`() throws {
    let tags = try AudioFile(bytes: flac(["TITLE=Gr=owl", "artist=Ärzte", "MADEUP=1", "=x", "nothing"])).tags
    #expect(tags.title == "Gr=owl")
    #expect(tags.artist == "Ärzte")
    #expect(tags["madeUp"] == "1")
    #expect(tags.software == "me!")
    #expect(tags.entries.count == 4)
    #expect(try AudioFile(opening: FixtureFiles.path("vorbis.ogg")).tags.software != nil)
    #expect(try AudioFile(bytes: Fixtures.opus).tags.software?.hasPrefix("libopus") == true)
  }

  @Test(arguments: [2, 3, 4] as [UInt8])
  func `ID3 tags are read in every version and script`(version: UInt8) throws {
    func frame(_ name: String, _ short: String, _ content: [UInt8]) -> [UInt8] {
      let size = UInt64(content.count)
      let safe = [21, 14, 7, 0].map { UInt8(size >> UInt64($0) & 0x7F) }
      switch version {
      case 2: return Array(short.utf8) + big(size, 3) + content
      case 3: return Array(name.utf8) + big(size, 4) + [0, 0] + content
      default: return Array(name.utf8) + safe + [0, 0] + content
      }
    }
    let wide: [UInt8] = [1, 0xFF, 0xFE] + "Grówl".utf16.flatMap { little(UInt64($0), 2) }
    let loop: [UInt8] = [3] + text("LOOPSTART") + Array("7".utf8)
    let body =
      frame("TIT2", "TT2", wide) + frame("TPE1", "TP1", [0, 0x4A, 0xF6] as [UInt8]) + frame("TXXX", "TXX", loop)
      + [UInt8](repeating: 0, count: 50)
    let size = [21, 14, 7, 0].map { UInt8(body.count >> $0 & 0x7F) }
    let tag = Array("ID3".utf8) + [version, 0, 0] + size + body
    let file = try AudioFile(bytes: tag + silentMP3(packetCount: 4))
    #expect(file.tags.title == "Grówl")
    #expect(file.tags.artist == "Jö")
    #expect(file.loopRange == 7..<4 * 1_152)
  }

  @Test(arguments: [2, 3] as [UInt8])
  func `Zeros behind bytes of 255 are left out where an ID3 tag has the flag for it`(version: UInt8) throws {
    let wide: [UInt8] = [1, 0xFF, 0xFE] + "Grÿwl".utf16.flatMap { little(UInt64($0), 2) }
    let head =
      version == 2
      ? Array("TT2".utf8) + big(UInt64(wide.count), 3) : Array("TIT2".utf8) + big(UInt64(wide.count), 4) + [0, 0]
    let plain = head + wide + [UInt8](repeating: 0, count: 20)
    for isFlagged in [false, true] {
      let body = isFlagged ? plain.flatMap { $0 == 0xFF ? [0xFF, 0] : [$0] } : plain
      let tag = Array("ID3".utf8) + [version, 0, isFlagged ? 0x80 : 0, 0, 0, 0, UInt8(body.count)] + body
      #expect(try AudioFile(bytes: tag + silentMP3(packetCount: 4)).tags.title == "Grÿwl", "\(isFlagged)")
    }
  }

  @Test func `The packets of an MP3 file have the channels, not the frame of its tag`() throws {
    var bytes = silentMP3(packetCount: 4, countedAs: 4)
    // The tag lies behind the side information, which has 32 bytes in stereo.
    bytes[3] &= 0x3F
    bytes.replaceSubrange(36..<48, with: bytes[21..<33])
    bytes.replaceSubrange(21..<33, with: repeatElement(0, count: 12))
    let file = try AudioFile(bytes: bytes)
    #expect(file.format.channelCount == 1)
    #expect(try file.readAll().frameCount == 4 * 1_152)
  }

  @Test func `Texts of an MPEG-4 file are read`() throws {
    func box(_ name: [UInt8], _ content: [UInt8]) -> [UInt8] { big(UInt64(8 + content.count), 4) + name + content }
    func data(_ kind: UInt64, _ text: String) -> [UInt8] {
      box(Array("data".utf8), big(kind, 4) + big(0, 4) + Array(text.utf8))
    }
    func named(_ name: String, _ text: String) -> [UInt8] {
      box(
        Array("----".utf8),
        box(Array("mean".utf8), big(0, 4)) + box(Array("name".utf8), big(0, 4) + Array(name.utf8)) + data(1, text)
      )
    }
    let items =
      box([0xA9] + Array("nam".utf8), data(1, "Grówl")) + box([0xA9] + Array("ART".utf8), data(1, "Me"))
      + box([0xA9] + Array("alb".utf8), data(21, "a number")) + box(Array("cprt".utf8), data(1, "2026"))
      + named("LOOPSTART", "10") + named("iTunSMPB", "priming") + box(Array("covr".utf8), data(13, "picture"))
    let list = box(Array("ilst".utf8), items)
    let handler = box(Array("hdlr".utf8), big(0, 8))
    // With and without the version that comes first in most files.
    for meta in [big(0, 4) + handler + list, handler + list] {
      let movie = box(Array("moov".utf8), box(Array("udta".utf8), box(Array("meta".utf8), meta)))
      let file = box(Array("ftyp".utf8), Array("M4A ".utf8)) + movie
      var annotations = Annotations()
      annotations.readMPEG4(file.count) { place, count in Array(file.dropFirst(place).prefix(count)) }
      #expect(
        annotations.tags.entries == ["TITLE": "Grówl", "ARTIST": "Me", "COPYRIGHT": "2026", "LOOPSTART": "10"]
      )
    }
  }

  @Test func `APE and old ID3 tags behind a file are read`() throws {
    let item = little(5, 4) + little(0, 4) + text("Title") + Array("Growl".utf8)
    let footer =
      Array("APETAGEX".utf8) + little(2_000, 4) + little(UInt64(item.count + 32), 4) + little(1, 4) + little(0, 12)
    let old =
      Array("TAG".utf8) + Array("Old".utf8) + [UInt8](repeating: 0, count: 27) + Array("Me".utf8)
      + [UInt8](repeating: 0, count: 93)
    let tags = try AudioFile(bytes: silentMP3(packetCount: 4) + item + footer + old).tags
    #expect(tags.title == "Old")
    #expect(tags.artist == "Me")
    #expect(try AudioFile(bytes: silentMP3(packetCount: 4) + item + footer).tags.title == "Growl")
  }

  @Test func `Texts and regions of a CAF file are read`() throws {
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array(name.utf8) + big(UInt64(content.count), 8) + content
    }
    func mark(_ kind: String, _ frame: Double, _ id: UInt64) -> [UInt8] {
      Array(kind.utf8) + big(frame.bitPattern, 8) + big(id, 4) + big(0, 12)
    }
    let region = big(0, 4) + big(1, 4) + big(0, 4) + big(3, 4) + big(2, 4) + mark("rbeg", 10, 0) + mark("rend", 90, 0)
    let strings = big(1, 4) + big(7, 4) + big(0, 8) + text("Chorus")
    let info = big(2, 4) + text("title") + text("Growl") + text("track number") + text("3")
    let bytes =
      caf([UInt8](repeating: 1, count: 200)) + chunk("regn", region) + chunk("strg", strings)
      + chunk("mark", big(0, 4) + big(1, 4) + mark("gen ", 50, 7)) + chunk("info", info)
    let file = try AudioFile(bytes: bytes)
    #expect(file.loops == [AudioLoop(range: 10..<90)])
    #expect(file.markers == [AudioMarker(frame: 50, name: "Chorus")])
    #expect(file.tags.title == "Growl")
    #expect(file.tags.track == "3")
  }

  @Test func `The last text of a CAF file may lack its zero`() throws {
    let info = big(2, 4) + text("title") + text("Growl") + text("track number") + Array("3".utf8)
    let file = try AudioFile(
      bytes: caf([UInt8](repeating: 1, count: 200)) + Array("info".utf8) + big(UInt64(info.count), 8) + info
    )
    #expect(file.tags.title == "Growl" && file.tags.track == "3")
  }

  @Test func `Names that share the bytes of a CAF file take no more memory than a name each`() throws {
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array(name.utf8) + big(UInt64(content.count), 8) + content
    }
    let count: UInt64 = 10_000
    let places = (1...count).flatMap { big($0, 4) + big(0, 8) }
    let strings = big(count, 4) + places + [UInt8](repeating: 65, count: 500_000)
    let marks = (1...count).flatMap { Array("gen ".utf8) + big(Double(1).bitPattern, 8) + big($0, 4) + big(0, 12) }
    let file = try AudioFile(
      bytes: caf([UInt8](repeating: 1, count: 200)) + chunk("strg", strings)
        + chunk("mark", big(0, 4) + big(count, 4) + marks)
    )
    #expect(file.markers.count == Int(count))
    #expect(file.markers.reduce(0) { $0 + ($1.name?.utf8.count ?? 0) } <= 1 << 20)
  }

  @Test func `A loop range counts from the first frame of the sound, with and without trimming`() throws {
    let body: [UInt8] = [3] + text("LOOPSTART") + Array("100".utf8)
    let frame: [UInt8] = Array("TXXX".utf8) + [0, 0, 0, UInt8(body.count), 0, 0] + body
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
    let bytes = try tag + FixtureFiles.bytes("untagged.mp3")
    #expect(try AudioFile(bytes: bytes).loopRange == 100..<3_456)
    let music = try FixtureFiles.bytes("tagged.mp3")
    let start = try #require(music.indices.first { music[$0] == 0xFF && music[$0 + 1] == 0xFB })
    let tagged = tag + music[start...]
    #expect(try AudioFile(bytes: tagged).loopRange == 100..<2_205)
    #expect(try AudioFile(bytes: tagged, trimming: .off).loopRange == 1_205..<3_456)
  }
}
