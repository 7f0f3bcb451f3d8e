extension Annotations {
  /// Reads the Vorbis comment among the blocks of a FLAC file.
  mutating func readFLAC<Failure>(from offset: Int, _ bytes: ByteReading<Failure>) throws(Failure) {
    var place = offset + 4
    for _ in 0..<1_000 {
      let header = try bytes(place, 4)
      guard header.count == 4 else { return }
      let size = Int(bytes: header[1...], isBigEndian: true)
      if header[0] & 0x7F == 4 { readComments(try bytes(place + 4, min(size, Annotations.partLimit))) }
      guard header[0] & 0x80 == 0 else { return }
      place += 4 + size
    }
  }

  /// Reads the Vorbis comment in the second packet of an Ogg file.
  mutating func readOgg<Failure>(from offset: Int, _ bytes: ByteReading<Failure>) throws(Failure) {
    var place = offset
    var serial: ArraySlice<UInt8>?
    var packet: [UInt8] = []
    var packetNumber = 0
    var window = ReadingWindow()
    while packet.count < Annotations.partLimit, let page = try OggPage(at: place, &window, bytes) {
      place += page.byteCount
      if serial == nil { serial = page.serial }
      guard page.serial == serial else { continue }
      for segment in page.segments {
        if packetNumber == 1 { packet += segment }
        guard segment.count < 255 else { continue }
        packetNumber += 1
        guard packetNumber == 2 else { continue }
        for start in ["OpusTags", "\u{3}vorbis"] where packet.starts(with: start.utf8) {
          readComments(Array(packet.dropFirst(start.utf8.count)))
        }
        return
      }
    }
  }

  /// Reads the vendor's name, a count, and as many entries `NAME=text`, each with its length in front.
  mutating func readComments(_ bytes: [UInt8]) {
    let fields = Fields(bytes: bytes, isBigEndian: false)
    guard let vendorSize = fields[0], let count = fields[4 + vendorSize] else { return }
    var place = 8 + vendorSize
    for _ in 0..<min(count, Annotations.listLimit) {
      guard let size = fields[place], size <= bytes.count - place - 4 else { break }
      let comment = bytes[(place + 4)..<(place + 4 + size)]
      place += 4 + size
      // A picture is no text.
      guard size < 1 << 16, let equals = comment.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let name = AudioTags.text(comment[..<equals])
      tags.add(name, AudioTags.text(comment[(equals + 1)...]))
    }
    tags.add("ENCODER", AudioTags.text(bytes.dropFirst(4).prefix(vendorSize)))
  }
}

extension Annotations {
  /// A Vorbis comment: the name of the encoder's maker, a count, and as many entries `NAME=text`.
  func commentBytes(vendor: [UInt8]) -> [UInt8] {
    let comments = textsWithLoop.map { Array("\($0.name)=\($0.text)".utf8) }
    return littleEndian(vendor.count, 4) + vendor + littleEndian(comments.count, 4)
      + comments.flatMap { littleEndian($0.count, 4) + $0 }
  }

  /// The texts in the order of their names, with the first loop as texts in front.
  var textsWithLoop: [(name: String, text: String)] {
    let loop = loops.first.map { loop in
      [("LOOPSTART", "\(loop.range.lowerBound)"), ("LOOPLENGTH", "\(loop.range.count)")]
    }
    return (loop ?? []) + tags.entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The name of the encoder's maker in a Vorbis comment.
  static func vendor(_ comment: some Collection<UInt8>) -> [UInt8] {
    let size = Array(comment.prefix(4)).number(at: 0, isBigEndian: false) ?? 0
    return Array(comment.dropFirst(4).prefix(size))
  }
}
