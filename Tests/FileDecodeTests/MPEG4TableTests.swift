import Testing

@testable import FileDecode

/// The frames of the sound in an MPEG-4 file, and the position of its description.
@Suite struct MPEG4TableTests {
  /// Five packets of 1,024 frames at 44,100 Hz, with a comment of iTunes, an edit in ticks, and a duration in frames.
  private func table(
    comment: (priming: Int, valid: Int)? = nil,
    edit: (start: Int, length: Int)? = nil,
    movieScale: UInt64 = 44_100,
    duration: UInt64 = 0,
    isLossless: Bool = false
  ) throws -> PacketTable {
    var movie = HandMadeMovie(packetCount: 5)
    movie.setup = box("esds", big(0, 4) + descriptors([0x12, 0x08]))
    if isLossless { (movie.codec, movie.setup) = ("alac", box("alac", big(0, 4) + losslessCookie(frames: 1_024))) }
    movie.movieTime = (0, movieScale)
    movie.time = (0, 44_100, duration)
    if let edit { movie.edits = (0, [(UInt64(edit.length), UInt64(edit.start))]) }
    if let comment {
      let numbers = [0, comment.priming, 0, comment.valid].map { String($0, radix: 16) }
      movie.items = HandMadeMovie.item("iTunSMPB", numbers.joined(separator: " "))
    }
    return try #require(MPEG4Track(movie.bytes, fileSize: 1_000)).table
  }

  private func expect(
    _ table: PacketTable,
    _ source: PacketTable.Source,
    priming: Int?,
    valid: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(table.source == source, sourceLocation: sourceLocation)
    #expect(table.primingFrames == priming, sourceLocation: sourceLocation)
    #expect(table.validFrames == valid, sourceLocation: sourceLocation)
    #expect(table.remainderFrames == priming.map { 5_120 - $0 - valid }, sourceLocation: sourceLocation)
    #expect(table.packetCount == 5 && table.framesPerPacket == 1_024, sourceLocation: sourceLocation)
    #expect(table.totalFrames == 5_120, sourceLocation: sourceLocation)
  }

  @Test func `The comment of iTunes counts if it fits the packets`() throws {
    for (priming, valid) in [(2_112, 2_205), (0, 1), (0, 5_120), (2_112, 3_008), (5_119, 1)] {
      let found = try table(comment: (priming, valid), edit: (7, 100))
      expect(found, .iTunSMPB, priming: priming, valid: valid)
    }
    for (priming, valid) in [(-1, 100), (0, 0), (0, 5_121), (2_112, 3_009), (5_120, 1), (100, -1)] {
      let found = try table(comment: (priming, valid), edit: (7, 100))
      expect(found, .editList, priming: 7, valid: 100)
      expect(try table(comment: (priming, valid)), .none, priming: nil, valid: 5_120)
    }
  }

  @Test func `An edit counts if it starts within the packets, and ends with them`() throws {
    expect(try table(edit: (0, 5_120)), .editList, priming: 0, valid: 5_120)
    expect(try table(edit: (0, 5_121)), .editList, priming: 0, valid: 5_120)
    expect(try table(edit: (2_112, 2_205)), .editList, priming: 2_112, valid: 2_205)
    expect(try table(edit: (2_112, 9_999)), .editList, priming: 2_112, valid: 3_008)
    expect(try table(edit: (5_120, 10)), .editList, priming: 5_120, valid: 0)
    expect(try table(edit: (5_121, 10)), .none, priming: nil, valid: 5_120)
  }

  @Test func `The duration of the media counts where the edit means the same in its coarser ticks`() throws {
    // A tick of 1,000 in a second has 44.1 frames; the tolerance is 45 frames. The edit has 2,205 frames.
    for (difference, isSame) in [(0, true), (44, true), (45, true), (46, false), (-45, true), (-46, false)] {
      let found = try table(edit: (2_112, 50), movieScale: 1_000, duration: UInt64(2_112 + 2_205 + difference))
      expect(found, .editList, priming: 2_112, valid: isSame ? 2_205 + difference : 2_205)
    }
  }

  @Test func `Apple Lossless without an edit has no priming, and ends with its duration`() throws {
    expect(try table(duration: 5_000, isLossless: true), .none, priming: 0, valid: 5_000)
    expect(try table(duration: 5_121, isLossless: true), .none, priming: 0, valid: 5_120)
    expect(try table(edit: (5_121, 10), duration: 5_000, isLossless: true), .none, priming: 0, valid: 5_000)
    expect(try table(duration: 5_000), .none, priming: nil, valid: 5_120)
  }

  // MARK: Boxes

  /// The position and the number of bytes that the search reads as the description.
  private func found(_ headers: [Int: [UInt8]], fileSize: Int) -> (place: Int, count: Int)? {
    var last: (Int, Int)?
    let movie = MPEG4Track.movie(fileSize: fileSize) { place, count in
      last = (place, count)
      return headers[place].map { Array($0.prefix(count)) } ?? [1]
    }
    return movie == nil ? nil : last
  }

