import Testing

@testable import FileDecode

/// The bytes of loops, markers and texts in each kind of file, one by one.
@Suite struct MetadataExactTests {
  private func chunk(_ name: String, _ content: [UInt8], _ number: (UInt64, Int) -> [UInt8]) -> [UInt8] {
    Array(name.utf8) + number(UInt64(content.count), 4) + content + (content.count % 2 == 0 ? [] : [0])
  }

  private func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func annotations(
    loops: [AudioLoop] = [],
    markers: [AudioMarker] = [],
    tags: [String: String] = [:]
  ) -> Annotations {
    var all = Annotations()
    (all.loops, all.markers) = (loops, markers)
    for (name, text) in tags { all.tags[name] = text }
    return all
  }

  private let loops = [
    AudioLoop(range: 0x0102_0304..<0x0506_0708, direction: .backward, playCount: 0x0A0B_0C0D), AudioLoop(range: 5..<6),
    AudioLoop(range: 0..<0xFFFF_FFFF, direction: .alternating, playCount: 1),
  ]
  private let markers = [
    AudioMarker(frame: 0x0102_0304, name: "Verse"), AudioMarker(frame: 7), AudioMarker(frame: 8, name: "Ende"),
  ]

  @Test func `WAV has a sampler, cues, labels and texts`() {
    #expect(annotations().waveBytes(sampleRate: 48_000) == [])
    for (rate, period) in [(48_000, 20_833), (44_100, 22_675), (1_000, 1_000_000), (768_000, 1_302)] as [(Int, UInt64)]
    {
      let header = [0, 0, period, 60, 0, 0, 0, 3, 0].flatMap { little($0, 4) }
      let list = [
        [0, 2, 0x0102_0304, 0x0506_0707, 0, 0x0A0B_0C0D], [1, 0, 5, 5, 0, 0], [2, 1, 0, 0xFFFF_FFFE, 0, 1],
      ].flatMap { $0.flatMap { little($0, 4) } }
      #expect(annotations(loops: loops).waveBytes(sampleRate: rate) == chunk("smpl", header + list, little))
    }
    func cue(_ id: UInt64, _ frame: UInt64) -> [UInt8] {
      little(id, 4) + little(frame, 4) + ascii("data") + little(0, 8) + little(frame, 4)
    }
    let cues = chunk("cue ", little(3, 4) + cue(1, 0x0102_0304) + cue(2, 7) + cue(3, 8), little)
    let labels =
      chunk("labl", little(1, 4) + ascii("Verse\0"), little) + chunk("labl", little(3, 4) + ascii("Ende\0"), little)
    let list = chunk("LIST", ascii("adtl") + labels, little)
    #expect(annotations(markers: markers).waveBytes(sampleRate: 48_000) == cues + list)
    let unnamed = chunk("cue ", little(1, 4) + cue(1, 7), little)
    #expect(annotations(markers: [markers[1]]).waveBytes(sampleRate: 48_000) == unnamed)
    let info = chunk("ICRD", ascii("5\0"), little) + chunk("INAM", ascii("Ab\0"), little)
    let texts = chunk("LIST", ascii("INFO") + info, little)
    #expect(annotations(tags: ["TITLE": "Ab", "DATE": "5", "MOOD": "x"]).waveBytes(sampleRate: 48_000) == texts)
    #expect(annotations(tags: ["MOOD": "x"]).waveBytes(sampleRate: 48_000) == [])
    let all = annotations(loops: [loops[1]], markers: [markers[1]], tags: ["TITLE": "Ab"]).waveBytes(sampleRate: 48_000)
    #expect(
      all == annotations(loops: [loops[1]]).waveBytes(sampleRate: 48_000) + unnamed
        + chunk("LIST", ascii("INFO") + chunk("INAM", ascii("Ab\0"), little), little)
    )
  }

  @Test func `AIFF has markers, an instrument and texts`() {
    #expect(annotations().aiffBytes == [])
    func mark(_ id: UInt64, _ frame: UInt64, _ name: String) -> [UInt8] {
      big(id, 2) + big(frame, 4) + [UInt8(name.utf8.count)] + ascii(name) + (name.utf8.count % 2 == 0 ? [0] : [])
    }
    func instrument(_ numbers: [UInt64]) -> [UInt8] {
      chunk("INST", [60, 0, 0, 127, 1, 127, 0, 0] + numbers.flatMap { big($0, 2) }, big)
    }
    let marks = mark(1, 0x0102_0304, "Verse") + mark(2, 7, "") + mark(3, 8, "Ende")
    #expect(annotations(markers: markers).aiffBytes == chunk("MARK", big(3, 2) + marks, big))
    let one = annotations(loops: [loops[1]], markers: [markers[1]]).aiffBytes
    let ends = mark(1, 5, "") + mark(2, 6, "")
    #expect(one == chunk("MARK", big(3, 2) + ends + mark(3, 7, ""), big) + instrument([1, 1, 2, 0, 0, 0]))
    let alternating = AudioLoop(range: 9..<0x0102_0304, direction: .alternating)
    let two = annotations(loops: [loops[1], alternating]).aiffBytes
    let four = ends + mark(3, 9, "") + mark(4, 0x0102_0304, "")
    #expect(two == chunk("MARK", big(4, 2) + four, big) + instrument([1, 1, 2, 2, 3, 4]))
    let swapped = annotations(loops: [alternating, loops[1]]).aiffBytes
    let other = mark(1, 9, "") + mark(2, 0x0102_0304, "") + mark(3, 5, "") + mark(4, 6, "")
    #expect(swapped == chunk("MARK", big(4, 2) + other, big) + instrument([2, 1, 2, 1, 3, 4]))
    let texts = annotations(tags: ["TITLE": "Abc", "ARTIST": "De", "ALBUM": "x"]).aiffBytes
    #expect(texts == chunk("AUTH", ascii("De"), big) + chunk("NAME", ascii("Abc"), big))
  }

  @Test func `CAF has markers, names, regions and texts`() {
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] { ascii(name) + big(UInt64(content.count), 8) + content }
    func mark(_ kind: String, _ frame: Double, _ id: UInt64) -> [UInt8] {
      ascii(kind) + big(frame.bitPattern, 8) + big(id, 4) + big(0, 12)
    }
    #expect(annotations().cafBytes == [])
    let marks = mark("\0\0\0\0", 16_909_060, 1) + mark("\0\0\0\0", 7, 2) + mark("\0\0\0\0", 8, 3)
    let marked = chunk("mark", big(0, 4) + big(3, 4) + marks)
    let places = big(1, 4) + big(0, 8) + big(3, 4) + big(6, 8)
    let names = chunk("strg", big(2, 4) + places + ascii("Verse\0Ende\0"))
    #expect(annotations(markers: markers).cafBytes == marked + names)
    let unnamed = chunk("mark", big(0, 4) + big(1, 4) + mark("\0\0\0\0", 7, 1))
    #expect(annotations(markers: [markers[1]]).cafBytes == unnamed)
    func region(_ number: UInt64, _ flags: UInt64, _ start: Double, _ end: Double) -> [UInt8] {
      big(number, 4) + big(flags, 4) + big(2, 4) + mark("rbeg", start, 0) + mark("rend", end, 0)
    }
    let regions = region(1, 5, 16_909_060, 84_281_096) + region(2, 3, 5, 6) + region(3, 7, 0, 4_294_967_295)
    #expect(annotations(loops: loops).cafBytes == chunk("regn", big(0, 4) + big(3, 4) + regions))
    let both = annotations(loops: [loops[1]], markers: [markers[1]]).cafBytes
    #expect(both == unnamed + chunk("regn", big(0, 4) + big(1, 4) + region(2, 3, 5, 6)))
    let texts = annotations(tags: ["TITLE": "Abc", "MOOD": "dark"]).cafBytes
    #expect(texts == chunk("info", big(2, 4) + ascii("MOOD\0dark\0title\0Abc\0")))
  }

  @Test func `MP3 has a tag of ID3 with sizes of seven bits a byte`() {
    func safe(_ size: Int) -> [UInt8] { [size >> 21, size >> 14, size >> 7, size].map { UInt8($0 & 0x7F) } }
    func frame(_ name: String, _ content: [UInt8]) -> [UInt8] { ascii(name) + safe(content.count) + [0, 0] + content }
    func tag(_ frames: [UInt8]) -> [UInt8] { ascii("ID3") + [4, 0, 0] + safe(frames.count) + frames }
    #expect(annotations().id3Bytes == tag([]))
    let long = String(repeating: "x", count: 20_000)
    let all = annotations(
      loops: [loops[1], loops[0]],
      tags: ["TITLE": "Äb", "COMMENT": "one", "MOOD": long, "DATE": "5"]
    )
    let frames =
      frame("TXXX", [3] + ascii("LOOPSTART\0") + ascii("5")) + frame("TXXX", [3] + ascii("LOOPLENGTH\0") + ascii("1"))
      + frame("COMM", [3] + ascii("XXX\0one")) + frame("TDRC", [3] + ascii("5"))
      + frame("TXXX", [3] + ascii("MOOD\0" + long))
      + frame("TIT2", [3] + ascii("Äb"))
    #expect(all.id3Bytes == tag(frames))
    let huge = annotations(tags: ["A": String(repeating: "x", count: 3_000_000)])
    #expect(huge.id3Bytes == tag(frame("TXXX", [3] + ascii("A\0") + [UInt8](repeating: 0x78, count: 3_000_000))))
  }

  @Test func `A Vorbis comment has the maker of the encoder and the texts, the loop first`() {
    func entry(_ text: String) -> [UInt8] { little(UInt64(text.utf8.count), 4) + ascii(text) }
    #expect(annotations().commentBytes(vendor: []) == little(0, 8))
    let all = annotations(loops: [AudioLoop(range: 5..<12), loops[2]], tags: ["TITLE": "Äb", "MOOD": "dark = deep"])
    let entries = ["LOOPSTART=5", "LOOPLENGTH=7", "MOOD=dark = deep", "TITLE=Äb"].flatMap(entry)
    #expect(all.commentBytes(vendor: ascii("me")) == entry("me") + little(4, 4) + entries)
    #expect(
      annotations(tags: ["A": "b"]).commentBytes(vendor: ascii("me")) == entry("me") + little(1, 4) + entry("A=b")
    )
    let texts = all.textsWithLoop.map { "\($0.name) \($0.text)" }
    #expect(texts == ["LOOPSTART 5", "LOOPLENGTH 7", "MOOD dark = deep", "TITLE Äb"])
    for (bytes, vendor) in [
      (little(2, 4) + ascii("me more"), "me"), (little(0, 4) + ascii("me"), ""), (little(9, 4) + ascii("me"), "me"),
      ([2, 0, 0], ""), ([], ""),
    ] {
      #expect(Annotations.vendor(bytes) == ascii(vendor))
      #expect(Annotations.vendor(([7] + bytes).dropFirst()) == ascii(vendor))
    }
  }

  @Test func `A chunk has a zero behind an odd number of bytes, and numbers their lowest bytes`() {
    for count in 0...5 {
      let content = [UInt8](repeating: 9, count: count)
      for isBig in [false, true] {
        var bytes: [UInt8] = [7]
        bytes.appendChunk("name", content, isBigEndian: isBig)
        #expect(bytes == [7] + chunk("name", content, isBig ? big : little))
      }
    }
    for byteCount in 0...8 {
      for value in [0, 1, 0x0102_0304_0506_0708, -2, Int.min, Int.max] {
        var (low, high): ([UInt8], [UInt8]) = ([9], [9])
        low.append(value, byteCount: byteCount, isBigEndian: false)
        high.append(value, byteCount: byteCount, isBigEndian: true)
        let bits = UInt64(bitPattern: Int64(value))
        #expect(low == [9] + little(bits, byteCount) && high == [9] + big(bits, byteCount))
        if byteCount == 8 {
          #expect(
            Int(bytes: low.dropFirst(), isBigEndian: false) == value
              && Int(bytes: high.dropFirst(), isBigEndian: true) == value
          )
        }
      }
    }
    #expect(Int(bytes: [] as [UInt8], isBigEndian: true) == 0 && Int(bytes: [1, 2, 3], isBigEndian: true) == 0x01_0203)
    #expect(
      Int(bytes: [1, 2, 3], isBigEndian: false) == 0x03_0201
        && String(latin1: [0x41, 0xF6, 0xFF, 0] as [UInt8]) == "Aöÿ\0"
    )
    let pairs: KeyValuePairs = ["a": "X", "b": "X", "a": "Y"]
    #expect(
      pairs.name(of: "a") == "X" && pairs.name(of: "X") == nil && pairs.id(of: "X") == "a" && pairs.id(of: "a") == nil
    )
  }
}
