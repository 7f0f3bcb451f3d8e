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
