import Testing

@testable import FileDecode

/// The parts of WAV, AIFF and CAF files with loops, markers and texts, up to their limits.
@Suite struct AnnotationPartTests {
  private func chunk(_ name: String, _ content: [UInt8], _ size: (UInt64, Int) -> [UInt8] = little) -> [UInt8] {
    Array(name.utf8) + size(UInt64(content.count), 4) + content + (content.count % 2 == 0 ? [] : [0])
  }

  private func text(_ string: String) -> [UInt8] { Array(string.utf8) + [0] }

  private let limit = 1 << 20

  // MARK: WAV

  private func wave(_ chunks: [UInt8], form: String = "RIFF") -> Annotations {
    let file = Array(form.utf8) + [0, 0, 0, 0] + Array("WAVE".utf8) + chunks
    var annotations = Annotations()
    annotations.readWave(.wav) { Array(file.dropFirst($0).prefix($1)) }
    return annotations
  }

  private func smpl(_ loops: [[UInt64]], count: UInt64? = nil, _ number: (UInt64, Int) -> [UInt8] = little) -> [UInt8] {
    let list = loops.flatMap { loop in loop.flatMap { number($0, 4) } }
    let header = (1...7).flatMap { number($0, 4) } + number(count ?? UInt64(loops.count), 4) + number(9, 4)
    return chunk("smpl", header + list, number)
  }

  @Test func `Each field of a loop of WAV has its place, in either byte order`() {
    let loops: [[UInt64]] = [
      [5, 0, 100, 200, 7, 0], [6, 1, 0, 0, 7, 1], [7, 2, 3, 0xFFFF_FFFE, 7, 0xFFFF_FFFF], [8, 3, 3, 4, 7, 2],
      [8, 0, 5, 4, 7, 2],
      [9, 0, 5, 0xFFFF_FFFF, 7, 2],
    ]
    let expected = [
      AudioLoop(range: 100..<201), AudioLoop(range: 0..<1, direction: .alternating, playCount: 1),
      AudioLoop(range: 3..<0xFFFF_FFFF, direction: .backward, playCount: 0xFFFF_FFFF),
      AudioLoop(range: 3..<5, playCount: 2),
    ]
    #expect(wave(smpl(loops)).loops == expected)
    #expect(wave(smpl(loops, big), form: "RIFX").loops == expected)
    #expect(wave(smpl(loops, count: 2)).loops == Array(expected.prefix(2)))
    #expect(wave(smpl(loops, count: 0)).loops == [])
    #expect(wave(smpl(loops, count: 99)).loops == expected)
    let cut = Array(smpl([loops[0], loops[1]]).dropLast())
    #expect(wave(Array("smpl".utf8) + little(UInt64(cut.count - 8), 4) + cut.dropFirst(8)).loops == [expected[0]])
    for (count, isRead) in [(10_000, false), (9_999, true)] {
      let many = [[UInt64]](repeating: [0, 0, 1, 2, 0, 0], count: count) + [[0, 0, 7, 8, 0, 0]]
      let found = wave(smpl(many)).loops
      #expect(found.count == 10_000 && (found.last?.range == 7..<9) == isRead)
    }
  }

  @Test func `Cues of WAV have a number, a frame and a name, in either byte order`() {
    for (number, form) in [(little, "RIFF"), (big, "RIFX")] as [((UInt64, Int) -> [UInt8], String)] {
      func cue(_ id: UInt64, _ frame: UInt64) -> [UInt8] { [id, 77, 78, 79, 80, frame].flatMap { number($0, 4) } }
      func label(_ id: UInt64, _ name: String) -> [UInt8] { chunk("labl", number(id, 4) + text(name), number) }
      let names = label(2, "B") + chunk("note", number(1, 4) + text("no"), number) + label(1, "One")
      let list = chunk("LIST", Array("adtl".utf8) + names, number)
      let expected = [
        AudioMarker(frame: 0x0102_0304, name: "One"), AudioMarker(frame: 5, name: "B"), AudioMarker(frame: 6),
      ]
      let cues = cue(1, 0x0102_0304) + cue(2, 5) + cue(3, 6)
      for order in [true, false] {
        let cueChunk = chunk("cue ", number(3, 4) + cues, number)
        #expect(wave(order ? cueChunk + list : list + cueChunk, form: form).markers == expected)
      }
      #expect(wave(chunk("cue ", number(2, 4) + cues, number) + list, form: form).markers == Array(expected.prefix(2)))
      #expect(wave(chunk("cue ", number(9, 4) + cues, number) + list, form: form).markers == expected)
      #expect(wave(chunk("cue ", number(3, 4) + cues.dropLast(), number), form: form).markers.count == 2)
    }
    for (count, isRead) in [(10_000, false), (9_999, true)] {
      let cues = (0...count).flatMap { index in
        [0, 0, 0, 0, 0, UInt64(index == count ? 7 : 1)].flatMap { little($0, 4) }
      }
      let found = wave(chunk("cue ", little(UInt64(count + 1), 4) + cues)).markers
      #expect(found.count == 10_000 && (found.last?.frame == 7) == isRead)
    }
  }

