extension Annotations {
  /// Reads an ID3 tag in front of a file, and an old one of 128 bytes behind it.
  mutating func readID3<Failure>(
    _ signature: FileSignature,
    _ fileSize: Int,
    _ bytes: ByteReading<Failure>
  ) throws(Failure) {
    if signature.offset > 0 {
      let header = try bytes(0, 10)
      if let size = LeadingTag.byteCount(header), header.starts(with: "ID3".utf8) {
        readID3(try bytes(0, min(size, Annotations.partLimit)))
      }
    }
    guard signature.container == .mpeg, fileSize > 128 else { return }
    let old = try bytes(fileSize - 128, 128)
    guard old.count == 128, old.starts(with: "TAG".utf8) else { return }
    for (name, start, size) in [
      ("TITLE", 3, 30), ("ARTIST", 33, 30), ("ALBUM", 63, 30), ("DATE", 93, 4), ("COMMENT", 97, 30),
    ] {
      tags.add(name, AudioTags.text(old[start..<start + size]))
    }
  }

  /// The texts of an ID3 tag of version 2.2, 2.3 or 2.4.
  mutating func readID3(_ tag: [UInt8]) {
    guard tag.count > 10 else { return }
    let version = tag[3]
    let isShort = version == 2
    var content = Array(tag.dropFirst(10))
    // Whole tags of the older versions have a zero behind each 255, so that no byte pair looks like a frame's sync.
    if tag[5] & 0x80 != 0, version < 4 { content = Annotations.synchronised(content) }
    var place = 0
    if tag[5] & 0x40 != 0, !isShort, content.count >= 4 {
      let size = Annotations.size(content[0..<4], isSafe: version >= 4)
      place = version >= 4 ? size : size + 4
    }
    let headerSize = isShort ? 6 : 10
    while place + headerSize < content.count, content[place] != 0 {
      let name = String(latin1: content[place..<place + (isShort ? 3 : 4)])
      let size =
        isShort
        ? Int(bytes: content[place + 3..<place + 6], isBigEndian: true)
        : Annotations.size(content[place + 4..<place + 8], isSafe: version >= 4)
      let start = place + headerSize
      guard size > 0, size <= content.count - start else { return }
      addFrame(name, Array(content[start..<start + size]))
      place = start + size
    }
  }

  private mutating func addFrame(_ name: String, _ content: [UInt8]) {
    let encoding = content[0]
    if name == "TXXX" || name == "TXX" {
      let texts = Annotations.texts(content.dropFirst(), encoding)
      if texts.count >= 2 { tags.add(texts[0], texts[1]) }
    } else if name == "COMM" || name == "COM" {
      // A language of three letters, a title and the comment.
      let texts = Annotations.texts(content.dropFirst(4), encoding)
      if texts.count >= 2 { tags.add("COMMENT", texts[1]) }
    } else if let tag = Annotations.id3Names.name(of: name) {
      if let text = Annotations.texts(content.dropFirst(), encoding).first { tags.add(tag, text) }
    }
  }

  static let id3Names: KeyValuePairs = [
    "TIT2": "TITLE", "TT2": "TITLE", "TPE1": "ARTIST", "TP1": "ARTIST", "TALB": "ALBUM", "TAL": "ALBUM",
    "TRCK": "TRACKNUMBER", "TRK": "TRACKNUMBER", "TDRC": "DATE", "TYER": "DATE", "TYE": "DATE", "TCON": "GENRE",
    "TCO": "GENRE", "TCOP": "COPYRIGHT", "TCR": "COPYRIGHT", "TSSE": "ENCODER", "TSS": "ENCODER",
  ]

