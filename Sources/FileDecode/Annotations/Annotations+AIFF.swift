extension Annotations {
  /// Reads `MARK`, `INST` and the texts of an AIFF file.
  mutating func readAIFF<Failure>(_ bytes: ByteReading<Failure>) throws(Failure) {
    let parts = try Annotations.parts(["MARK", "INST"] + Annotations.aiffNames.map(\.key), in: .aiff, bytes)
    for (name, fields) in parts {
      if let tag = Annotations.aiffNames.name(of: name) { tags.add(tag, AudioTags.text(fields.bytes)) }
    }
    let marks = parts.last { $0.name == "MARK" }?.fields ?? Fields(bytes: [], isBigEndian: true)
    let instrument = parts.last { $0.name == "INST" }?.fields ?? Fields(bytes: [], isBigEndian: true)
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