  @Test func `Each text of WAV has its name, and lists of other kinds are none`() {
    let names = [
      ("INAM", "TITLE"), ("IART", "ARTIST"), ("IPRD", "ALBUM"), ("ITRK", "TRACKNUMBER"), ("ICRD", "DATE"),
      ("IGNR", "GENRE"),
      ("ICMT", "COMMENT"), ("ICOP", "COPYRIGHT"), ("ISFT", "ENCODER"),
    ]
    // Texts of odd and even lengths.
    let info = names.enumerated().flatMap { chunk($1.0, text($1.1 + String(repeating: "x", count: $0))) }
    let expected = Dictionary(
      uniqueKeysWithValues: names.enumerated().map { ($1.1, $1.1 + String(repeating: "x", count: $0)) }
    )
    #expect(wave(chunk("LIST", Array("INFO".utf8) + info)).tags.entries == expected)
    #expect(wave(chunk("list", Array("INFO".utf8) + info)).tags.entries == expected)
    #expect(wave(chunk("LIST", Array("INFO".utf8) + chunk("IPRT", text("5")))).tags.track == "5")
    #expect(wave(chunk("LIST", Array("adtl".utf8) + info)).tags.entries == [:])
    #expect(wave(chunk("LIST", Array("INFA".utf8) + info)).tags.entries == [:])
    #expect(wave(chunk("LISZ", Array("INFO".utf8) + info)).tags.entries == [:])
    // The last text claims more than the list has, or all of it.
    let short = Array("INFO".utf8) + chunk("IART", text("a")) + Array("INAM".utf8)
    #expect(wave(chunk("LIST", short + little(26, 4) + text("end"))).tags.entries == ["ARTIST": "a", "TITLE": "end"])
    #expect(wave(chunk("LIST", short + little(27, 4) + text("end"))).tags.entries == ["ARTIST": "a"])
    #expect(wave(chunk("LIST", short + little(0, 4))).tags.entries == ["ARTIST": "a"])
    #expect(wave(chunk("LIST", short + [0, 0, 0])).tags.entries == ["ARTIST": "a"])
  }

  @Test func `A part of a WAV file has up to a megabyte, and 64 parts are read`() {
    for (size, isRead) in [(limit, true), (limit + 2, false)] {
      let list = Array("INFO".utf8) + chunk("INAM", text("a")) + [UInt8](repeating: 0xFF, count: size - 4 - 10)
      #expect((wave(chunk("LIST", list)).tags.title == "a") == isRead, "\(size)")
    }
    let title = chunk("LIST", Array("INFO".utf8) + chunk("INAM", text("a")))
    for (count, isRead) in [(63, true), (64, false)] {
      let front = (0..<count).flatMap { _ in chunk("LIST", Array("none".utf8)) + chunk("JUNK", []) }
      #expect((wave(front + title).tags.title == "a") == isRead, "\(count)")
    }
  }

  @Test func `A number of a part lies within it`() {
    for isBigEndian in [false, true] {
      let fields = Annotations.Fields(bytes: [1, 2, 3, 4, 5, 6, 7, 8, 9], isBigEndian: isBigEndian)
      for place in -2...10 {
        let isInside = (0...5).contains(place)
        let bytes = (0..<4).map { UInt64(truncatingIfNeeded: place + 1 + $0) & 0xFF }
        let value = (isBigEndian ? bytes : bytes.reversed()).reduce(0) { $0 << 8 | $1 }
        #expect(fields[place] == (isInside ? Int(value) : nil), "\(place)")
        #expect((fields.number(place, 1) == place + 1) == (0...8).contains(place))
        #expect((fields.number(place, 2) != nil) == (0...7).contains(place))
      }
      #expect((fields.number(0, 8) == (isBigEndian ? 0x0102_0304_0506_0708 : 0x0807_0605_0403_0201)))
    }
  }

  // MARK: AIFF

  private func aiff(_ chunks: [UInt8]) -> Annotations {
    let file = Array("FORM????AIFF".utf8) + chunks
    var annotations = Annotations()
    annotations.readAIFF { Array(file.dropFirst($0).prefix($1)) }
    return annotations
  }

  private func mark(_ id: UInt64, _ frame: UInt64, _ name: String = "") -> [UInt8] {
    big(id, 2) + big(frame, 4) + [UInt8(name.utf8.count)] + Array(name.utf8) + (name.utf8.count % 2 == 0 ? [0] : [])
  }