  /// Texts with a zero between them: in Latin-1, UTF-16 or UTF-8.
  static func texts(_ bytes: ArraySlice<UInt8>, _ encoding: UInt8) -> [String] {
    guard encoding == 1 || encoding == 2 else {
      return bytes.split(separator: 0, omittingEmptySubsequences: false).map { part in
        encoding == 3 ? AudioTags.text(part) : String(latin1: part)
      }
    }
    var texts: [String] = []
    var units: [UInt16] = []
    var isBigEndian = encoding == 2
    var place = bytes.startIndex
    while place + 1 < bytes.endIndex {
      let unit = UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
      place += 2
      // A byte order mark precedes each text.
      if units.isEmpty, unit == 0xFEFF || unit == 0xFFFE {
        isBigEndian = unit == 0xFEFF
      } else if unit == 0 {
        texts.append(String(decoding: units, as: UTF16.self))
        units = []
      } else {
        units.append(isBigEndian ? unit : unit.byteSwapped)
      }
    }
    return texts + [String(decoding: units, as: UTF16.self)]
  }

  private static func size(_ bytes: ArraySlice<UInt8>, isSafe: Bool) -> Int {
    isSafe ? bytes.reduce(0) { $0 << 7 | Int($1 & 0x7F) } : Int(bytes: bytes, isBigEndian: true)
  }

  private static func synchronised(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for (index, byte) in bytes.enumerated() where byte != 0 || index == 0 || bytes[index - 1] != 0xFF {
      result.append(byte)
    }
    return result
  }
}

extension Annotations {
  /// An ID3 tag of version 2.4, with texts in UTF-8.
  var id3Bytes: [UInt8] {
    var frames: [UInt8] = []
    for (name, text) in textsWithLoop {
      // Each frame has the number of its encoding in front: 3 is UTF-8.
      if name == "COMMENT" {
        // ID3's code "XXX" stands for an unknown language. The title of the comment is empty.
        frames.appendFrame("COMM", [3] + Array("XXX\0\(text)".utf8))
      } else if let id = Annotations.id3Names.id(of: name) {
        frames.appendFrame(id, [3] + Array(text.utf8))
      } else {
        frames.appendFrame("TXXX", [3] + Array("\(name)\0\(text)".utf8))
      }
    }
    return Array("ID3".utf8) + [4, 0, 0] + [UInt8].safe(frames.count) + frames
  }
}

extension [UInt8] {
  fileprivate mutating func appendFrame(_ id: String, _ content: [UInt8]) {
    self += Array(id.utf8) + [UInt8].safe(content.count) + [0, 0] + content
  }

  /// A number in four bytes of seven bits, so that no byte looks like the start of a packet.
  fileprivate static func safe(_ number: Int) -> [UInt8] {
    [21, 14, 7, 0].map { UInt8(number >> $0 & 0x7F) }
  }
}

extension Annotations {
  /// Reads an APE tag at the end of a file, in front of an old ID3 tag or without one.
  mutating func readAPE<Failure>(_ fileSize: Int, _ bytes: ByteReading<Failure>) throws(Failure) {
    for end in [fileSize, fileSize - 128] where end >= 32 {
      let footer = try bytes(end - 32, 32)
      guard footer.count == 32, footer.starts(with: "APETAGEX".utf8) else { continue }
      // The size includes the items and the footer.
      let size = Int(bytes: footer[12..<16], isBigEndian: false)
      guard size > 32, size <= min(end, Annotations.partLimit) else { return }
      readAPE(Fields(bytes: try bytes(end - size, size - 32), isBigEndian: false))
      return
    }
  }

  /// Reads the items: a length, flags, a name with a zero behind it, and the text.
  private mutating func readAPE(_ fields: Fields) {
    var place = 0
    while let size = fields[place], let flags = fields[place + 4] {
      let name = fields.bytes.dropFirst(place + 8).prefix { $0 != 0 }
      let start = place + 8 + name.count + 1
      guard size <= fields.bytes.count - start else { return }
      // The lowest bits but one are 0 for text.
      if flags & 6 == 0 {
        let tag = AudioTags.text(name).uppercased()
        tags.add(
          ["TRACK": "TRACKNUMBER", "YEAR": "DATE"][tag] ?? tag,
          AudioTags.text(fields.bytes.dropFirst(start).prefix(size))
        )
      }
      place = start + size
    }
  }
}
