import Testing

@testable import FileDecode

/// The parts of CAF files with loops, markers and texts, and the tags of APE, up to their limits.
@Suite struct AnnotationCAFTests {
  private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + big(UInt64(content.count), 8) + content
  }

  private func caf(_ chunks: [UInt8]) -> Annotations {
    let file = Array("caff".utf8) + [0, 1, 0, 0] + chunks
    var annotations = Annotations()
    annotations.readCAF { Array(file.dropFirst($0).prefix($1)) }
    return annotations
  }

  private func mark(_ kind: String, _ frame: Double, _ id: UInt64 = 0) -> [UInt8] {
    Array(kind.utf8) + big(frame.bitPattern, 8) + big(id, 4) + [UInt8](repeating: 0x77, count: 12)
  }

  private func marks(_ list: [[UInt8]], count: UInt64? = nil) -> [UInt8] {
    chunk("mark", big(9, 4) + big(count ?? UInt64(list.count), 4) + list.flatMap(\.self))
  }

  @Test func `The markers of CAF have positions from 0 on, in whole frames`() {
    let frames = [0, 1, 7.9, 0x1.0p32, 1e15 - 1]
    let list = frames.map { mark("gen ", $0) }
    let expected = [0, 1, 7, 1 << 32, 999_999_999_999_999].map { AudioMarker(frame: $0) }
    #expect(caf(marks(list)).markers == expected)
    for count in 0...5 { #expect(caf(marks(list, count: UInt64(count))).markers == Array(expected.prefix(count))) }
    #expect(caf(marks(list, count: 99)).markers == expected)
    // A mark that makes no sense is the last, and so is a mark without all the bytes that are read.
    for bad in [-1, -0.5, 1e15, .infinity, .nan] {
      #expect(caf(marks([list[1], mark("gen ", bad), list[2]])).markers == [expected[1]], "\(bad)")
    }
    let content = big(0, 4) + big(2, 4) + list[1] + list[2].prefix(16)
    #expect(caf(chunk("mark", content)).markers.count == 2)
    #expect(caf(chunk("mark", Array(content.dropLast()))).markers.count == 1)
    for (count, isRead) in [(9_999, true), (10_000, false)] {
      let found = caf(marks([[UInt8]](repeating: list[1], count: count) + [list[2]])).markers
      #expect(found.count == 10_000 && (found.last?.frame == 7) == isRead)
    }
  }

  @Test func `The names of markers have numbers and places`() {
    func names(_ list: [(id: UInt64, offset: UInt64)], _ texts: String, count: UInt64? = nil) -> [String?] {
      let entries = list.flatMap { big($0.id, 4) + big($0.offset, 8) }
      let strings = chunk("strg", big(count ?? UInt64(list.count), 4) + entries + Array(texts.utf8))
      return caf(marks([1, 2, 0x0102_0304].map { mark("gen ", 5, $0) }) + strings).markers.map(\.name)
    }
    #expect(names([(1, 0), (2, 4), (0x0102_0304, 8)], "One\0Two\0Three\0") == ["One", "Two", "Three"])
    #expect(names([(2, 0), (1, 4)], "One\0Two\0") == ["Two", "One", nil])
    #expect(names([(1, 1), (2, 1)], "One\0") == ["ne", "ne", nil])
    #expect(names([(1, 0), (2, 4)], "One\0Two") == ["One", "Two", nil])
    // The texts lie behind the entries that are counted.
    #expect(names([(1, 12), (2, 16)], "One\0Two\0", count: 1) == ["One", nil, nil])
    #expect(names([(1, 0), (2, 1 << 63), (0x0102_0304, 0)], "One\0") == ["One", nil, nil])
    #expect(names([(1, 0), (2, 99), (0x0102_0304, 0)], "One\0") == ["One", nil, nil])
    #expect(names([], "") == [nil, nil, nil])
  }

  @Test func `A name has up to 64 KiB, and all of them a megabyte`() {
    func sizes(_ count: Int, _ length: Int) -> [Int] {
      let entries = (0..<count).flatMap { big(UInt64($0), 4) + big(0, 8) }
      let strings = chunk("strg", big(UInt64(count), 4) + entries + [UInt8](repeating: 65, count: length))
      let list = marks((0..<count).map { mark("gen ", 5, UInt64($0)) })
      return caf(list + strings).markers.map { $0.name?.utf8.count ?? -1 }
    }
    #expect(sizes(1, 65_535) == [65_535] && sizes(1, 65_536) == [65_536] && sizes(1, 65_537) == [65_536])
    let many = sizes(17, 65_536)
    #expect(many == [Int](repeating: 65_536, count: 16) + [0])
    #expect(sizes(11, 99_000) == [Int](repeating: 65_536, count: 11))
    #expect(sizes(12, 90_000).reduce(0, +) == 12 * 65_536)
    #expect(sizes(19, 60_000).suffix(2) == [1 << 20 - 17 * 60_000, 0])
  }

  // MARK: Regions

  private func region(_ flags: UInt64, _ list: [[UInt8]], count: UInt64? = nil) -> [UInt8] {
    big(7, 4) + big(flags, 4) + big(count ?? UInt64(list.count), 4) + list.flatMap(\.self)
  }

  private func regions(_ list: [[UInt8]], count: UInt64? = nil) -> [UInt8] {
    chunk("regn", big(9, 4) + big(count ?? UInt64(list.count), 4) + list.flatMap(\.self))
  }

  @Test func `A region that repeats is a loop between its first start and its first end`() {
    let ends = [mark("rbeg", 10), mark("rend", 90)]
    for (flags, direction) in [
      (1, AudioLoop.Direction.forward), (3, .forward), (5, .backward), (7, .alternating), (0xF1, .forward),
    ] as [(UInt64, AudioLoop.Direction)] {
      #expect(
        caf(regions([region(flags, ends)])).loops == [AudioLoop(range: 10..<90, direction: direction)],
        "\(flags)"
      )
    }
    for flags in [0, 2, 4, 6, 8] as [UInt64] { #expect(caf(regions([region(flags, ends)])).loops == []) }
    let loop = AudioLoop(range: 10..<90)
    for list in [
      [mark("slbg", 10), mark("slen", 90)],
      [mark("rend", 90), mark("gen ", 5), mark("rbeg", 10), mark("rbeg", 20), mark("rend", 30)],
      [mark("slbg", 10), mark("rend", 90)], [[UInt8]](repeating: mark("gen ", 1), count: 14) + ends,
      [mark("rbeg", -5), mark("rbeg", 10), mark("rend", 90)],
    ] as [[[UInt8]]] {
      #expect(caf(regions([region(1, list)])).loops == [loop])
    }
    for list in [
      [mark("rbeg", 10)], [mark("rend", 90)], [mark("rbeg", 90), mark("rend", 10)],
      [mark("rbeg", 10), mark("rend", 10)],
      [[UInt8]](repeating: mark("gen ", 1), count: 15) + ends, [],
    ] as [[[UInt8]]] {
      #expect(caf(regions([region(1, list)])).loops == [])
    }
  }

  @Test func `Regions follow each other, as many as are counted`() {
    let first = region(1, [mark("rbeg", 10), mark("gen ", 5), mark("rend", 90)])
    let second = region(5, [mark("rbeg", 1), mark("rend", 2)])
    let loops = [AudioLoop(range: 10..<90), AudioLoop(range: 1..<2, direction: .backward)]
    #expect(caf(regions([first, second])).loops == loops)
    #expect(caf(regions([first, second], count: 1)).loops == [loops[0]])
    #expect(caf(regions([first, second], count: 0)).loops == [])
    #expect(caf(regions([first, second], count: 99)).loops == loops)
    let empty = region(1, [])
    #expect(caf(regions([empty, second])).loops == [loops[1]])
    // A region that counts far more marks than there are is the last.
    #expect(
      caf(regions([region(1, [mark("rbeg", 10), mark("rend", 90)], count: 0xFFFF_FFFF), second])).loops == [loops[0]]
    )
    // Seven regions have headers as long as three marks: the end in the last of them does not belong to the first.
    let apart =
      [region(1, [mark("rbeg", 10)])] + [[UInt8]](repeating: empty, count: 6) + [region(1, [mark("rend", 90)])]
    #expect(caf(regions(apart)).loops == [])
    // 10,000 regions of no marks, and one behind them.
    for (count, isRead) in [(9_999, true), (10_000, false)] {
      let many = [[UInt8]](repeating: empty, count: count) + [second]
      #expect((caf(regions(many)).loops == [loops[1]]) == isRead)
    }
  }

  // MARK: Texts

  private func info(_ texts: [String], count: UInt64 = 1) -> [UInt8] {
    chunk("info", big(count, 4) + texts.flatMap { Array($0.utf8) + [0] })
  }

  @Test func `Each text of CAF has its name`() {
    let names = [
      ("title", "TITLE"), ("artist", "ARTIST"), ("album", "ALBUM"), ("genre", "GENRE"), ("copyright", "COPYRIGHT"),
      ("track number", "TRACKNUMBER"), ("year", "DATE"), ("comments", "COMMENT"), ("encoding application", "ENCODER"),
      ("my own", "MY OWN"),
    ]
    let expected = Dictionary(uniqueKeysWithValues: names.map { ($1, $1 + "!") })
    #expect(caf(info(names.flatMap { [$0, $1 + "!"] })).tags.entries == expected)
    #expect(caf(info(["recorded date", "5"])).tags.date == "5")
    #expect(caf(info(["a", "", "b", "2"])).tags.entries == ["B": "2"])
    #expect(caf(info(["a"])).tags.entries == [:] && caf(info([])).tags.entries == [:])
    for (count, isRead) in [(9_999, true), (10_000, false)] {
      let texts = (0..<count).flatMap { _ in ["a", "1"] } + ["b", "2"]
      #expect((caf(info(texts)).tags["B"] == "2") == isRead)
    }
  }

  @Test func `A part of a CAF file has up to a megabyte`() {
    let limit = 1 << 20
    for (size, isRead) in [(limit, true), (limit + 1, false)] {
      let rest = [UInt8](repeating: 65, count: size - 4 - 8)
      let long = chunk("info", big(1, 4) + Array("title\0a\0".utf8) + rest)
      #expect((caf(long).tags.title == "a") == isRead, "\(size)")
    }
    // The last part of a name counts.
    #expect(caf(info(["a", "1"]) + info(["b", "2"])).tags.entries == ["B": "2"])
    #expect(caf(chunk("infa", Array("\0\0\0\0title\0a\0".utf8))).tags.entries == [:])
    #expect(caf(Array("info".utf8) + big(.max, 8) + Array("\0\0\0\0title\0a\0".utf8)).tags.entries == [:])
  }

  // MARK: APE

  private func item(_ name: String, _ text: String, flags: UInt64 = 0, size: Int? = nil) -> [UInt8] {
    little(UInt64(size ?? text.utf8.count), 4) + little(flags, 4) + Array(name.utf8) + [0] + Array(text.utf8)
  }

  private func footer(_ size: Int) -> [UInt8] {
    Array("APETAGEX".utf8) + little(2_000, 4) + little(UInt64(size), 4) + [UInt8](repeating: 0, count: 16)
  }

  private func apeTags(_ file: [UInt8]) -> [String: String] {
    var annotations = Annotations()
    annotations.readAPE(file.count) { Array(file.dropFirst($0).prefix($1)) }
    return annotations.tags.entries
  }

  private func tag(_ items: [UInt8]) -> [UInt8] { items + footer(items.count + 32) }

  @Test func `The items of an APE tag are texts, with names of their own`() {
    let items = item("Title", "Growl") + item("Track", "3") + item("Year", "2026") + item("mood", "dark")
    let expected = ["TITLE": "Growl", "TRACKNUMBER": "3", "DATE": "2026", "MOOD": "dark"]
    #expect(apeTags(tag(items)) == expected)
    #expect(apeTags([1, 2, 3] + tag(items)) == expected)
    #expect(apeTags([1, 2, 3] + tag(items) + [UInt8](repeating: 0, count: 128)) == expected)
    for count in [1, 127, 129] { #expect(apeTags(tag(items) + [UInt8](repeating: 0, count: count)) == [:]) }
    // Pictures and links are no texts; a bit for a tag that must not change means nothing.
    for (flags, isText) in [(0, true), (1, true), (2, false), (4, false), (6, false), (8, true), (0x8000_0001, true)]
      as [(UInt64, Bool)]
    {
      #expect((apeTags(tag(item("Title", "Growl", flags: flags) + item("mood", "dark")))["TITLE"] != nil) == isText)
      #expect(apeTags(tag(item("Title", "Growl", flags: flags) + item("mood", "dark")))["MOOD"] == "dark")
    }
    #expect(apeTags(tag(item("A", "1") + item("B", "22", size: 3))) == ["A": "1"])
    #expect(apeTags(tag(item("A", "1") + item("B", "22", size: 1))) == ["A": "1", "B": "2"])
    #expect(apeTags(tag(item("A", "") + item("B", "2"))) == ["B": "2"])
    #expect(apeTags(tag(item("A", "1") + [2, 0, 0, 0, 0, 0, 0])) == ["A": "1"])
    #expect(apeTags(tag(item("A", "1") + [0, 0, 0, 0, 0, 0, 0, 0, 0x42])) == ["A": "1"])
  }

  @Test func `An APE tag lies within the file, and has up to a megabyte`() {
    let items = item("A", "1")
    #expect(apeTags(items + footer(items.count + 33)) == [:])
    #expect(apeTags(footer(32)) == [:] && apeTags(footer(0)) == [:] && apeTags([]) == [:])
    #expect(apeTags(Array(tag(items).dropFirst())) == [:])
    let limit = 1 << 20
    for (size, isRead) in [(limit, true), (limit + 1, false)] {
      let text = String(repeating: "x", count: size - 32 - 9 - 2 - items.count + 1)
      let long = items + item("B", text)
      #expect(long.count + 32 == size)
      #expect((apeTags(tag(long))["A"] == "1") == isRead, "\(size)")
    }
    // The last 32 bytes of a file that is no longer.
    var asked: [Int] = []
    for size in [31, 32, 159, 160] {
      asked = []
      var annotations = Annotations()
      annotations.readAPE(size) { place, count in
        asked.append(place)
        return [UInt8](repeating: 0, count: count)
      }
      #expect(asked == [size - 32, size - 160].filter { $0 >= 0 })
    }
  }
}
