/// The pages with the headers of an Ogg file that holds one stream of Vorbis or Opus.
struct OggStreamHeaders: Sendable {
  /// The offset behind the pages.
  let end: Int

  /// The number of the last page.
  let lastNumber: Int

  /// The number of the stream.
  let serial: ArraySlice<UInt8>

  /// The count of the frames in the packets behind the headers.
  let timeline: OggTimeline

  /// Reads the headers of a stream that is decoded at a rate; `nil` if they are not alone on intact pages in a row.
  init?<Failure>(sampleRate: Int, reading bytes: ByteReading<Failure>) throws(Failure) {
    var packets: [[UInt8]] = []
    var openPacket: [UInt8] = []
    var count = 0
    var offset = 0
    var last: OggPage?
    var window = ReadingWindow()
    repeat {
      guard let page = try OggPage(at: offset, &window, bytes), page.isIntact, page.version == 0, !page.endsStream,
        page.startsStream == (last == nil), page.isContinuation == !openPacket.isEmpty
      else { return nil }
      if let last, page.serial != last.serial || page.number != last.number + 1 { return nil }
      offset += page.byteCount
      last = page
      _ = page.forEachPacket(behind: &openPacket) { packet, _ in
        packets.append(Array(packet))
        return true
      }
      if count == 0 { count = packets.first?.starts(with: "OpusHead".utf8) == true ? 2 : 3 }
    } while packets.count < count
    guard let last, packets.count == count, openPacket.isEmpty else { return nil }
    if count == 3 {
      guard let modes = VorbisModes(identification: packets[0], setup: packets[2]) else { return nil }
      timeline = .vorbis(modes)
    } else {
      // A family of mappings other than 0 has several streams in a packet.
      guard packets[0].count == 19, packets[0][18] == 0, 48_000.isMultiple(of: sampleRate) else { return nil }
      timeline = .opus(preSkip: Int(bytes: packets[0][10..<12], isBigEndian: false), divisor: 48_000 / sampleRate)
    }
    end = offset
    lastNumber = last.number
    serial = last.serial
  }
}