  private func marks(_ list: [[UInt8]]) -> [UInt8] {
    chunk("MARK", big(UInt64(list.count), 2) + list.flatMap(\.self), big)
  }

  /// An instrument with the mode, the first and the last marker of two loops.
  private func instrument(_ loops: [UInt64]) -> [UInt8] {
    chunk("INST", [60, 0, 0, 127, 0, 127, 1, 1] + loops.flatMap { big($0, 2) }, big)
  }

  @Test func `The loops of AIFF lie between two markers, which are then none of their own`() {
    let list = [mark(1, 10, "a"), mark(2, 900, "bc"), mark(3, 50, "Verse"), mark(260, 0x0102_0304), mark(5, 10)]
    let names = ["a", "bc", "Verse", nil, nil]
    let all = zip([10, 900, 50, 0x0102_0304, 10], names).map { AudioMarker(frame: $0, name: $1) }
    func expect(
      _ numbers: [UInt64],
      _ loops: [AudioLoop],
      without used: [Int],
      _ location: SourceLocation = #_sourceLocation
    ) {
      let found = aiff(marks(list) + instrument(numbers))
      #expect(found.loops == loops, sourceLocation: location)
      #expect(found.markers == all.indices.filter { !used.contains($0) }.map { all[$0] }, sourceLocation: location)
      #expect(aiff(instrument(numbers) + marks(list)) == found, sourceLocation: location)
    }
    expect([1, 1, 2, 0, 3, 260], [AudioLoop(range: 10..<900)], without: [0, 1])
    expect([0, 1, 2, 2, 3, 260], [AudioLoop(range: 50..<0x0102_0304, direction: .alternating)], without: [2, 3])
    expect(
      [2, 1, 3, 1, 1, 2],
      [AudioLoop(range: 10..<50, direction: .alternating), AudioLoop(range: 10..<900)],
      without: [0, 1, 2]
    )
    expect([3, 1, 2, 0, 0, 0], [], without: [])
    expect([1, 2, 1, 1, 5, 1], [], without: [])
    expect([1, 1, 9, 1, 9, 1], [], without: [])
    #expect(aiff(marks(list)).markers == all && aiff(instrument([1, 1, 2, 0, 0, 0])).loops == [])
    let whole = instrument([0, 1, 2, 1, 1, 2])
    #expect(aiff(marks(list) + whole).loops.count == 1)
    #expect(aiff(marks(list) + Array("INST".utf8) + big(19, 4) + whole.dropFirst(8).dropLast()).loops.count == 0)
  }

  @Test func `A marker of AIFF that lacks bytes is the last, and 10,000 are enough`() {
    let list = [mark(1, 10, "ab"), mark(2, 20, "abc")]
    let expected = [AudioMarker(frame: 10, name: "ab"), AudioMarker(frame: 20, name: "abc")]
    #expect(aiff(marks(list)).markers == expected)
    let content = Array(marks(list).dropFirst(8))
    for missing in 0...content.count {
      let cut = Array(content.dropLast(missing))
      let found = aiff(chunk("MARK", cut, big)).markers
      // The second marker has seven bytes and its name of three; the first ends two bytes behind its name.
      #expect(found.count == (missing <= 3 ? 2 : content.count - missing >= 9 ? 1 : 0), "\(missing)")
    }
    for (count, isRead) in [(9_999, true), (10_000, false)] {
      let many = [[UInt8]](repeating: mark(1, 5), count: count) + [mark(2, 7)]
      let found = aiff(marks(many)).markers
      #expect(found.count == 10_000 && (found.last?.frame == 7) == isRead)
    }
  }

  @Test func `The texts of AIFF have chunks of up to a megabyte`() {
    let names = [("NAME", "TITLE"), ("AUTH", "ARTIST"), ("(c) ", "COPYRIGHT"), ("ANNO", "COMMENT")]
    let texts = names.flatMap { chunk($0, Array("\($1) x".utf8), big) }
    #expect(aiff(texts).tags.entries == Dictionary(uniqueKeysWithValues: names.map { ($1, "\($1) x") }))
    #expect(aiff(chunk("NAMF", [0x41], big)).tags.entries == [:])
    for (size, isRead) in [(limit, true), (limit + 1, false)] {
      let title = chunk("NAME", [0x41] + [UInt8](repeating: 0, count: size - 1), big)
      #expect((aiff(title).tags.title == "A") == isRead)
      let author = chunk("AUTH", [0x42], big)
      #expect(aiff(title + author).tags.artist == "B")
      let marked = chunk("MARK", big(1, 2) + mark(1, 10) + [UInt8](repeating: 0, count: size - 10), big)
      #expect(aiff(marked).markers.first?.frame == (isRead ? 10 : nil))
    }
    let claiming = Array("NAME".utf8) + big(0xFFFF_FFFF, 4) + [0x41]
    #expect(aiff(claiming).tags.entries == [:])
  }
}
