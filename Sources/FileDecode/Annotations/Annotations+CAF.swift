extension Annotations {
  /// Reads `mark`, `regn`, `strg` and `info` of a CAF file.
  mutating func readCAF<Failure>(_ bytes: ByteReading<Failure>) throws(Failure) {
    var parts: [String: Fields] = [:]
    try Chunk.forEach(in: .caf, reading: bytes) { (header, chunk) throws(Failure) in
      let name = String(latin1: header.prefix(4))
      if ["mark", "regn", "strg", "info"].contains(name), (0...Annotations.partLimit).contains(chunk.byteCount) {
        parts[name] = Fields(bytes: try bytes(chunk.offset, chunk.byteCount), isBigEndian: true)
      }
      return true
    }
    if let info = parts["info"] { readTexts(info) }
    let names = parts["strg"].map(Annotations.strings) ?? [:]
    if let marks = parts["mark"] {
      for index in 0..<min(marks[4] ?? 0, Annotations.listLimit) {
        guard let mark = Mark(marks, at: 8 + Mark.size * index) else { break }
        markers.append(AudioMarker(frame: mark.frame, name: names[mark.id]))
      }
    }
    guard let regions = parts["regn"] else { return }
    var place = 8
    for _ in 0..<min(regions[4] ?? 0, Annotations.listLimit) {
      guard let flags = regions[place + 4], let count = regions[place + 8] else { return }
      let marks = (0..<min(count, 16)).compactMap { Mark(regions, at: place + 12 + Mark.size * $0) }
      let start = marks.first { $0.kind == "rbeg" || $0.kind == "slbg" }
      let end = marks.first { $0.kind == "rend" || $0.kind == "slen" }
      // The flags in order: the region repeats, plays forward, plays backward.
      if flags & 1 != 0, let start, let end, start.frame < end.frame {
        let direction: AudioLoop.Direction = flags & 6 == 6 ? .alternating : flags & 4 != 0 ? .backward : .forward
        loops.append(AudioLoop(range: start.frame..<end.frame, direction: direction))
      }
      place += 12 + Mark.size * min(count, Annotations.listLimit)
    }
  }

  /// Reads names and texts, each with a zero at its end.
  private mutating func readTexts(_ info: Fields) {
    let texts = info.bytes.dropFirst(4).split(separator: 0, omittingEmptySubsequences: false)
    for index in stride(from: 0, to: min(texts.count - 1, 2 * Annotations.listLimit), by: 2) {
      let name = AudioTags.text(texts[texts.startIndex + index])
      tags.add(Annotations.coreAudioNames.name(of: name) ?? name, AudioTags.text(texts[texts.startIndex + index + 1]))
    }
  }

  static let coreAudioNames: KeyValuePairs = [
    "title": "TITLE", "artist": "ARTIST", "album": "ALBUM", "genre": "GENRE", "copyright": "COPYRIGHT",
    "track number": "TRACKNUMBER", "year": "DATE", "recorded date": "DATE", "comments": "COMMENT",
    "encoding application": "ENCODER",
  ]

  /// The texts by the numbers that refer to them.
  private static func strings(_ fields: Fields) -> [Int: String] {
    let count = min(fields[0] ?? 0, listLimit, fields.bytes.count / 12)
    var strings: [Int: String] = [:]
    // Several numbers may have the same offset, so the size of the file does not limit the size of the texts.
    var room = partLimit
    for index in 0..<count {
      guard let id = fields[4 + 12 * index], let offset = fields.number(8 + 12 * index, 8), offset >= 0,
        offset < fields.bytes.count
      else { break }
      let text = AudioTags.text(fields.bytes.dropFirst(4 + 12 * count + offset).prefix(min(room, 1 << 16)))
      room -= text.utf8.count
      strings[id] = text
    }
    return strings
  }

  /// A position in a CAF file.
  private struct Mark {
    let kind: String
    let frame: Int
    let id: Int

    static let size = 28

    init?(_ fields: Fields, at place: Int) {
      guard let bits = fields.number(place + 4, 8), let id = fields[place + 12] else { return nil }
      let frame = Double(bitPattern: UInt64(bitPattern: Int64(bits)))
      guard frame >= 0, frame < 1e15 else { return nil }
      kind = String(latin1: fields.bytes[place..<place + 4])
      self.frame = Int(frame)
      self.id = id
    }
  }
}

extension Annotations {
  /// The chunks `mark`, `regn`, `strg` and `info` of a CAF file.
  var cafBytes: [UInt8] {
    var bytes: [UInt8] = []
    if !markers.isEmpty {
      bytes.appendCAFChunk("mark", marks)
      if markers.contains(where: { $0.name != nil }) { bytes.appendCAFChunk("strg", names) }
    }
    if !loops.isEmpty { bytes.appendCAFChunk("regn", regions) }
    if !tags.entries.isEmpty { bytes.appendCAFChunk("info", texts) }
    return bytes
  }

  /// No time code, the number of markers, and 28 bytes for each.
  private var marks: [UInt8] {
    var bytes = bigEndian(0, 4) + bigEndian(markers.count, 4)
    for (index, marker) in markers.enumerated() {
      bytes.appendMark("\0\0\0\0", marker.frame, number: index + 1)
    }
    return bytes
  }

  /// The number of names, the offset of each, and the names with a zero at their ends.
  private var names: [UInt8] {
    let named = markers.indices.filter { markers[$0].name != nil }
    var bytes = bigEndian(named.count, 4)
    var texts: [UInt8] = []
    for index in named {
      bytes += bigEndian(index + 1, 4) + bigEndian(texts.count, 8)
      texts += Array((markers[index].name ?? "").utf8) + [0]
    }
    return bytes + texts
  }

  /// No time code, the number of regions, and for each a number, its flags and the markers of its ends.
  private var regions: [UInt8] {
    var bytes = bigEndian(0, 4) + bigEndian(loops.count, 4)
    for (index, loop) in loops.enumerated() {
      // The flags: the region repeats, plays forward, plays backward.
      let flags =
        switch loop.direction {
        case .forward: 1 | 2
        case .backward: 1 | 4
        case .alternating: 1 | 2 | 4
        }
      // Behind the numbers of the markers, so that no reader gives a loop the name of a marker.
      bytes += [markers.count + index + 1, flags, 2].flatMap { bigEndian($0, 4) }
      bytes.appendMark("rbeg", loop.range.lowerBound, number: 0)
      bytes.appendMark("rend", loop.range.upperBound, number: 0)
    }
    return bytes
  }

  /// The number of texts, and for each its name and the text with a zero at their ends.
  private var texts: [UInt8] {
    var bytes = bigEndian(tags.entries.count, 4)
    for (name, text) in tags.entries.sorted(by: { $0.key < $1.key }) {
      bytes += Array((Annotations.coreAudioNames.id(of: name) ?? name).utf8) + [0] + Array(text.utf8) + [0]
    }
    return bytes
  }
}

extension [UInt8] {
  /// Appends a position: its kind, the frame, the number of its name, no time code and no channel.
  fileprivate mutating func appendMark(_ kind: String, _ frame: Int, number: Int) {
    let bits = Int(bitPattern: UInt(Double(frame).bitPattern))
    self += kind.utf8 + bigEndian(bits, 8) + bigEndian(number, 4) + [UInt8](repeating: 0, count: 12)
  }

  fileprivate mutating func appendCAFChunk(_ name: String, _ content: [UInt8]) {
    self += name.utf8 + bigEndian(content.count, 8) + content
  }
}
