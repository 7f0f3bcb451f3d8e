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
