import TestSupport
import Testing

@testable import FileDecode

/// The packets of regular streams of Vorbis, and the pages at which they end.
@Suite struct OggPacketsTests {
  private typealias Packet = OggPackets.Packet

  private static func bytes(_ frameCount: Int, channelCount: Int = 2) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let format = PCMFormat(sampleRate: 48_000, layout: .usual(channelCount: channelCount))
    return try FileDecodeTests.bytes(of: save(noise(frameCount, format), to: folder.file("a.ogg")))
  }

  private static func reader(_ bytes: [UInt8]) -> (Int, Int) -> [UInt8] {
    { offset, count in Array(bytes.dropFirst(offset).prefix(count)) }
  }

  /// The packets up to the end or up to an irregular page, with a start behind each page.
  private static func packets(
    _ bytes: [UInt8],
    frameCount: Int,
    from start: OggSeekIndex.Start? = nil
  ) throws -> (packets: [Packet], pageCount: Int, isAtEnd: Bool, starts: [OggSeekIndex.Start]) {
    let headers = try #require(OggStreamHeaders(sampleRate: 48_000, reading: reader(bytes)))
    var source = try #require(OggPackets(headers, frameCount: frameCount, from: start))
    var all: [Packet] = []
    var starts: [OggSeekIndex.Start] = []
    var pageCount = 0
    while let page = source.nextPage(reading: reader(bytes)) {
      all += page
      pageCount += 1
      if let start = source.lastStart, start != starts.last { starts.append(start) }
    }
    return (all, pageCount, source.isAtEnd, starts)
  }

  @Test(arguments: [1, 3, 7, 40, 255])
  func `Pages of any length hold the same packets, and each start returns the rest`(segmentCount: Int) throws {
    let frameCount = 90_000
    let original = try Self.bytes(frameCount)
    let whole = try Self.packets(original, frameCount: frameCount).packets
    #expect(whole.map(\.frameCount).reduce(0, +) == frameCount)
    let file = try repaged(original, frameCount: frameCount, segmentCount: segmentCount)
    let found = try Self.packets(file, frameCount: frameCount)
    #expect(found.isAtEnd && found.packets == whole && found.starts.isEmpty == (found.pageCount == 1))
    // A start near the beginning returns nearly the whole file.
    for index in stride(from: found.starts.count - 1, through: 0, by: -(1 + found.starts.count / 8)) {
      let start = found.starts[index]
      let rest = try Self.packets(file, frameCount: frameCount, from: start)
      #expect(rest.isAtEnd && rest.packets.dropFirst() == whole.suffix(rest.packets.count - 1))
      // The first packet only overlaps with the second.
      #expect(rest.packets.first?.decodedCount == 0)
      #expect(rest.packets.map(\.frameCount).reduce(start.frame, +) == frameCount)
    }
  }

  @Test func `The walk ends in front of a page that is not regular`() throws {
    let frameCount = 200_000
    let file = try Self.bytes(frameCount)
    let whole = try Self.packets(file, frameCount: frameCount)
    let ranges = oggPageRanges(file)
    let first = ranges.count - whole.pageCount
    #expect(whole.isAtEnd && whole.pageCount > 3)
    let damages: [(name: String, change: (inout [UInt8], Int) -> Void, isRepaired: Bool)] = [
      ("checksum", { $0[$1 + 22] ^= 1 }, false), ("version", { $0[$1 + 4] = 1 }, true),
      ("a start", { $0[$1 + 5] |= 2 }, true), ("a continuation", { $0[$1 + 5] ^= 1 }, true),
      ("the end", { $0[$1 + 5] ^= 4 }, true), ("position", { $0[$1 + 6] ^= 1 }, true),
      ("no position", { bytes, page in for index in 6..<14 { bytes[page + index] = 255 } }, true),
      ("stream", { $0[$1 + 14] ^= 1 }, true), ("number", { $0[$1 + 18] ^= 64 }, true),
    ]
    for damage in damages {
      for index in first..<ranges.count {
        var bytes = file
        damage.change(&bytes, ranges[index].lowerBound)
        if damage.isRepaired { repairOggChecksums(&bytes) }
        let found = try Self.packets(bytes, frameCount: frameCount)
        // The first position of the sound decides where the positions begin, so the second page differs from it.
        let isFirstPosition = damage.name == "position" && index == first
        let expected = index - first + (isFirstPosition ? 1 : 0)
        // Without the mark of the end, the last page is a page before the end.
        let isOpenEnd = damage.name == "the end" && index == ranges.count - 1
        #expect(!found.isAtEnd, "\(damage.name), page \(index)")
        if !isOpenEnd { #expect(found.pageCount <= expected, "\(damage.name), page \(index)") }
        #expect(found.packets.elementsEqual(whole.packets.prefix(found.packets.count)) || isOpenEnd)
      }
    }
  }

  @Test func `The last page cuts no more than its last packet`() throws {
    let frameCount = 100_000
    var file = try Self.bytes(frameCount)
    let whole = try Self.packets(file, frameCount: frameCount)
    let last = try #require(whole.packets.last)
    let end = frameCount - last.frameCount + last.decodedCount
    let page = try #require(oggPageRanges(file).last)
    for excess in [-1, 0, 1, last.decodedCount - 1, last.decodedCount, last.decodedCount + 1] {
      file.replaceSubrange(page.lowerBound + 6..<page.lowerBound + 14, with: little(UInt64(end - excess), 8))
      repairOggChecksums(&file)
      let found = try Self.packets(file, frameCount: end - excess)
      #expect(found.isAtEnd == (0...last.decodedCount).contains(excess), "\(excess)")
      if found.isAtEnd { #expect(found.packets.last?.frameCount == last.decodedCount - excess) }
      // Another decoder that reports another number of frames does not agree.
      #expect(try !Self.packets(file, frameCount: end - excess + 1).isAtEnd)
    }
  }

  @Test func `Positions may begin anywhere`() throws {
    let frameCount = 100_000
    var file = try Self.bytes(frameCount)
    for page in oggPageRanges(file).dropFirst(2) {
      let position = file[page].dropFirst(6).prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      guard position != .max, position != 0 else { continue }
      file.replaceSubrange(page.lowerBound + 6..<page.lowerBound + 14, with: little(position + 12_345, 8))
    }
    repairOggChecksums(&file)
    let found = try Self.packets(file, frameCount: frameCount)
    #expect(found.isAtEnd && found.packets.map(\.frameCount).reduce(0, +) == frameCount)
  }

  @Test func `A stream with a largest bit rate and a stream of Opus have no packets for libavcodec`() throws {
    var file = try Self.bytes(48_000)
    let head = try #require(file.indices.first { file[$0...].starts(with: [1] + Array("vorbis".utf8)) })
    // Some encoders write -1 where they know no rate.
    for (rate, isPossible) in [(0, true), (0xFFFF_FFFF, true), (128_000, false), (1, false)] as [(UInt64, Bool)] {
      file.replaceSubrange(head + 16..<head + 20, with: little(rate, 4))
      repairOggChecksums(&file)
      let headers = try #require(OggStreamHeaders(sampleRate: 48_000, reading: Self.reader(file)))
      #expect((OggPackets(headers, frameCount: 48_000) != nil) == isPossible, "\(rate)")
    }
    let opus = try FixtureFiles.bytes("opus.opus")
    let headers = try #require(OggStreamHeaders(sampleRate: 48_000, reading: Self.reader(opus)))
    #expect(OggPackets(headers, frameCount: 48_000) == nil)
  }
}

/// The file with the packets of its sound on pages with a number of segments.
func repaged(_ file: [UInt8], frameCount: Int, segmentCount: Int) throws -> [UInt8] {
  func read(_ offset: Int, _ count: Int) -> [UInt8] { Array(file.dropFirst(offset).prefix(count)) }
  let headers = try #require(OggStreamHeaders(sampleRate: 48_000, reading: read))
  var source = try #require(OggPackets(headers, frameCount: frameCount))
  // The bytes of each segment, and the position where a packet ends.
  var segments: [(bytes: ArraySlice<UInt8>, position: Int?)] = []
  var position = 0
  while let packets = source.nextPage(reading: read) {
    for packet in packets {
      position += packet.frameCount
      var rest = packet.bytes
      while rest.count >= 255 {
        segments.append((rest.prefix(255), nil))
        rest = rest.dropFirst(255)
      }
      segments.append((rest, position))
    }
  }
  var pages = Array(file.prefix(headers.end))
  var isContinuation = false
  let starts = stride(from: 0, to: segments.count, by: segmentCount)
  for (index, start) in starts.enumerated() {
    let own = segments[start..<min(start + segmentCount, segments.count)]
    let isLast = start + segmentCount >= segments.count
    let flags: UInt8 = (isContinuation ? 1 : 0) | (isLast ? 4 : 0)
    let place = own.last { $0.position != nil }?.position.map { UInt64($0) } ?? .max
    let head = Array("OggS".utf8) + [0, flags] + little(place, 8) + headers.serial
    var page = head + little(UInt64(headers.lastNumber + 1 + index), 4) + [0, 0, 0, 0, UInt8(own.count)]
    page += own.map { UInt8($0.bytes.count) } + own.flatMap(\.bytes)
    OggPage.sign(&page)
    pages += page
    isContinuation = own.last?.position == nil
  }
  return pages
}
