extension Annotations {
  /// Reads `MARK`, `INST` and the texts of an AIFF file.
  mutating func readAIFF<Failure>(_ bytes: ByteReading<Failure>) throws(Failure) {
    var marks = Fields(bytes: [], isBigEndian: true)
    var instrument = Fields(bytes: [], isBigEndian: true)
    try Chunk.forEach(in: .aiff, reading: bytes) { (header, chunk) throws(Failure) in
      let name = String(latin1: header.prefix(4))
      guard (0...Annotations.partLimit).contains(chunk.byteCount) else { return true }
      if name == "MARK" { marks = Fields(bytes: try bytes(chunk.offset, chunk.byteCount), isBigEndian: true) }
      if name == "INST" { instrument = Fields(bytes: try bytes(chunk.offset, chunk.byteCount), isBigEndian: true) }
      if let tag = Annotations.aiffNames.name(of: name) {
        tags.add(tag, AudioTags.text(try bytes(chunk.offset, chunk.byteCount)))
      }
      return true
    }
    var places: [Int: Int] = [:]
    var names: [(id: Int, name: String)] = []
    var place = 2
    while names.count < Annotations.listLimit, let id = marks.number(place, 2), let frame = marks[place + 2],
      let size = marks.number(place + 6, 1)
    {
      places[id] = frame
      names.append((id, AudioTags.text(marks.bytes.dropFirst(place + 7).prefix(size))))
      // The name's length byte and the name together take an even number of bytes.
      place += 7 + size + (size + 1) % 2
    }
    // The sustain loop and the release loop: each has a play mode and the numbers of two markers.
    var used: Set<Int> = []
    for place in [8, 14] {
      guard let mode = instrument.number(place, 2), mode == 1 || mode == 2, let first = instrument.number(place + 2, 2),
        let last = instrument.number(place + 4, 2), let start = places[first], let end = places[last], start < end
      else { continue }
      loops.append(AudioLoop(range: start..<end, direction: mode == 2 ? .alternating : .forward))
      used.formUnion([first, last])
    }
    markers += names.filter { !used.contains($0.id) }.map { mark in
      AudioMarker(frame: places[mark.id] ?? 0, name: mark.name.isEmpty ? nil : mark.name)
    }
  }

  static let aiffNames: KeyValuePairs = ["NAME": "TITLE", "AUTH": "ARTIST", "(c) ": "COPYRIGHT", "ANNO": "COMMENT"]
}

extension Annotations {
  /// The chunks `MARK`, `INST` and the texts of an AIFF file.
  var aiffBytes: [UInt8] {
    var bytes: [UInt8] = []
    // The markers of the loops come first: two each.
    let ends = loops.flatMap { [$0.range.lowerBound, $0.range.upperBound] }.map { AudioMarker(frame: $0) }
    if !(ends + markers).isEmpty { bytes.appendChunk("MARK", Annotations.marks(ends + markers), isBigEndian: true) }
    if !loops.isEmpty { bytes.appendChunk("INST", instrument, isBigEndian: true) }
    for (name, text) in tags.entries.sorted(by: { $0.key < $1.key }) {
      guard let id = Annotations.aiffNames.id(of: name) else { continue }
      bytes.appendChunk(id, Array(text.utf8), isBigEndian: true)
    }
    return bytes
  }

  private static func marks(_ markers: [AudioMarker]) -> [UInt8] {
    var bytes = bigEndian(markers.count, 2)
    for (index, marker) in markers.enumerated() {
      let name = Array((marker.name ?? "").utf8)
      bytes += bigEndian(index + 1, 2) + bigEndian(marker.frame, 4) + bigEndian(name.count, 1) + name
      if name.count.isMultiple(of: 2) { bytes.append(0) }
    }
    return bytes
  }

  /// The recorded note, the notes and velocities that the sound is for, no gain, the sustain loop and the release loop.
  private var instrument: [UInt8] {
    var bytes: [UInt8] = [60, 0, 0, 127, 1, 127, 0, 0]
    for index in 0..<2 {
      let mode = index < loops.count ? (loops[index].direction == .alternating ? 2 : 1) : 0
      let marks = mode == 0 ? [0, 0] : [2 * index + 1, 2 * index + 2]
      bytes += ([mode] + marks).flatMap { bigEndian($0, 2) }
    }
    return bytes
  }
}
