import TestSupport
import Testing

@testable import FileDecode

/// The parts of a seek in an Ogg file: checksums, packets, modes and the index.
@Suite struct OggSeekPartTests {
  @Test func `The checksum equals a division bit by bit`() {
    var generator = SplitMix64(seed: 1)
    for count in 0..<200 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let expected = bytes.reduce(UInt32(0)) { sum, byte in
        (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in sum >> 31 == 1 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
      }
      #expect(OggChecksum.extended(by: bytes.span) == expected)
      let split = Int.random(in: 0...count, using: &generator)
      let front = OggChecksum.extended(by: bytes.span.extracting(..<split))
      #expect(OggChecksum.extended(front, by: bytes.span.extracting(split...)) == expected)
    }
    var page = oggPage([3, 255, 9])
    #expect(OggPage(page)?.isIntact == true)
    for index in page.indices {
      page[index] ^= 1
      if let damaged = OggPage(page) { #expect(!damaged.isIntact, "\(index)") }
      page[index] ^= 1
    }
  }

  /// The bytes of a packet of Opus with blocks, by RFC 6716, section 3.2; with padding if a number of bytes is given.
  private func opus(_ blocks: [[UInt8]], code: Int, first: UInt8 = 0xF8, padding: Int? = nil) -> [UInt8] {
    func size(_ count: Int) -> [UInt8] {
      count < 252 ? [UInt8(count)] : [UInt8(252 + count % 4), UInt8((count - 252 - count % 4) / 4)]
    }
    var packet = [first & ~3 | UInt8(min(code, 3))]
    if code == 2 { packet += size(blocks[0].count) }
    if code >= 3 {
      packet.append(UInt8(blocks.count) | (code == 4 ? 0x80 : 0) | (padding == nil ? 0 : 0x40))
      if let padding { packet += [UInt8](repeating: 255, count: padding / 254) + [UInt8(padding % 254)] }
      if code == 4 { packet += blocks.dropLast().flatMap { size($0.count) } }
    }
    return packet + blocks.joined() + [UInt8](repeating: 0, count: padding ?? 0)
  }

  @Test func `A packet of Opus is parsed in each of its forms`() {
    var generator = SplitMix64(seed: 2)
    for _ in 0..<3_000 {
      let code = Int.random(in: 0...4, using: &generator)
      let count = [1, 2, 2, Int.random(in: 1...6, using: &generator), Int.random(in: 1...6, using: &generator)][code]
      let size = Int.random(in: 0...600, using: &generator)
      let isSilent = Int.random(in: 0..<4, using: &generator) == 0
      let blocks = (0..<count).map { index in
        let own = code == 2 || code == 4 ? Int.random(in: 0...600, using: &generator) : size
        let start: [UInt8] = isSilent && index == 0 ? [0xFF, 0xFE] : [0x20, 0x20]
        return Array((start + [UInt8](repeating: 7, count: own)).prefix(own))
      }
      let padding = code >= 3 && Bool.random(using: &generator) ? Int.random(in: 0...600, using: &generator) : nil
      let packet = opus(blocks, code: code, padding: padding)
      let found = OpusPacket(([9, 9] + packet)[2...])
      #expect(found?.frameCount == 960 * count)
      #expect(found?.isForgetful == blocks.allSatisfy { $0.count > 1 })
      #expect(found?.hasSilence == (isSilent && blocks[0].count > 1))
      for first in [0x00, 0x40, 0x78] as [UInt8] {
        // 20 ms of the other codes.
        #expect(OpusPacket([first | 8] + packet.dropFirst())?.isForgetful != true)
      }
    }
    // Blocks that are too large, of different sizes without their sizes, or longer than 120 ms.
    #expect(OpusPacket([]) == nil)
    #expect(OpusPacket([0xF8] + [UInt8](repeating: 1, count: 1_275)) != nil)
    #expect(OpusPacket([0xF8] + [UInt8](repeating: 1, count: 1_276)) == nil)
    #expect(OpusPacket([0xF9, 1, 2, 3]) == nil)
    #expect(OpusPacket([0xFA]) == nil)
    #expect(OpusPacket([0xFA, 3, 1, 1]) == nil)
    #expect(OpusPacket([0xFB]) == nil)
    #expect(OpusPacket([0xFB, 0]) == nil)
    #expect(OpusPacket([0xFB, 2, 1, 1, 1]) == nil)
    #expect(OpusPacket([0xFB, 0x42, 255]) == nil)
    #expect(OpusPacket([0xFB, 0x41, 9, 1, 1]) == nil)
    #expect(OpusPacket([0xFB, 0x82, 9, 1, 1]) == nil)
    #expect(OpusPacket([0xFB, 6] + [UInt8](repeating: 1, count: 12)) != nil)
    #expect(OpusPacket([0xFB, 7] + [UInt8](repeating: 1, count: 14)) == nil)
  }

  /// A setup header that ends with modes.
  private func setup(_ modes: [Bool], mapping: Int = 0) -> [UInt8] {
    var bits: [Int] = (0..<100).map { $0 % 3 == 0 ? 1 : 0 }
    func append(_ value: Int, _ count: Int) { bits += (0..<count).map { value >> $0 & 1 } }
    append(modes.count - 1, 6)
    for isLong in modes {
      append(isLong ? 1 : 0, 1)
      append(0, 32)
      append(mapping, 8)
    }
    append(1, 1)
    return stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start...].prefix(8).enumerated().reduce(0) { $0 | UInt8($1.element) << UInt8($1.offset) }
    }
  }

  @Test func `The modes of Vorbis decide on the size of a block`() throws {
    var identification = [UInt8](repeating: 0, count: 30)
    identification[28] = 0xB8
    for modes in [[false], [true], [false, true], [true, false, false], [false, true, true, false, true]] {
      let found = try #require(VorbisModes(identification: identification, setup: setup(modes)))
      let bits = [0, 0, 1, 2, 2, 3][modes.count]
      for byte in 0...UInt8.max {
        let mode = Int(byte >> 1) & (1 << bits - 1)
        let expected = byte & 1 == 1 || mode >= modes.count ? nil : modes[mode] ? 2_048 : 256
        #expect(found.blockSize([byte]) == expected)
        #expect(found.blockSize([byte, 7, 7]) == expected)
      }
      #expect(found.blockSize([]) == nil)
    }
    #expect(VorbisModes(identification: identification, setup: []) == nil)
    #expect(VorbisModes(identification: identification, setup: [0, 0]) == nil)
    #expect(VorbisModes(identification: identification, setup: [1, 2, 3, 4]) == nil)
    #expect(VorbisModes(identification: Array(identification.dropLast()), setup: setup([true])) == nil)
    var generator = SplitMix64(seed: 3)
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        Bool.random(using: &generator) ? 0 : UInt8.random(in: 0...255, using: &generator)
      }
      _ = VorbisModes(identification: identification, setup: bytes)?.blockSize(bytes[...])
    }
  }

  /// The pages of a stream of Opus: packets of 20 ms on pages of some segments, with the positions behind the packets.
  private func pages(_ packets: [[UInt8]], segmentsPerPage: Int, preSkip: UInt64) -> [[UInt8]] {
    let head = Array("OpusHead".utf8) + [1, 1] + little(preSkip, 2) + little(48_000, 4) + [0, 0, 0]
    var granules: [UInt64] = []
    var ended = 0
    var endsPacket = false
    for (index, length) in packets.flatMap(oggSegments).enumerated() {
      if length < 255 {
        ended += 1
        endsPacket = true
      }
      if index % segmentsPerPage == segmentsPerPage - 1 || ended == packets.count {
        granules.append(endsPacket ? UInt64(ended) * 960 : .max)
        endsPacket = false
      }
    }
    let tags = Array("OpusTags".utf8) + [UInt8](repeating: 0, count: 8)
    return [oggPage([19], head, flags: 2), oggPage([16], tags, number: 1)]
      + oggPages(packets, segmentsPerPage: segmentsPerPage, granule: { granules[$0] }, firstNumber: 2)
  }

  @Test func `The index finds the last packet with a second in front of the target`() throws {
    var generator = SplitMix64(seed: 4)
    for _ in 0..<300 {
      let packets = (0..<Int.random(in: 60...140, using: &generator)).map { _ in
        [0xF8] + [UInt8](repeating: 1, count: Int.random(in: 2...700, using: &generator))
      }
      let preSkip = Int.random(in: 0...400, using: &generator)
      let segments = Int.random(in: 2...40, using: &generator)
      let all = pages(packets, segmentsPerPage: segments, preSkip: UInt64(preSkip))
      var file = all.flatMap(\.self)
      // A page with a wrong checksum, anywhere in the file, leaves the index of Opus without a start.
      let isWhole = Int.random(in: 0..<3, using: &generator) > 0
      let damaged = Int.random(in: 2..<all.count, using: &generator)
      if !isWhole { file[all[..<damaged].reduce(30) { $0 + $1.count }] ^= 1 }
      func read(_ offset: Int, _ count: Int) -> [UInt8] { Array(file.dropFirst(offset).prefix(count)) }
      let headers = try #require(OggStreamHeaders(sampleRate: 48_000, reading: read))
      #expect(headers.end == all[0].count + all[1].count && headers.lastNumber == 1)
      var index = OggSeekIndex(headers)
      for _ in 0..<12 {
        let frame = Int.random(in: 0..<packets.count * 960, using: &generator)
        let last = (frame + preSkip) / 960
        // The packets that begin and end on one page, by a walk over all segments.
        let candidates = whole(packets, segments, pages: all.count - 2)
        let target = candidates.last { $0 <= last }
        let expected = isWhole ? target.flatMap { target in candidates.last { $0 + 50 <= target } } : nil
        let start = index.start(toFrame: frame, reading: read)
        #expect(start?.frame == expected.flatMap { $0 * 960 >= preSkip ? $0 * 960 - preSkip : nil })
        if let start {
          let page = try #require(OggPage(file[start.offset...]))
          let shorter = try #require(OggPage(page.suffix(fromSegment: start.skippedSegments)))
          #expect(shorter.isIntact && !shorter.isContinuation && shorter.granule == page.granule)
          #expect(shorter.number == page.number)
          #expect(page.segments.dropFirst(start.skippedSegments).elementsEqual(shorter.segments))
        }
      }
    }
  }

  @Test func `A full index skips pages, and finds a packet in front of the target`() throws {
    var generator = SplitMix64(seed: 9)
    for limit in [8, 31] {
      let packets = (0..<400).map { _ in
        [0xF8] + [UInt8](repeating: 1, count: Int.random(in: 2...300, using: &generator))
      }
      let file = pages(packets, segmentsPerPage: 5, preSkip: 0).flatMap(\.self)
      func read(_ offset: Int, _ count: Int) -> [UInt8] { Array(file.dropFirst(offset).prefix(count)) }
      let headers = try #require(OggStreamHeaders(sampleRate: 48_000, reading: read))
      var index = OggSeekIndex(headers, pageLimit: limit)
      var whole = OggSeekIndex(headers)
      var (latest, earlierCount) = (0, 0)
      for frame in stride(from: 0, to: packets.count * 960, by: 1_111) {
        let start = index.start(toFrame: frame, reading: read)
        let last = whole.start(toFrame: frame, reading: read)
        #expect(start?.frame ?? 0 <= last?.frame ?? 0)
        if start?.frame ?? 0 < last?.frame ?? 0 { earlierCount += 1 }
        guard let start else {
          #expect(frame < packets.count * 960 * 3 / limit + 48_000 + 5 * 960)
          continue
        }
        // A second in front of the target.
        #expect(start.frame + 48_000 <= frame && start.frame >= latest)
        #expect(frame - start.frame < packets.count * 960 * 3 / limit + 48_000 + 5 * 960)
        latest = start.frame
      }
      // At least half of the pages are skipped.
      #expect(latest > 0 && earlierCount > packets.count * 960 / 1_111 / 4)
    }
  }

  /// The indices of the packets that begin and end on one of the first pages.
  private func whole(_ packets: [[UInt8]], _ segmentsPerPage: Int, pages: Int) -> [Int] {
    var segment = 0
    return packets.indices.filter { index in
      let first = segment
      segment += oggSegments(packets[index]).count
      return first / segmentsPerPage == (segment - 1) / segmentsPerPage && first / segmentsPerPage < pages
    }
  }
}
