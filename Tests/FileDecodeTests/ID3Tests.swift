import Testing

@testable import FileDecode

/// The frames of ID3 tags, and the texts in them.
@Suite struct ID3Tests {
  private func parsed(_ tag: [UInt8]) -> [String: String] {
    var annotations = Annotations()
    annotations.readID3(tag)
    return annotations.tags.entries
  }

  private func safe(_ size: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7F) } }

  /// A tag around frames.
  private func tag(_ version: UInt8, flags: UInt8 = 0, _ content: [UInt8]) -> [UInt8] {
    Array("ID3".utf8) + [version, 0, flags] + safe(content.count) + content
  }

  /// A frame with a size that may be wrong.
  private func frame(_ version: UInt8, _ name: String, _ content: [UInt8], size: Int? = nil) -> [UInt8] {
    let size = size ?? content.count
    switch version {
    case 2: return Array(name.utf8) + big(UInt64(size), 3) + content
    case 3: return Array(name.utf8) + big(UInt64(size), 4) + [0, 0] + content
    default: return Array(name.utf8) + safe(size) + [0, 0] + content
    }
  }

  private static let names: [(short: String, long: String, tag: String)] = [
    ("TT2", "TIT2", "TITLE"), ("TP1", "TPE1", "ARTIST"), ("TAL", "TALB", "ALBUM"), ("TRK", "TRCK", "TRACKNUMBER"),
    ("TYE", "TYER", "DATE"), ("TCO", "TCON", "GENRE"), ("TCR", "TCOP", "COPYRIGHT"), ("TSS", "TSSE", "ENCODER"),
  ]

  @Test(arguments: [2, 3, 4] as [UInt8])
  func `Every frame of a tag is read, with sizes of its version`(version: UInt8) {
    let names = ID3Tests.names.map { (name: version == 2 ? $0.short : $0.long, tag: $0.tag) }
    // Sizes of one and of two bytes.
    for length in [1, 126, 127, 128, 200, 300] {
      let text = String(repeating: "x", count: length)
      let frames = names.flatMap { frame(version, $0.name, [3] + Array((text + $0.tag).utf8)) }
      let expected = Dictionary(uniqueKeysWithValues: names.map { ($0.tag, text + $0.tag) })
      #expect(parsed(tag(version, frames)) == expected)
      #expect(parsed(tag(version, frames + [UInt8](repeating: 0, count: 40))) == expected)
      let unknown = frame(version, version == 2 ? "XYZ" : "XYZQ", [3] + Array(text.utf8))
      #expect(parsed(tag(version, unknown + frames)) == expected)
    }
    #expect(parsed(tag(version, frame(version, "TDRC", [3, 0x35]))) == (version == 2 ? [:] : ["DATE": "5"]))
  }

  @Test(arguments: [2, 3, 4] as [UInt8])
  func `A frame that ends behind the tag is the last, and so is one of no bytes`(version: UInt8) {
    let (first, second) = version == 2 ? ("TT2", "TP1") : ("TIT2", "TPE1")
    let whole = frame(version, first, [3, 0x41])
    for size in [0, 1, 2, 3] {
      let frames = whole + frame(version, second, [3, 0x42], size: size)
      let artist: [String: String] = size == 2 ? ["ARTIST": "B"] : [:]
      #expect(parsed(tag(version, frames)) == artist.merging(["TITLE": "A"]) { $1 }, "\(size)")
    }
    // A frame of an encoding alone is an empty text.
    #expect(parsed(tag(version, frame(version, first, [3]) + whole)) == ["TITLE": "A"])
    #expect(parsed(tag(version, whole + [0] + frame(version, second, [3, 0x42]))) == ["TITLE": "A"])
    #expect(parsed(Array(tag(version, whole).dropLast())) == [:])
    #expect(parsed(Array(tag(version, []))) == [:] && parsed([]) == [:] && parsed(Array(tag(version, [0]))) == [:])
    #expect(parsed(tag(version, whole + Array(frame(version, second, [3]).dropLast()))) == ["TITLE": "A"])
  }

  @Test func `An extended header in front of the frames is passed over`() {
    // Its size counts itself from version 4 on, and in version 3 what follows the size.
    for (version, size) in [(3, big(6, 4)), (4, [0, 0, 0, 10]), (5, [0, 0, 0, 10]), (4, [0, 0, 1, 2])]
      as [(UInt8, [UInt8])]
    {
      let count = size == [0, 0, 1, 2] ? 130 : 10
      let content = size + [UInt8](repeating: 0x55, count: count - 4) + frame(version, "TIT2", [3, 0x41])
      #expect(parsed(tag(version, flags: 0x40, content)) == ["TITLE": "A"], "\(version)")
    }
    #expect(parsed(tag(2, flags: 0x40, frame(2, "TT2", [3, 0x41]))) == ["TITLE": "A"])
    #expect(parsed(tag(3, flags: 0x40, [0, 0, 0])) == [:] && parsed(tag(4, flags: 0x40, [0, 0, 0, 4])) == [:])
    #expect(parsed(tag(4, flags: 0x40, [0, 0, 0, 4] + frame(4, "TIT2", [3, 0x41]))) == ["TITLE": "A"])
  }

  @Test func `Zeros behind 255 are left out in tags up to version 3`() {
    // Two bytes of 255, and two zeros behind them of which the second stays.
    let changed = frame(3, "TXXX", [0, 0x41, 0, 0xFF, 0xFF, 0, 0], size: 6)
    #expect(parsed(tag(3, flags: 0x80, changed)) == ["A": "\u{FF}\u{FF}"])
    #expect(parsed(tag(3, flags: 0, changed)) == ["A": "\u{FF}\u{FF}"])
    let unchanged = frame(4, "TXXX", [0, 0x41, 0, 0xFF, 0, 0x42])
    #expect(parsed(tag(4, flags: 0x80, unchanged)) == ["A": "\u{FF}"])
    let other = frame(3, "TIT2", [0, 0xFF, 0, 0x41, 0, 0x42], size: 5)
    #expect(parsed(tag(3, flags: 0x80, other)) == ["TITLE": "\u{FF}A"])
    #expect(parsed(tag(3, flags: 0x7F & ~0x40, other)) == ["TITLE": "\u{FF}"])
    #expect(parsed(tag(3, flags: 0x80, [0] + other)) == [:])
  }

  @Test(arguments: [3, 4] as [UInt8])
  func `Comments and texts of a program's own have a name in front`(version: UInt8) {
    func comment(_ title: String, _ text: String) -> [UInt8] {
      frame(version, "COMM", [3] + Array("eng\(title)\0\(text)".utf8))
    }
    #expect(parsed(tag(version, comment("", "one"))) == ["COMMENT": "one"])
    #expect(parsed(tag(version, comment("title", "one") + comment("", "two"))) == ["COMMENT": "one"])
    #expect(parsed(tag(version, frame(version, "COMM", [3] + Array("engone".utf8)))) == [:])
    #expect(parsed(tag(version, frame(version, "TXXX", [3] + Array("Mood\0dark\0more".utf8)))) == ["MOOD": "dark"])
    #expect(parsed(tag(version, frame(version, "TXXX", [3] + Array("Mood".utf8)))) == [:])
    #expect(parsed(tag(2, frame(2, "COM", [0] + Array("eng\0one".utf8)))) == ["COMMENT": "one"])
    #expect(parsed(tag(2, frame(2, "TXX", [0] + Array("Mood\0dark".utf8)))) == ["MOOD": "dark"])
    // The first of several texts of a frame counts.
    #expect(parsed(tag(version, frame(version, "TPE1", [3] + Array("one\0two".utf8)))) == ["ARTIST": "one"])
  }

  @Test func `Texts are in Latin-1, UTF-16 with or without a byte order mark, or UTF-8`() {
    func texts(_ encoding: UInt8, _ bytes: [UInt8]) -> [String] { Annotations.texts(([9, 9] + bytes)[2...], encoding) }
    #expect(texts(0, [0x41, 0xF6, 0, 0x42]) == ["Aö", "B"] && texts(0, []) == [""] && texts(0, [0]) == ["", ""])
    #expect(texts(3, Array("Aö\0…".utf8)) == ["Aö", "…"] && texts(3, [0xF6]) == ["ö"])
    #expect(texts(4, [0xC3, 0xB6]) == ["Ã¶"] && texts(3, [0xC3, 0xB6]) == ["ö"])
    #expect(texts(2, [0, 0x41, 0x20, 0x26, 0, 0, 0, 0x42]) == ["A…", "B"])
    #expect(texts(2, [0xFF, 0xFE, 0x41, 0]) == ["A"] && texts(1, [0xFE, 0xFF, 0, 0x41]) == ["A"])
    #expect(texts(1, [0x41, 0, 0x26, 0x20]) == ["A…"])
    #expect(texts(1, [0xFF, 0xFE, 0x41, 0, 0, 0, 0xFE, 0xFF, 0, 0x42]) == ["A", "B"])
    // Within a text the mark is a character, and an odd byte at the end is dropped.
    #expect(texts(1, [0xFF, 0xFE, 0x41, 0, 0xFF, 0xFE, 0x42]) == ["A\u{FEFF}"])
    #expect(texts(1, [0xFF, 0xFE, 0x3D, 0xD8, 0x08, 0xDC, 0, 0]) == ["\u{1F408}", ""])
    #expect(texts(1, []) == [""] && texts(1, [0x41]) == [""] && texts(2, [0]) == [""])
  }

  // MARK: The tags of a file

  private func file(_ bytes: [UInt8], fileSize: Int? = nil) throws -> [String: String] {
    func read(_ place: Int, _ count: Int) -> [UInt8] { Array(bytes.dropFirst(place).prefix(count)) }
    let signature = try #require(FileSignature(reading: read))
    return Annotations(signature, fileSize: fileSize ?? bytes.count, reading: read).tags.entries
  }

  /// Fields of 30 bytes, four of a year, and 30 of a comment.
  private func old(_ texts: [String]) -> [UInt8] {
    let fields = zip(texts, [30, 30, 30, 4, 30]).flatMap { text, size in
      Array(text.utf8) + [UInt8](repeating: 0x20, count: size - text.utf8.count)
    }
    return Array("TAG".utf8) + fields + [12]
  }

  @Test func `An old tag has 128 bytes at the end of an MP3`() throws {
    let packets = silentMP3(packetCount: 2)
    let long = String(repeating: "x", count: 29)
    let texts = [long + "1", long + "2", long + "3", "2026", long + "4"]
    let expected = ["TITLE": texts[0], "ARTIST": texts[1], "ALBUM": texts[2], "DATE": "2026", "COMMENT": texts[4]]
    #expect(old(texts).count == 128)
    #expect(try file(packets + old(texts)) == expected)
    #expect(try file(packets + old(["T", "", "", "", ""])) == ["TITLE": "T"])
    #expect(try file(packets + old(texts).dropLast()) == [:])
    #expect(try file(packets + [0x55] + old(texts).dropFirst()) == [:])
    #expect(try file(id3(5) + packets + old(texts)) == expected)
    // Other kinds of file have none.
    #expect(try file(au([UInt8](repeating: 0, count: 100)) + old(texts)) == [:])
    // A tag in front wins.
    let front = tag(4, frame(4, "TIT2", [3, 0x41]))
    #expect(try file(front + packets + old(texts))["TITLE"] == "A")
    #expect(try file(front + packets) == ["TITLE": "A"])
  }

  @Test func `A file of 128 bytes is no tag alone`() throws {
    let packets = silentMP3(packetCount: 2)
    let signature = try #require(FileSignature { Array(packets.dropFirst($0).prefix($1)) })
    let whole = old(["T", "", "", "", ""])
    for (size, isRead) in [(127, false), (128, false), (129, true)] {
      let found = Annotations(signature, fileSize: size) { place, count in
        place == size - 128 && count == 128 ? whole : [UInt8](repeating: 0, count: min(count, 50))
      }
      #expect(found.tags.title == (isRead ? "T" : nil), "\(size)")
    }
  }

  @Test func `A megabyte of a tag in front is read`() throws {
    let packets = silentMP3(packetCount: 2)
    for (padding, isRead) in [(1 << 20 - 10 - 12, true), (1 << 20 - 10 - 11, false)] {
      // A frame that ends with the limit, or a byte behind it.
      let content = frame(4, "XXXX", [UInt8](repeating: 1, count: padding - 10)) + frame(4, "TIT2", [3, 0x41])
      #expect(try file(tag(4, content) + packets) == (isRead ? ["TITLE": "A"] : [:]), "\(padding)")
    }
    // A tag of APE in front is not a tag of ID3.
    #expect(try file(ape(30) + packets) == [:])
  }
}
