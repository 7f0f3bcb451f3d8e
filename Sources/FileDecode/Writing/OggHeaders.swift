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
    return OggPage.headerPages([comment] + packets.dropFirst(), serial: serial, firstNumber: 1)
  }
}
