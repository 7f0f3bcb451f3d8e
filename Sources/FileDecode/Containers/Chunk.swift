/// A named part of a file in chunks: WAV and its kin, AIFF and CAF.
struct Chunk: Hashable {
  /// The offset of the content.
  let offset: Int

  /// The number of bytes that the header promises; below 0 if the header makes no sense or leaves the size open.
  let byteCount: Int

  /// Finds the first chunk of a name with a function that reads bytes at an offset; `nil` if the file has none.
  static func first<Failure>(
    _ name: String,
    in container: Container,
    reading bytes: ByteReading<Failure>
  ) throws(Failure) -> Chunk? {
    var found: Chunk?
    try forEach(in: container, reading: bytes) { (header, chunk) throws(Failure) in
      if header.starts(with: name.utf8) { found = chunk }
      return found == nil
    }
    return found
  }

  /// Calls a function with the header and the position of each chunk, until it returns `false`.
  static func forEach<Failure>(
    in container: Container,
    reading bytes: ByteReading<Failure>,
    _ body: (_ header: [UInt8], _ chunk: Chunk) throws(Failure) -> Bool
  ) throws(Failure) {
    guard let style = try Style(container, formType: bytes(0, 4)) else { return }
    var offset = style.firstOffset
    for _ in 0..<Chunk.limit {
      let header = try bytes(offset, style.headerSize)
      guard header.count == style.headerSize else { return }
      let size = Int(bytes: header.suffix(style.sizeSize), isBigEndian: style.isBigEndian)
      let byteCount = style.countsHeader ? size.subtractingReportingOverflow(style.headerSize).partialValue : size
      offset += style.headerSize
      guard try body(header, Chunk(offset: offset, byteCount: byteCount)) else { return }
      guard (0..<Int.max / 2).contains(byteCount), offset < Int.max / 4 else { return }
      offset += (byteCount + style.alignment - 1) / style.alignment * style.alignment
    }
  }

  /// The largest number of chunks in a search, so that a file of a million empty chunks costs nothing.
  private static let limit = 256
}

extension Chunk {
  /// The layout of chunks in a kind of file.
  private struct Style {
    var firstOffset = 12
    var nameSize = 4
    var sizeSize = 4
    var isBigEndian = false
    var countsHeader = false
    var alignment = 2

    var headerSize: Int { nameSize + sizeSize }

    /// The layout for a container; `nil` for files without chunks.
    init?(_ container: Container, formType: [UInt8]) {
      switch container {
      case .wav: isBigEndian = formType.elementsEqual("RIFX".utf8)
      case .rf64: break
      case .aiff: isBigEndian = true
      case .w64:
        // Names are GUIDs; their first four bytes are the name in WAV.
        (firstOffset, nameSize, sizeSize, countsHeader, alignment) = (40, 16, 8, true, 8)
      case .caf: (firstOffset, sizeSize, isBigEndian, alignment) = (8, 8, true, 1)
      case .flac, .ogg, .mpeg, .au, .mp4, .adts: return nil
      }
    }
  }
}
