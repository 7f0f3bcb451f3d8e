import Testing

@testable import FileDecode

/// Vorbis comments in FLAC and Ogg files, and the pages with a changed one.
@Suite struct VorbisCommentTests {
  /// A comment, with a count that may be wrong.
  private func comment(_ entries: [String], vendor: String = "me", count: UInt64? = nil) -> [UInt8] {
    little(UInt64(vendor.utf8.count), 4) + Array(vendor.utf8) + little(count ?? UInt64(entries.count), 4)
      + entries.flatMap { little(UInt64($0.utf8.count), 4) + Array($0.utf8) }
  }

  private func parsed(_ bytes: [UInt8]) -> [String: String] {
    var annotations = Annotations()
    annotations.readComments(bytes)
    return annotations.tags.entries
  }

  @Test func `Entries are read as far as the comment has them`() {
    #expect(parsed(comment(["A=1", "B=22"])) == ["A": "1", "B": "22", "ENCODER": "me"])
    #expect(parsed(comment(["A=1", "B=22"], vendor: "")) == ["A": "1", "B": "22"])
    #expect(parsed(comment(["A=1", "B=22"], count: 1)) == ["A": "1", "ENCODER": "me"])
    #expect(parsed(comment(["A=1"], count: 0xFFFF_FFFF)) == ["A": "1", "ENCODER": "me"])
    #expect(parsed(comment([])) == ["ENCODER": "me"])
    #expect(parsed(comment(["A=", "=1", "B", "C=3"])) == ["C": "3", "ENCODER": "me"])
    #expect(parsed(comment(["A=1", "ENCODER=you"])) == ["A": "1", "ENCODER": "you"])
    // The last entry lacks a byte.
    #expect(parsed(comment(["A=1", "B=22"]).dropLast()) == ["A": "1", "ENCODER": "me"])
    #expect(parsed(comment(["A=1", "B=22"]).dropLast(5)) == ["A": "1", "ENCODER": "me"])
    // The count lacks a byte, and the vendor's length leads beyond the end.
    #expect(parsed(little(2, 4) + Array("me".utf8) + [0, 0, 0]) == [:])
    #expect(parsed(little(2, 4) + Array("me".utf8) + little(0, 4)) == ["ENCODER": "me"])
    #expect(parsed(little(0xFFFF_FFFF, 4) + little(0, 4)) == [:])
    #expect(parsed([]) == [:])
  }