  @Test func `The description of a file lies behind any other boxes, or reaches to the end`() throws {
    let moov = Array("moov".utf8)
    let other = big(24, 4) + Array("free".utf8)
    #expect(found([0: big(108, 4) + moov], fileSize: 500)! == (8, 100))
    #expect(found([0: other, 24: big(108, 4) + moov], fileSize: 500)! == (32, 100))
    #expect(found([0: other, 24: big(1, 4) + moov + big(116, 8)], fileSize: 500)! == (40, 100))
    #expect(found([0: other, 24: big(0, 4) + moov], fileSize: 500)! == (32, 500 - 32))
    #expect(found([0: other, 24: big(108, 4) + moov], fileSize: 131)! == (32, 99))
    #expect(found([0: other, 24: big(9, 4) + moov], fileSize: 500)! == (32, 1))
    #expect(found([0: other, 24: big(8, 4) + moov], fileSize: 500) == nil)
    #expect(found([0: other, 24: big(108, 4) + moov], fileSize: 24) == nil)
    #expect(found([0: other, 24: big(108, 4) + moov], fileSize: 33)! == (32, 1))
    #expect(found([0: big(0, 4) + Array("mdat".utf8), 24: big(108, 4) + moov], fileSize: 500) == nil)
    #expect(found([:], fileSize: 500) == nil)
  }

  @Test func `The description has up to 64 MiB, and a thousand boxes in front of it are too many`() {
    let moov = Array("moov".utf8)
    #expect(found([0: big(8 + 1 << 26, 4) + moov], fileSize: 1 << 30)! == (8, 1 << 26))
    #expect(found([0: big(9 + 1 << 26, 4) + moov], fileSize: 1 << 30) == nil)
    for (count, isFound) in [(999, true), (1_000, false)] {
      var headers = [8 * count: big(16, 4) + moov]
      for index in 0..<count { headers[8 * index] = big(8, 4) + Array("free".utf8) }
      #expect((found(headers, fileSize: 1 << 30)?.count == 8) == isFound, "\(count)")
    }
  }

  @Test func `A list of boxes ends at the first invalid one, and after 10,000`() {
    let empty = box("free", [])
    #expect(MPEG4Box.list(in: empty[...]).map(\.name) == ["free"])
    #expect(MPEG4Box.list(in: (empty + empty.dropLast())[...]).count == 1)
    #expect(MPEG4Box.list(in: (box("a b ", [1, 2]) + big(100, 4) + empty)[...]).map { Array($0.content) } == [[1, 2]])
    #expect(MPEG4Box.list(in: (big(7, 4) + empty)[...]).isEmpty)
    let many = (0..<10_001).flatMap { _ in empty }
    #expect(MPEG4Box.list(in: many[...]).count == 10_000)
    #expect(MPEG4Box.list(in: many.dropLast(8)).count == 10_000)
    #expect(MPEG4Box.list(in: many.dropLast(16)).count == 9_999)
    // A list within larger bytes.
    #expect(MPEG4Box.list(in: (empty + box("wide", [7]) + empty)[8..<17]).map { Array($0.content) } == [[7]])
  }

  @Test func `A path leads to a box within boxes, and a number lies within its content`() {
    let inner = box("stbl", [1, 2, 3, 4, 5, 6, 7, 8])
    let root = MPEG4Box(name: "moov", content: (box("free", []) + box("minf", box("free", []) + inner))[...])
    #expect(root.first("minf", "stbl").map { Array($0.content) } == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(root.first("minf", "free")?.content.isEmpty == true)
    #expect(root.first("stbl") == nil && root.first("minf", "stbl", "free") == nil)
    #expect(root.first()?.name == "moov")
    let found = root.first("minf", "stbl")
    #expect(found?.number(at: 0) == 0x0102_0304 && found?.number(at: 4) == 0x0506_0708)
    #expect(found?.number(at: 5) == nil && found?.number(at: 8) == nil)
    #expect(found?.number(at: 6, byteCount: 2) == 0x0708 && found?.number(at: 7, byteCount: 2) == nil)
    #expect(found?.number(at: 0, byteCount: 8) == 0x0102_0304_0506_0708)
    #expect(
      MPEG4Box.Header(([0, 0, 0, 9] + Array("\u{A9}nam".unicodeScalars.map { UInt8($0.value) }))[...])?.name
        == "\u{A9}nam"
    )
  }

  @Test func `Only the box meta may have a version in front of its boxes`() {
    let handler = box("hdlr", [])
    func names(_ name: String, _ content: [UInt8]) -> [String] {
      MPEG4Box.list(in: MPEG4Box(name: name, content: content[...]).children).map(\.name)
    }
    #expect(names("meta", handler) == ["hdlr"])
    #expect(names("meta", big(0, 4) + handler) == ["hdlr"])
    #expect(names("udta", big(0, 4) + handler) == [])
    #expect(names("udta", handler) == ["hdlr"])
    #expect(names("meta", big(0, 4) + box("ilst", [])) == [])
  }
}
