import TestSupport
import Testing

@testable import FileDecode

/// The packets of an Ogg file, and the frames of Opus in them.
@Suite struct OggScanTests {
  private func scan(_ file: [UInt8], from offset: Int = 0) -> OggScan {
    OggScan(from: offset) { Array(file.dropFirst($0).prefix($1)) }
  }

  @Test func `A packet of Opus has the frames that its first bytes name`() {
    // RFC 6716, section 3.1: four times of SILK, two of the hybrid, four of CELT, in milliseconds.
    let times = [[10, 20, 40, 60], [10, 20, 40, 60], [10, 20, 40, 60], [10, 20, 10, 20], [2.5, 5, 10, 20]]
    for first in 0...255 {
      let configuration = first >> 3
      let time = times[min(configuration / 4, 4)][configuration % 4]
      for second in [0, 1, 3, 48, 63, 64, 0xC2, 255] {
        let count = [1, 2, 2, second & 63][first & 3]
        let packet = [UInt8(first), UInt8(second), 7]
        #expect(OggScan.opusFrames(packet[...]) == Int(time * 48) * count, "\(first), \(second)")
        #expect(OggScan.opusFrames(([1, 1] + packet)[2...]) == Int(time * 48) * count)
      }
    }
    #expect(OggScan.opusFrames([]) == 0)
    #expect(OggScan.opusFrames([3]) == 0 && OggScan.opusFrames([0]) == 480 && OggScan.opusFrames([1]) == 960)
  }

  /// Packets of Opus of 20 ms behind the two headers.
  private func opus(_ count: Int, size: Int = 40, preSkip: UInt64 = 312) -> [[UInt8]] {
    let head = Array("OpusHead".utf8) + [1, 1] + little(preSkip, 2) + little(48_000, 4) + [0, 0, 0]
    return [head, Array("OpusTags".utf8) + [UInt8](repeating: 0, count: 600)]
      + (0..<count).map { _ in [0x78] + [UInt8](repeating: 1, count: size - 1) }
  }

  @Test func `Packets are counted over pages of any size`() {
    for segments in [1, 2, 3, 5, 17, 255] {
      for size in [1, 40, 254, 255, 256, 600] {
        let pages = oggPages(opus(9, size: size), segmentsPerPage: segments) { UInt64($0 + 1) * 100 }
        let found = scan(pages.flatMap(\.self))
        #expect(found.packetCount == 9, "\(segments), \(size)")
        #expect(found.preSkip == 312)
        #expect(found.totalFrames == 9 * 960)
        #expect(found.lastGranule == pages.count * 100)
      }
    }
  }

  @Test func `The walk stays in the first stream, up to its end or a cut page`() {
    let pages = oggPages(opus(8), segmentsPerPage: 4) { UInt64($0 + 1) * 1_000 }
    #expect(pages.count == 3)
    let whole = pages.flatMap(\.self)
    #expect(scan([7, 7] + whole, from: 2).packetCount == 8)
    for serial in [[1, 2, 3, 5], [0, 2, 3, 4]] as [[UInt8]] {
      let other = oggPage([5, 5, 5], granule: 77_000, serial: serial)
      let found = scan(pages[0] + other + pages[1] + other + pages[2] + other)
      #expect(found.packetCount == 8 && found.lastGranule == 3_000)
    }
    var ended = pages[1]
    OggPage.end(&ended, atGranule: 1_500)
    let found = scan(pages[0] + ended + pages[2])
    #expect(found.lastGranule == 1_500)
    #expect(found.packetCount == 4)
    for missing in 1...pages[2].count {
      let cut = scan(Array(whole.dropLast(missing)))
      #expect(cut.lastGranule == 2_000 && cut.packetCount == 4)
    }
    #expect(scan(pages[0] + pages[1] + [0] + pages[2]).lastGranule == 2_000)
    // A page on which no packet ends has no position.
    let open = oggPage([255], flags: 1, granule: .max, number: 9)
    #expect(scan(whole + open).lastGranule == 3_000)
    #expect(scan(whole + oggPage([1], granule: 0)).lastGranule == 0)
    let empty = scan([])
    #expect(empty.packetCount == 0 && empty.preSkip == nil && empty.lastGranule == nil)
  }