  @Test func `An entry of 64 KiB is a picture, and 10,000 entries are enough`() {
    let limit = 1 << 16
    for (size, isRead) in [(limit - 1, true), (limit, false)] {
      let entries = ["A=" + String(repeating: "x", count: size - 2), "B=1"]
      #expect(
        parsed(comment(entries)).keys.sorted() == (isRead ? ["A", "B", "ENCODER"] : ["B", "ENCODER"]),
        "\(size)"
      )
    }
    for (count, isRead) in [(9_999, true), (10_000, false)] {
      let entries = [String](repeating: "A=1", count: count) + ["B=2"]
      #expect((parsed(comment(entries))["B"] == "2") == isRead, "\(count)")
    }
  }

  private func inFLAC(_ blocks: [UInt8], from offset: Int = 0) -> [String: String] {
    let file = [UInt8](repeating: 9, count: offset) + Array("fLaC".utf8) + blocks
    var annotations = Annotations()
    annotations.readFLAC(from: offset) { Array(file.dropFirst($0).prefix($1)) }
    return annotations.tags.entries
  }

  private func block(_ kind: UInt8, _ content: [UInt8]) -> [UInt8] {
    [kind] + big(UInt64(content.count), 3) + content
  }

  @Test func `The comment of a FLAC file is one of its blocks, up to the last`() {
    let found = block(4, comment(["A=1"]))
    let last = block(0x84, comment(["A=1"]))
    let other = block(0, [UInt8](repeating: 7, count: 34))
    let whole = ["A": "1", "ENCODER": "me"]
    for blocks in [found + other, other + found, last, other + last, other + other + found + [0x80]] {
      #expect(inFLAC(blocks) == whole)
      #expect(inFLAC(blocks, from: 5) == whole)
    }
    #expect(inFLAC(block(0x80, [1, 2]) + found) == [:])
    #expect(inFLAC(block(5, comment(["A=1"])) + other) == [:])
    // An old program's second comment adds what the first lacks.
    #expect(inFLAC(found + block(4, comment(["A=3", "B=2"]))) == ["A": "1", "B": "2", "ENCODER": "me"])
    #expect(inFLAC(found.dropLast(found.count - 3)) == [:])
    let many = (0..<999).flatMap { _ in block(1, []) }
    #expect(inFLAC(many + found) == whole)
    #expect(inFLAC(many + block(1, []) + found) == [:])
  }

  @Test func `A megabyte of a FLAC file's comment is read`() {
    var asked: [Int] = []
    var annotations = Annotations()
    for (size, count) in [(1 << 20 - 1, 1 << 20 - 1), (1 << 20, 1 << 20), (1 << 20 + 1, 1 << 20)] {
      annotations.readFLAC(from: 0) { place, count in
        asked.append(count)
        return place == 4 ? [0x84] + big(UInt64(size), 3) : []
      }
      #expect(asked.last == count)
    }
  }

  // MARK: Ogg

  private func inOgg(_ file: [UInt8], from offset: Int = 0) -> [String: String] {
    var annotations = Annotations()
    annotations.readOgg(from: offset) { Array(file.dropFirst($0).prefix($1)) }
    return annotations.tags.entries
  }

  private let head = Array("OpusHead".utf8) + [UInt8](repeating: 1, count: 11)

  @Test func `The comment of an Ogg file is its second packet, over pages of any size`() {
    let text = String(repeating: "x", count: 900)
    for (first, start, last) in [(head, "OpusTags", []), ([1] + Array("vorbis".utf8), "\u{3}vorbis", [UInt8(1)])] {
      let packet = Array(start.utf8) + comment(["A=" + text, "B=2"]) + last
      for segments in [1, 2, 3, 4, 5, 6, 255] {
        let pages = oggPages([first, packet, [7, 7, 7]], segmentsPerPage: segments)
        let expected = ["A": text, "B": "2", "ENCODER": "me"]
        #expect(inOgg(pages.flatMap(\.self)) == expected, "\(segments)")
        #expect(inOgg([8, 8] + pages.flatMap(\.self), from: 2) == expected)
        for serial in [[1, 2, 3, 5], [0, 2, 3, 4]] as [[UInt8]] {
          let other = oggPage([3, 255, 9], serial: serial)
          #expect(inOgg(pages[0] + other + pages.dropFirst().flatMap { $0 + other }) == expected)
        }
        let broken = pages.flatMap { page -> [UInt8] in page + [0] }
        // The first five segments are all of both packets.
        #expect(inOgg(broken) == (segments >= 5 ? expected : [:]), "\(segments)")
      }
    }
    #expect(inOgg(oggPages([head, Array("OpusXags".utf8) + comment(["A=1"])]).flatMap(\.self)) == [:])
    #expect(inOgg(oggPages([head, head, Array("OpusTags".utf8) + comment(["A=1"])]).flatMap(\.self)) == [:])
    // The last page has nothing but the end of the packet, a segment of no bytes.
    let round = Array("OpusTags".utf8) + comment(["A=" + String(repeating: "x", count: 231)])
    let pages = oggPages([head, round], segmentsPerPage: 2)
    #expect(round.count == 255 && pages.last?.count == 28 && inOgg(pages.flatMap(\.self)).count == 2)
    #expect(inOgg([]) == [:])
  }

  @Test func `A comment of more than a megabyte is left`() {
    let packet = Array("OpusTags".utf8) + comment(["A=1", "B=" + String(repeating: "x", count: 1 << 20 + 100_000)])
    #expect(inOgg(oggPages([head, packet]).flatMap(\.self)) == [:])
    let fitting = Array("OpusTags".utf8) + comment(["A=1", "B=" + String(repeating: "x", count: 1 << 20 - 60_000)])
    #expect(inOgg(oggPages([head, fitting]).flatMap(\.self)) == ["A": "1", "ENCODER": "me"])
  }

  // MARK: Changed pages

  private func headers(_ file: [UInt8]) -> OggHeaders? {
    OggHeaders { Array(file.dropFirst($0).prefix($1)) }
  }

  @Test(arguments: [1, 3, 4, 255])
  func `The pages up to the sound are found, and their comment replaced`(segments: Int) throws {
    let vorbisHead = [1] + Array("vorbis".utf8) + [UInt8](repeating: 1, count: 23)
    for (first, start, books) in [
      (head, "OpusTags", []), (vorbisHead, "\u{3}vorbis", [[UInt8](repeating: 5, count: 700)]),
    ] {
      let framing: [UInt8] = books.isEmpty ? [] : [1]
      let old = Array(start.utf8) + comment(["OLD=1"], vendor: "the maker") + framing
      let front = oggPage([first.count], first, flags: 2)
      let middle = oggPages([old] + books, segmentsPerPage: segments, firstNumber: 1)
      let sound = oggPage([40], granule: 960, number: 9)
      let file = front + middle.flatMap(\.self) + sound
      let found = try #require(headers(file))
      #expect(found.range == front.count..<file.count - sound.count)
      #expect(found.pageCount == middle.count)
      let overhead = start.utf8.count + 4 + 9 + 4 + 4 + 2 + framing.count
      // A last segment of no bytes, and more than one page.
      for size in [1, 100, 254, 255, 510, 255 * 254, 255 * 255 - 1, 255 * 255, 255 * 255 + 300, 200_000] {
        var annotations = Annotations()
        let text = String(repeating: "y", count: max(size - overhead, 1))
        annotations.tags["A"] = text
        let packet = Array(start.utf8) + comment(["A=" + text], vendor: "the maker") + framing
        let wanted = oggPages([packet] + books, firstNumber: 1)
        let pages = found.pages(annotations)
        #expect(pages.count == wanted.count)
        for (page, model) in zip(pages, wanted) {
          var expected = model
          // A page in which no packet ends has no position.
          if model[27..<27 + Int(model[26])].allSatisfy({ $0 == 255 }) {
            expected.replaceSubrange(6..<14, with: repeatElement(255, count: 8))
            OggPage.sign(&expected)
          }
          #expect(page == expected, "\(size)")
        }
      }
    }
  }

  @Test func `A file of another structure has no such pages`() {
    let front = oggPage([head.count], head, flags: 2)
    let tags = Array("OpusTags".utf8) + comment([])
    #expect(headers(front + oggPage([tags.count], tags, number: 1)) != nil)
    #expect(headers(front) == nil)
    #expect(headers([]) == nil)
    #expect(headers(front + oggPage([tags.count], [1] + tags.dropFirst(), number: 1)) == nil)
    // A packet more on the page of the comment.
    #expect(headers(front + oggPage([tags.count, 3], tags + [1, 2, 3], number: 1)) == nil)
    #expect(headers(front + oggPage([tags.count], tags, number: 1).dropLast()) == nil)
    let vorbis = oggPage([7], [1] + Array("vorbis".utf8), flags: 2)
    let comments = Array("\u{3}vorbis".utf8) + comment([]) + [1]
    #expect(headers(vorbis + oggPage([comments.count], comments, number: 1)) == nil)
    #expect(headers(vorbis + oggPage([comments.count, 5], comments + [1, 2, 3, 4, 5], number: 1)) != nil)
  }
}
