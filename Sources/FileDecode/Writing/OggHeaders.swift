/// The pages with the headers of an Ogg file, around a changed comment.
struct OggHeaders {
  /// The first page with the comment, and the pages behind it up to the sound.
  let range: Range<Int>
  /// The number of these pages.
  let pageCount: Int
  /// The packets of these pages: the comment and, in a Vorbis file, the encoder's tables.
  private let packets: [[UInt8]]
  private let serial: [UInt8]

  /// The start of a comment's packet.
  private static let starts = ["OpusTags", "\u{3}vorbis"]

  /// Reads the headers from the start of a file; `nil` if the file is of another structure.
  init?<Failure>(reading bytes: ByteReading<Failure>) throws(Failure) {
    var window = ReadingWindow()
    guard let first = try OggPage(at: 0, &window, bytes) else { return nil }
    // A Vorbis file has one more packet in front of the sound.
    let isVorbis = first.bytes.dropFirst(28).starts(with: "\u{1}vorbis".utf8)
    var packets: [[UInt8]] = []
    var packet: [UInt8] = []
    var place = first.byteCount
    var pageCount = 0
    while packets.count < (isVorbis ? 2 : 1) || !packet.isEmpty {
      guard let page = try OggPage(at: place, &window, bytes) else { return nil }
      for segment in page.segments {
        packet += segment
        guard segment.count < 255 else { continue }
        packets.append(packet)
        packet = []
      }
      place += page.byteCount
      pageCount += 1
    }
    guard packets.count == (isVorbis ? 2 : 1), OggHeaders.starts.contains(where: { packets[0].starts(with: $0.utf8) })
    else { return nil }
    self.packets = packets
    self.pageCount = pageCount
    range = first.byteCount..<place
    serial = Array(first.serial)
  }

  /// The pages with another comment.
  func pages(_ annotations: Annotations) -> [[UInt8]] {
    guard let start = OggHeaders.starts.first(where: { packets[0].starts(with: $0.utf8) }) else { return [] }
    let vendor = Annotations.vendor(packets[0].dropFirst(start.utf8.count))
    // A bit behind the comment of Vorbis marks it as whole.
    let framing: [UInt8] = packets.count > 1 ? [1] : []
    let comment = Array(start.utf8) + annotations.commentBytes(vendor: vendor) + framing
    var segments: [(content: ArraySlice<UInt8>, startsPacket: Bool)] = []
    for packet in [comment] + packets.dropFirst() {
      // A packet ends with a segment of fewer than 255 bytes.
      for place in stride(from: 0, through: packet.count, by: 255) {
        segments.append((packet[place..<min(place + 255, packet.count)], place == 0))
      }
    }
    return stride(from: 0, to: segments.count, by: 255).enumerated().map { index, place in
      page(number: index + 1, Array(segments[place..<min(place + 255, segments.count)]))
    }
  }

  private func page(number: Int, _ segments: [(content: ArraySlice<UInt8>, startsPacket: Bool)]) -> [UInt8] {
    let endsPacket = segments.contains { $0.content.count < 255 }
    var page = Array("OggS".utf8) + [0, segments[0].startsPacket ? 0 : 1]
    // The position: 0 on pages of headers, and -1 on a page in which no packet ends.
    page += littleEndian(endsPacket ? 0 : -1, 8) + serial + littleEndian(number, 4)
    page += [0, 0, 0, 0, UInt8(segments.count)] + segments.map { UInt8($0.content.count) }
    for segment in segments { page += segment.content }
    OggPage.sign(&page)
    return page
  }
}
