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
