/// The chunk of a WAV or AIFF file that holds the samples.
struct AudioChunk: Hashable {
  /// Where its content starts.
  let offset: Int

  /// How many bytes its header promises; `nil` where the writer did not know, as one that writes to a pipe.
  let byteCount: Int?

  /// Whether a file of a size ends before the chunk does.
  func isCut(inFileOf size: Int) -> Bool {
    guard let byteCount else { return false }
    return byteCount > size - offset
  }

  /// Finds the chunk with a function that reads bytes at an offset; `nil` in other kinds of file, or where there is none.
  init?<Failure>(
    in container: Container,
    reading bytes: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) throws(Failure) {
    guard container == .wav || container == .aiff else { return nil }
    let formType = try bytes(0, 4)
    let isBigEndian = !formType.elementsEqual("RIFF".utf8)
    let name = container == .aiff ? "SSND" : "data"
    var offset = 12
    for _ in 0..<AudioChunk.chunkLimit {
      let header = try bytes(offset, 8)
      guard header.count == 8 else { return nil }
      let sizeBytes = header[4...]
      let size = (isBigEndian ? Array(sizeBytes) : sizeBytes.reversed()).reduce(0) { $0 << 8 | Int($1) }
      offset += 8
      if header.starts(with: name.utf8) {
        self.offset = offset
        byteCount = size < AudioChunk.unknownSize ? size : nil
        return
      }
      // Chunks start at even places.
      offset += size + size % 2
    }
    return nil
  }

  /// Sizes from here on stand for an unknown one; programs write different values just below 2 and 4 GiB.
  private static let unknownSize = 0x7FFF_0000

  /// How many chunks are looked at, so that a file of a million empty ones costs nothing.
  private static let chunkLimit = 256
}
