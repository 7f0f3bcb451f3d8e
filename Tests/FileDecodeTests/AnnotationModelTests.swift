import Testing

@testable import FileDecode

/// The loops of texts, the change of positions, and the list of texts.
@Suite struct AnnotationModelTests {
  /// The annotations of a FLAC file with these texts, before they are fitted to the sound.
  private func read(_ texts: [String]) throws -> Annotations {
    let list = texts.flatMap { little(UInt64($0.utf8.count), 4) + Array($0.utf8) }
    let comment = little(0, 4) + little(UInt64(texts.count), 4) + list
    let file = Array("fLaC".utf8) + [0x84] + big(UInt64(comment.count), 3) + comment
    func bytes(_ place: Int, _ count: Int) -> [UInt8] { Array(file.dropFirst(place).prefix(count)) }
    return Annotations(try #require(FileSignature(reading: bytes)), fileSize: file.count, reading: bytes)
  }

  @Test func `The texts of a loop are its start, and its length or its end`() throws {
    let max = Int.max
    let cases: [(texts: [String], range: Range<Int>?)] = [
      (["LOOPSTART=5"], 5..<max), (["LOOPSTART=0", "LOOPLENGTH=1"], 0..<1),
      (["LOOPSTART=5", "LOOPLENGTH=7", "LOOPEND=9"], 5..<12),
      (["LOOPSTART=5", "LOOPEND=6"], 5..<6), (["LOOPSTART=5", "LOOPEND=5"], nil),
      (["LOOPSTART=5", "LOOPLENGTH=0"], nil),
      (["LOOPSTART=5", "LOOPLENGTH=0", "LOOPEND=9"], 5..<9), (["LOOPSTART=5", "LOOPLENGTH=x", "LOOPEND=9"], 5..<9),
      (["LOOPSTART=5", "LOOPLENGTH=x"], nil), (["LOOPSTART=5", "LOOPEND=x"], nil), (["LOOPSTART=-1"], nil),
      (["LOOPSTART=x"], nil), (["LOOPEND=9"], nil), (["LOOPSTART=\(max - 1)"], max - 1..<max),
      (["LOOPSTART=\(max)"], nil),
      (["LOOPSTART=5", "LOOPLENGTH=\(max - 6)"], 5..<max - 1), (["LOOPSTART=5", "LOOPLENGTH=\(max - 5)"], nil),
      (["LOOPSTART=5", "LOOPEND=\(max)"], 5..<max),
    ]
    for (texts, range) in cases {
      let found = try read(texts + ["TITLE=A"])
      #expect(found.loops == (range.map { [AudioLoop(range: $0)] } ?? []), "\(texts)")
      #expect(found.forwardLoop == range)
      // Texts that are a loop are none about the sound.
      #expect(found.tags.entries.count == (range == nil ? texts.count + 1 : 1), "\(texts)")
    }
    #expect(Annotations.loopTexts == ["LOOPSTART", "LOOPLENGTH", "LOOPEND"])
  }

  @Test func `The forward loop is the first of its direction`() {
    var annotations = Annotations()
    #expect(annotations.forwardLoop == nil)
    annotations.loops = [
      AudioLoop(range: 0..<9, direction: .backward), AudioLoop(range: 1..<2, direction: .alternating),
    ]
    #expect(annotations.forwardLoop == nil)
    annotations.loops += [AudioLoop(range: 3..<5, playCount: 2), AudioLoop(range: 6..<7)]
    #expect(annotations.forwardLoop == 3..<5)
  }

  @Test func `Loops scale to another rate, to the nearest frame`() {
    var annotations = Annotations()
    annotations.tags.title = "A"
    annotations.markers = [AudioMarker(frame: 7)]
    let cases: [(from: Int, to: Int, range: Range<Int>, scaled: Range<Int>)] = [
      (48_000, 8_000, 0..<12, 0..<2), (48_000, 8_000, 2..<3, 0..<1), (48_000, 8_000, 3..<8, 1..<1),
      (48_000, 8_000, 9..<15, 2..<3),
      (8_000, 48_000, 1..<2, 6..<12), (3, 2, 1..<2, 1..<1), (44_100, 48_000, 147..<294, 160..<320),
      (7, 7, 3..<4, 3..<4),
      (0, 7, 3..<4, 3..<4), (-5, 7, 3..<4, 3..<4), (48_000, 24_000, 5..<Int.max, 3..<Int.max),
      (24_000, 24_001, Int.max - 1..<Int.max, Int.max..<Int.max), (1, 3, 4..<Int.max / 3, 12..<Int.max / 3 * 3),
    ]
    for (from, to, range, scaled) in cases {
      annotations.loops = [AudioLoop(range: range, direction: .backward, playCount: 2)]
      let found = annotations.scaled(from: from, to: to)
      #expect(found.loops == [AudioLoop(range: scaled, direction: .backward, playCount: 2)], "\(from), \(to), \(range)")
      #expect(found.markers == annotations.markers && found.tags == annotations.tags)
    }
    #expect(Annotations.opusRate == 48_000 && Annotations.partLimit == 1_048_576 && Annotations.listLimit == 10_000)
  }

  @Test func `Positions move, and those outside of the sound are left out`() {
    let max = Int.max
    func loops(_ range: Range<Int>, _ frameCount: Int?, _ shift: Int) -> Range<Int>? {
      var annotations = Annotations()
      annotations.loops = [AudioLoop(range: range, direction: .backward, playCount: 3)]
      let found = annotations.fitted(frameCount: frameCount, movedBy: shift).loops
      #expect(found.allSatisfy { $0.direction == .backward && $0.playCount == 3 } && found.count <= 1)
      return found.first?.range
    }
    #expect(loops(0..<100, 100, 0) == 0..<100 && loops(0..<101, 100, 0) == nil && loops(99..<100, 100, 0) == 99..<100)
    #expect(loops(5..<90, 100, 10) == 15..<100 && loops(5..<91, 100, 10) == nil && loops(5..<5, 100, 0) == nil)
    #expect(
      loops(5..<max, 100, 10) == 15..<100 && loops(90..<max, 100, 10) == nil && loops(89..<max, 100, 10) == 99..<100
    )
    #expect(loops(5..<1 << 40, nil, 10) == 15..<1 << 40 + 10)
    #expect(loops(5..<max - 1, nil, 0) == 5..<max - 1 && loops(5..<max - 11, nil, 10) == 15..<max - 1)
    #expect(loops(5..<max - 10, nil, 10) == nil && loops(5..<max, nil, 10) == nil)
    func marker(_ frame: Int, _ frameCount: Int?, _ shift: Int) -> Int? {
      var annotations = Annotations()
      annotations.markers = [AudioMarker(frame: frame, name: "A")]
      let found = annotations.fitted(frameCount: frameCount, movedBy: shift).markers
      #expect(found.allSatisfy { $0.name == "A" })
      return found.first?.frame
    }
    #expect(
      marker(0, 100, 0) == 0 && marker(100, 100, 0) == 100 && marker(101, 100, 0) == nil && marker(-1, 100, 5) == nil
    )
    #expect(marker(90, 100, 10) == 100 && marker(91, 100, 10) == nil && marker(0, 0, 0) == 0)
    #expect(marker(max - 10, nil, 10) == max && marker(max - 9, nil, 10) == nil && marker(max, nil, 0) == max)
    var annotations = Annotations()
    annotations.markers = [5, 3, 9, 3].enumerated().map { AudioMarker(frame: $1, name: "\($0)") }
    #expect(annotations.fitted(frameCount: 10, movedBy: 0).markers.map(\.name) == ["1", "3", "0", "2"])
  }

  // MARK: Texts

  @Test func `A text ends at its first zero and without spaces, and is UTF-8 or Latin-1`() {
    #expect(
      AudioTags.text(Array("a b  \0c".utf8)) == "a b" && AudioTags.text([]) == "" && AudioTags.text([0x20, 0x20]) == ""
    )
    #expect(
      AudioTags.text([0x20, 0x41]) == " A" && AudioTags.text([0, 0x41]) == ""
        && AudioTags.text([0x41, 0x21, 0x1F]) == "A!\u{1F}"
    )
    #expect(
      AudioTags.text(Array("ö…🐈".utf8)) == "ö…🐈" && AudioTags.text([0xF6, 0x20]) == "ö" && AudioTags.text([0xC3]) == "Ã"
    )
  }

  @Test func `The first text of a name stays, and a thousand are read`() {
    var tags = AudioTags()
    tags.add("title", "A")
    tags.add("TITLE", "B")
    tags.add("Description", "C")
    tags.add("comment", "D")
    tags.add("", "E")
    tags.add("empty", "")
    #expect(tags.entries == ["TITLE": "A", "COMMENT": "C"])
    for index in 2..<1_002 { tags.add("T\(index)", "x") }
    #expect(tags.entries.count == 1_000 && tags["T999"] == "x" && tags["T1000"] == nil && AudioTags.limit == 1_000)
    // A program's own texts have no limit.
    tags["T1000"] = "y"
    #expect(tags.entries.count == 1_001)
  }

  @Test func `Each property of the texts is one of them`() {
    let properties: [(name: String, path: WritableKeyPath<AudioTags, String?>)] = [
      ("TITLE", \.title), ("ARTIST", \.artist), ("ALBUM", \.album), ("TRACKNUMBER", \.track), ("DATE", \.date),
      ("GENRE", \.genre),
      ("COMMENT", \.comment), ("COPYRIGHT", \.copyright), ("ENCODER", \.software),
    ]
    for (name, path) in properties {
      var tags = AudioTags()
      tags[keyPath: path] = "A "
      #expect(tags.entries == [name: "A"] && tags[name.lowercased()] == "A" && tags[keyPath: path] == "A")
      tags[keyPath: path] = ""
      #expect(tags.entries == [:] && tags[keyPath: path] == nil)
    }
  }
}
