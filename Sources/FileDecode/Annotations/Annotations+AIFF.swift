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
