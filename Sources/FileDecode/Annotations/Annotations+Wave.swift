extension Annotations {
  /// Reads `smpl`, `cue ` and `LIST` of a WAV file.
  mutating func readWave<Failure>(_ container: Container, _ bytes: ByteReading<Failure>) throws(Failure) {
    let isBigEndian = try bytes(0, 4).elementsEqual("RIFX".utf8)
    var names: [Int: String] = [:]
    var cues: [(id: Int, frame: Int)] = []
    let parts = try Annotations.parts(
      ["smpl", "cue ", "LIST", "list"],
      in: container,
      isBigEndian: isBigEndian,
      most: 64,
      bytes
    )
    for (name, fields) in parts {
      switch name {
      case "smpl": readLoops(fields)
      case "cue ":
        for index in 0..<min(fields[0] ?? 0, Annotations.listLimit) {
          guard let id = fields[4 + 24 * index], let frame = fields[4 + 24 * index + 20] else { break }
          cues.append((id, frame))
        }
      default: readList(fields, &names)
      }
    }
    markers += cues.map { AudioMarker(frame: $0.frame, name: names[$0.id]) }
  }

  /// Reads loops of 24 bytes each behind a header of 36; the last frame is part of the loop.
  private mutating func readLoops(_ fields: Fields) {
    for index in 0..<min(fields[28] ?? 0, Annotations.listLimit) {
      let place = 36 + 24 * index
      guard let kind = fields[place + 4], let start = fields[place + 8], let last = fields[place + 12],
        let count = fields[place + 20]
      else { return }
      guard start <= last, last < 0xFFFF_FFFF else { continue }
      let direction: AudioLoop.Direction = kind == 1 ? .alternating : kind == 2 ? .backward : .forward
      loops.append(AudioLoop(range: start..<last + 1, direction: direction, playCount: count == 0 ? nil : count))
    }
  }

  /// Reads the names of cues, or texts.
  private mutating func readList(_ fields: Fields, _ names: inout [Int: String]) {
    let kind = String(latin1: fields.bytes.prefix(4))
    var place = 4
    while let size = fields[place + 4], size <= fields.bytes.count {
      let name = String(latin1: fields.bytes[place..<place + 4])
      let content = fields.bytes.dropFirst(place + 8).prefix(size)
      if kind == "adtl", name == "labl", let id = fields[place + 8] {
        names[id] = AudioTags.text(content.dropFirst(4))
      } else if kind == "INFO", let tag = Annotations.waveNames.name(of: name) {
        tags.add(tag, AudioTags.text(content))
      }
      place += 8 + size + size % 2
    }
  }

  static let waveNames: KeyValuePairs = [
    "INAM": "TITLE", "IART": "ARTIST", "IPRD": "ALBUM", "ITRK": "TRACKNUMBER", "IPRT": "TRACKNUMBER", "ICRD": "DATE",
    "IGNR": "GENRE", "ICMT": "COMMENT", "ICOP": "COPYRIGHT", "ISFT": "ENCODER",
  ]

  /// The chunks of some names in their order, without chunks that are larger than a part.
  static func parts<Failure>(
    _ names: [String],
    in container: Container,
    isBigEndian: Bool = true,
    most limit: Int,
    _ bytes: ByteReading<Failure>
  ) throws(Failure) -> [(name: String, fields: Fields)] {
    var parts: [(name: String, fields: Fields)] = []
    try Chunk.forEach(in: container, reading: bytes) { (header, chunk) throws(Failure) in
      if let name = names.first(where: { header.starts(with: $0.utf8) }), (0...partLimit).contains(chunk.byteCount) {
        let content = try bytes(chunk.offset, chunk.byteCount)
        parts.append((name, Fields(bytes: content, isBigEndian: isBigEndian)))
      }
      return parts.count < limit
    }
    return parts
  }

  /// Numbers of four bytes in a part of a file.
  struct Fields {
    let bytes: [UInt8]
    let isBigEndian: Bool

    /// The number at an offset; `nil` beyond the end.
    subscript(place: Int) -> Int? { number(place, 4) }

    func number(_ place: Int, _ count: Int) -> Int? {
      bytes.number(at: place, byteCount: count, isBigEndian: isBigEndian)
    }
  }
}

extension Annotations {
  /// The chunks `smpl`, `cue ` and `LIST` of a WAV file.
  func waveBytes(sampleRate: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    if !loops.isEmpty { bytes.appendChunk("smpl", sampler(sampleRate: sampleRate), isBigEndian: false) }
    if !markers.isEmpty {
      bytes.appendChunk("cue ", cues, isBigEndian: false)
      if markers.contains(where: { $0.name != nil }) { bytes.appendChunk("LIST", labels, isBigEndian: false) }
    }
    var texts = Array("INFO".utf8)
    for (name, text) in tags.entries.sorted(by: { $0.key < $1.key }) {
      guard let id = Annotations.waveNames.id(of: name) else { continue }
      texts.appendChunk(id, Array(text.utf8) + [0], isBigEndian: false)
    }
    if texts.count > 4 { bytes.appendChunk("LIST", texts, isBigEndian: false) }
    return bytes
  }

  /// A header of 36 bytes, and 24 for each loop.
  private func sampler(sampleRate: Int) -> [UInt8] {
    let period = 1_000_000_000 / max(sampleRate, 1)
    // The maker, the product, the length of a frame in nanoseconds, the note of the recorded pitch (the C in the
    // middle), its fraction, the format and the offset of a time code, the number of loops, and the number of further
    // bytes.
    var numbers = [0, 0, period, 60, 0, 0, 0, loops.count, 0]
    for (index, loop) in loops.enumerated() {
      let kind =
        switch loop.direction {
        case .forward: 0
        case .alternating: 1
        case .backward: 2
        }
      numbers += [index, kind, loop.range.lowerBound, loop.range.upperBound - 1, 0, loop.playCount ?? 0]
    }
    return numbers.flatMap { littleEndian($0, 4) }
  }

  /// The number of each marker, its position in a play list, its chunk, and its frame.
  private var cues: [UInt8] {
    var bytes = littleEndian(markers.count, 4)
    for (index, marker) in markers.enumerated() {
      let frame = littleEndian(marker.frame, 4)
      bytes += littleEndian(index + 1, 4) + frame + "data".utf8 + [UInt8](repeating: 0, count: 8) + frame
    }
    return bytes
  }

  private var labels: [UInt8] {
    var bytes = Array("adtl".utf8)
    for (index, marker) in markers.enumerated() {
      guard let name = marker.name else { continue }
      bytes.appendChunk("labl", littleEndian(index + 1, 4) + name.utf8 + [0], isBigEndian: false)
    }
    return bytes
  }
}

extension [UInt8] {
  /// Appends a chunk of a WAV or AIFF file: a name, a size, the content, and a zero after an odd number of bytes.
  mutating func appendChunk(_ name: String, _ content: [UInt8], isBigEndian: Bool) {
    self += Array(name.utf8)
    append(content.count, byteCount: 4, isBigEndian: isBigEndian)
    self += content
    if !content.count.isMultiple(of: 2) { append(0) }
  }
}
