extension TemporaryFile {
  /// Writes loops, markers and texts into the finished file.
  func add(_ metadata: Annotations, in container: OutputContainer, sampleRate: Int) throws(WritingFailure) {
    switch container {
    case .wav: try append(metadata.waveBytes(sampleRate: sampleRate), isBigEndian: false)
    case .aiff: try append(metadata.aiffBytes, isBigEndian: true)
    case .caf: try appendToCAF(metadata)
    case .flac: try addToFLAC(metadata)
    case .ogg: try addToOgg(metadata)
    case .opus: try addToOgg(metadata.scaled(from: sampleRate, to: Annotations.opusRate))
    case .mp3: try replace(0..<0, with: metadata.id3Bytes)
    }
  }

  /// Appends chunks, and corrects the size in the header of the file.
  private func append(_ chunks: [UInt8], isBigEndian: Bool) throws(WritingFailure) {
    let padding: [UInt8] = byteCount.isMultiple(of: 2) ? [] : [0]
    try replace(byteCount..<byteCount, with: padding + chunks)
    try replace(4..<8, with: isBigEndian ? bigEndian(byteCount - 8, 4) : littleEndian(byteCount - 8, 4))
  }

  /// Appends chunks behind the last one.
  ///
  /// libsndfile pads an odd number of bytes of samples, which the format does not know: a reader would take the padding
  /// for the beginning of the next chunk.
  private func appendToCAF(_ metadata: Annotations) throws(WritingFailure) {
    var end = byteCount
    let bytes = { (place, count) throws(WritingFailure) in try self.checkedBytes(at: place, count: count) }
    try Chunk.forEach(in: .caf, reading: bytes) { (_, chunk) throws(WritingFailure) in
      end = chunk.offset + chunk.byteCount
      return true
    }
    try replace(end..<byteCount, with: metadata.cafBytes)
  }

  /// Replaces the comment of a FLAC file, which the encoder has written without entries.
  private func addToFLAC(_ metadata: Annotations) throws(WritingFailure) {
    var place = 4
    var isLast = false
    while !isLast {
      let header = try checkedBytes(at: place, count: 4)
      guard header.count == 4 else { throw .metadata }
      let size = Int(bytes: header[1...], isBigEndian: true)
      isLast = header[0] & 0x80 != 0
      if header[0] & 0x7F == 4 {
        let vendor = Annotations.vendor(try checkedBytes(at: place + 4, count: size))
        let comment = metadata.commentBytes(vendor: vendor)
        try replace(place..<place + 4 + size, with: [header[0]] + bigEndian(comment.count, 3) + comment)
        return
      }
      place += 4 + size
    }
    throw .metadata
  }

  /// Replaces the comment of an Ogg file, and numbers the pages behind it anew.
  private func addToOgg(_ metadata: Annotations) throws(WritingFailure) {
    let headers = try OggHeaders { (place, count) throws(WritingFailure) in try checkedBytes(at: place, count: count) }
    guard let headers else { throw .metadata }
    let pages = headers.pages(metadata)
    try replace(headers.range, with: pages.flatMap(\.self))
    guard pages.count != headers.pageCount else { return }
    var place = headers.range.lowerBound + pages.reduce(0) { $0 + $1.count }
    var number = pages.count + 1
    while var page = OggPage(try checkedBytes(at: place, count: OggPage.maximumSize)) {
      OggPage.number(&page.bytes, number)
      try replace(place..<place + page.byteCount, with: page.bytes)
      place += page.byteCount
      number += 1
    }
  }
}

extension TemporaryFile {
  /// The bytes at an offset, fewer at the end of the file.
  private func checkedBytes(at place: Int, count: Int) throws(WritingFailure) -> [UInt8] {
    let bytes = bytes(at: place, count: count)
    if let failure { throw .system(failure) }
    return bytes
  }

  /// Replaces bytes, and moves the rest of the file.
  private func replace(_ range: Range<Int>, with bytes: [UInt8]) throws(WritingFailure) {
    let distance = bytes.count - range.count
    let rest = range.upperBound..<byteCount
    let starts =
      distance == 0 ? [] : Array(stride(from: rest.lowerBound, to: rest.upperBound, by: TemporaryFile.blockSize))
    // In the direction in which no byte is overwritten before it has moved.
    for start in distance > 0 ? starts.reversed() : starts {
      let count = min(TemporaryFile.blockSize, rest.upperBound - start)
      let moved = try checkedBytes(at: start, count: count)
      // A part that did not arrive would be lost.
      guard moved.count == count else { throw .metadata }
      put(moved, at: start + distance)
    }
    if distance < 0 { truncate(to: rest.upperBound + distance) }
    put(bytes, at: range.lowerBound)
    if let failure { throw .system(failure) }
  }

  private func put(_ bytes: [UInt8], at place: Int) {
    offset = place
    _ = unsafe bytes.withUnsafeBytes { unsafe write($0) }
  }

  private static let blockSize = 1 << 20
}