  @Test func `Vorbis has three headers, and Opus two, without a position in them`() {
    let vorbis = [Array("\u{1}vorbis".utf8) + [UInt8](repeating: 0, count: 23), [3], [5], [0], [0, 0]]
    let found = scan(oggPages(vorbis, segmentsPerPage: 1) { UInt64($0) * 10 + 1 }.flatMap(\.self))
    #expect(found.packetCount == 2 && found.preSkip == nil && found.totalFrames == 0)
    #expect(found.lastGranule == 41)
    let headers = scan(oggPages(Array(vorbis.prefix(2)), segmentsPerPage: 1) { UInt64($0) * 10 + 1 }.flatMap(\.self))
    #expect(headers.lastGranule == nil && headers.packetCount == 0)
    let started = scan(oggPages(Array(vorbis.prefix(3)), segmentsPerPage: 1) { UInt64($0) * 10 + 1 }.flatMap(\.self))
    #expect(started.lastGranule == 21 && started.packetCount == 0)
    let silent = scan(oggPages(opus(0)) { _ in 5 }.flatMap(\.self))
    #expect(silent.packetCount == 0 && silent.lastGranule == 5)
    // A head without the number has none.
    #expect(scan(oggPage([11], Array("OpusHead".utf8) + [1, 1, 9], flags: 2)).preSkip == nil)
    #expect(scan(oggPage([12], Array("OpusHead".utf8) + [1, 1, 9, 2], flags: 2)).preSkip == 0x209)
    #expect(scan(oggPage([1, 11], [0] + Array("OpusHead".utf8) + [1, 1, 9], flags: 2)).preSkip == nil)
  }

  @Test func `The table of Opus counts frames of the file's rate`() {
    for (rate, total, priming) in [(48_000, 8_640, 312), (24_000, 4_320, 156), (8_000, 1_440, 52)] {
      for (granule, valid) in [(312, 0), (5_000, 4_688), (8_952, 8_640), (9_000, 8_640), (100, 0)] as [(UInt64, Int)] {
        let found = scan(oggPages(opus(9)) { _ in granule }.flatMap(\.self))
        let table = found.table(decoded: nil, sampleRate: rate)
        let inRate = valid * rate / 48_000
        #expect(table.packetCount == 9 && table.framesPerPacket == total / 9)
        #expect(table.primingFrames == priming && table.validFrames == inRate && table.totalFrames == total)
        #expect(table.remainderFrames == max(total - priming - inRate, 0))
        #expect(table.source == .opusHead)
        let decoded = found.table(decoded: 1_000, sampleRate: rate)
        #expect(decoded.validFrames == 1_000 && decoded.remainderFrames == max(total - priming - 1_000, 0))
      }
    }
    // Packets of different lengths, also where their average is whole.
    let short: [UInt8] = [0x70, 1]
    for packets in [
      opus(5) + [short, short], opus(3) + [short], Array(opus(1).prefix(2)) + [short, opus(1)[2], short],
    ] {
      let mixed = scan(oggPages(packets) { _ in 1_000 }.flatMap(\.self))
      let shortCount = packets.count { $0 == short }
      #expect(mixed.totalFrames == (packets.count - 2 - shortCount) * 960 + shortCount * 480)
      #expect(mixed.table(decoded: nil, sampleRate: 48_000).framesPerPacket == nil)
    }
    let none = scan(oggPages(opus(0)) { _ in .max }.flatMap(\.self)).table(decoded: nil, sampleRate: 48_000)
    #expect(
      none.framesPerPacket == nil && none.packetCount == 0 && none.validFrames == nil && none.remainderFrames == nil
    )
  }

  @Test func `The table of Vorbis has the decoded frames, or the last position`() {
    let vorbis = [Array("\u{1}vorbis".utf8), [3], [5], [0], [0, 0]]
    let found = scan(oggPages(vorbis) { _ in 700 }.flatMap(\.self))
    for (decoded, frames) in [(nil, 700), (650, 650)] as [(Int?, Int)] {
      let table = found.table(decoded: decoded, sampleRate: 44_100)
      #expect(table == PacketTable(packetCount: 2, framesPerPacket: nil, decoded: frames, source: .granule))
    }
  }
}
