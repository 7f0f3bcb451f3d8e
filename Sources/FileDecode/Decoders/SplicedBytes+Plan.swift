extension SplicedBytes {
  /// The view of a file whose sound starts at an offset, with a size in the header that libsndfile accepts.
  init(_ source: ByteSource, _ container: Container, from offset: Int, _ chunk: AudioChunk?) {
    var end = source.size
    guard let chunk, chunk.offset < end else {
      self.init(source, [.file(min(offset, end)..<end)])
      return
    }
    switch (container, chunk.byteCount) {
    case (.wav, nil) where chunk.isUnfinished:
      // The size in files that programs write to a pipe.
      let size: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
      let place = max(chunk.offset - 4, offset)
      self.init(source, [.file(offset..<place), .bytes(size), .file(place + 4..<end)])
      return
    case (.wav, let byteCount?), (.rf64, let byteCount?), (.w64, let byteCount?):
      // libsndfile treats bytes behind the samples of Wave64 as samples, and refuses a WAV file behind a WAV file.
      end -= max(end - chunk.offset - byteCount, 0)
    default: break
    }
    self.init(source, [.file(min(offset, end)..<end)])
  }

  /// The view of MPEG audio: whole packets with sound, and nothing between them.
  init(_ source: ByteSource, mpeg scan: MPEGScan, ranges: [Range<Int>]) {
    // A decoder may hold the last packet back until another follows, and refuses a stream of one packet. The view
    // repeats the last packet; its copies decode to frames behind the end, which no read delivers.
    let last = Piece.file(scan.lastPacket)
    self.init(source, ranges.map(Piece.file) + [last, last])
  }

  /// Packets as pieces; adjacent packets become one.
  static func merged(_ packets: [Range<Int>]) -> [Piece] {
    var ranges: [Range<Int>] = []
    for packet in packets {
      if let last = ranges.last, last.upperBound == packet.lowerBound {
        ranges[ranges.count - 1] = last.lowerBound..<packet.upperBound
      } else {
        ranges.append(packet)
      }
    }
    return ranges.map(Piece.file)
  }
}
