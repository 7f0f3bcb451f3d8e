import TestSupport
import Testing

@testable import FileDecode

/// The pages of an Ogg file: their sizes, their checksums and the last of them.
@Suite struct OggPageTests {
  @Test func `The size and the position of a page are in its header`() {
    func header(_ bytes: [UInt8]) -> (byteCount: Int, granule: Int)? {
      OggPage(bytes).map { ($0.byteCount, $0.granule) }
    }
    let empty = oggPage([], granule: 5)
    #expect(header(empty)! == (27, 5))
    #expect(header(Array(empty.dropLast())) == nil)
    let page = oggPage([255, 0, 10], granule: 0x0102_0304_0506_0708)
    #expect(header(page)! == (27 + 3 + 265, 0x0102_0304_0506_0708))
    #expect(header(page + [1, 2, 3])! == (27 + 3 + 265, 0x0102_0304_0506_0708))
    for count in 0..<page.count { #expect(header(Array(page.prefix(count))) == nil) }
    #expect(header(oggPage([1], granule: .max))! == (29, -1))
    #expect(header(oggPage([Int](repeating: 255, count: 255)))!.byteCount == OggPage.maximumSize)
    #expect(header([0x4F, 0x67, 0x67, 0x54] + page.dropFirst(4)) == nil)
    #expect(OggPage.maximumSize == 65_307)
  }

  @Test func `A page gets its checksum, its number and its end`() {
    var generator = SplitMix64(seed: 9)
    for count in [0, 1, 7, 100, 254] {
      let content = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let page = oggPage([count], content, flags: 1, granule: 77, number: 3)
      var signed = page
      signed.replaceSubrange(22..<26, with: [9, 9, 9, 9])
      OggPage.sign(&signed)
      #expect(signed == page)
      var numbered = page
      OggPage.number(&numbered, 0x0102_0304)
      #expect(numbered == oggPage([count], content, flags: 1, granule: 77, number: 0x0102_0304))
      var ended = page
      OggPage.end(&ended, atGranule: 0x0102_0304_0506_0708)
      #expect(ended == oggPage([count], content, flags: 5, granule: 0x0102_0304_0506_0708, number: 3))
    }
    let short = [UInt8](repeating: 1, count: 26)
    var (numbered, ended) = (short, short)
    OggPage.number(&numbered, 5)
    OggPage.end(&ended, atGranule: 5)
    #expect(numbered == short && ended == short)
    var least = oggPage([])
    OggPage.end(&least, atGranule: 5)
    #expect(least == oggPage([], flags: 4, granule: 5))
    OggPage.number(&least, 5)
    #expect(least == oggPage([], flags: 4, granule: 5, number: 5))
  }

  @Test func `The end of a stream is looked for in the last bytes of a file`() {
    let last = oggPage([], flags: 4)
    #expect(OggPage.endsStream(last) && OggPage.endsStream([0] + last) && OggPage.endsStream(last + [0]))
    #expect(!OggPage.endsStream(oggPage([], flags: 3)))
    // The last page counts, not one in front of it.
    #expect(!OggPage.endsStream(last + oggPage([3])))
    #expect(!OggPage.endsStream(last + oggPage([3], flags: 4).dropLast()))
    #expect(!OggPage.endsStream(last + oggPage([3, 4, 5], flags: 4).prefix(29)))
    for (size, place) in [(0, 0), (65_307, 0), (65_308, 1), (1 << 40, 1 << 40 - 65_307)] {
      var asked: [Int] = []
      let isEnd = OggPage.endsStream(inFileOf: size) { start, count in
        asked = [start, count]
        return last
      }
      #expect(isEnd && asked == [place, 65_307])
    }
  }

  // MARK: The page of the headers

  private func endOfHeaders(_ file: [UInt8], from offset: Int = 0) -> (range: Range<Int>, page: [UInt8])? {
    OggPage.endOfHeaders(from: offset) { Array(file.dropFirst($0).prefix($1)) }
  }

  @Test(arguments: [[1, 2, 3, 5], [9, 2, 3, 4], [1, 2, 9, 4]] as [[UInt8]])
  func `Sound on the page of the headers is left out, whatever stands between the pages`(otherSerial: [UInt8]) throws {
    let head = oggPage([30], flags: 2)
    let other = oggPage([1, 1, 1, 1], flags: 2, granule: 9, serial: otherSerial)
    let headers = oggPage([255, 10, 0, 20, 30], granule: 99, number: 1)
    let sound = oggPage([7, 7, 7], granule: 200, number: 2)
    for front in [[], [UInt8](repeating: 7, count: 5)] {
      for middle in [[], other, other + other] {
        let found = try #require(endOfHeaders(front + head + middle + headers + sound, from: front.count))
        let start = front.count + head.count + middle.count
        #expect(found.range == start..<start + headers.count)
        #expect(found.page == oggPage([255, 10, 0], Array(headers[32..<32 + 265]), granule: 0, number: 1))
      }
    }
  }

  @Test func `The headers may end on any page`() throws {
    let head = oggPage([30], flags: 2)
    let first = oggPage([255, 255], number: 1)
    let second = oggPage([8, 255], flags: 1, number: 2)
    let third = oggPage([5, 6, 7, 255], flags: 1, granule: 64, number: 3)
    let found = try #require(endOfHeaders(head + first + second + third))
    let start = head.count + first.count + second.count
    #expect(found.range == start..<start + third.count)
    #expect(found.page == oggPage([5], [0, 1, 2, 3, 4], flags: 1, number: 3))
    // All headers on the first page.
    let all = oggPage([1, 2, 3, 4], flags: 2)
    #expect(endOfHeaders(all + first)?.page == oggPage([1, 2, 3], [0, 1, 2, 3, 4, 5], flags: 2))
    #expect(endOfHeaders(all + first)?.range == 0..<all.count)
  }

  @Test func `A page with nothing but headers stays`() {
    let head = oggPage([30], flags: 2)
    let sound = oggPage([7, 7, 7], granule: 200, number: 2)
    #expect(endOfHeaders(head + oggPage([255, 10, 0], number: 1) + sound) == nil)
    #expect(endOfHeaders(head + oggPage([10], number: 1)) == nil)
    #expect(endOfHeaders(head + oggPage([10, 20, 30], number: 1).dropLast()) == nil)
    #expect(endOfHeaders([]) == nil)
  }
}
