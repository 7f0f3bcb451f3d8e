/// The part of a WAV, RF64, Wave64, AIFF, CAF or AU file that holds the samples.
struct AudioChunk: Hashable {
  /// The offset of the content.
  let offset: Int

  /// The number of bytes that the header promises; `nil` if the writer did not know it, for example with a pipe.
  let byteCount: Int?

  /// Whether the writer never filled in the sizes, for example after a crash.
  var isUnfinished = false
}

extension AudioChunk {
  /// Finds the samples with a function that reads bytes at an offset; `nil` in other kinds of file, or without samples.
  init?<Failure>(in container: Container, reading bytes: ByteReading<Failure>) throws(Failure) {
    if container == .au {
      let header = try bytes(4, 8)
      guard header.count == 8 else { return nil }
      let size = Int(bytes: header.suffix(4), isBigEndian: true)
      let offset = Int(bytes: header.prefix(4), isBigEndian: true)
      self.init(offset: offset, byteCount: size == AudioChunk.openSize ? nil : size)
      return
    }
    guard let chunk = try Chunk.first(container == .aiff ? "SSND" : "data", in: container, reading: bytes) else {
      return nil
    }
    var size = chunk.byteCount
    var isUnfinished = false
    switch container {
    case .wav, .aiff:
      if size >= AudioChunk.doubtfulSize { size = -1 }
    case .rf64:
      if size == AudioChunk.openSize, let sizes = try Chunk.first("ds64", in: container, reading: bytes) {
        // The size of the whole file precedes the size of the chunk.
        size = try Int(bytes: bytes(sizes.offset + 8, 8), isBigEndian: false)
      }
    default: break
    }
    if container == .wav, size == 0 {
      // A complete file without samples counts its header; an unfinished one has a size of 0, or at most the header's.
      let formSize = try bytes(4, 4)
      isUnfinished = Int(bytes: formSize, isBigEndian: false) + 8 <= chunk.offset
      if isUnfinished { size = -1 }
    }
    self.init(offset: chunk.offset, byteCount: size < 0 ? nil : size, isUnfinished: isUnfinished)
  }

  /// The value for an unknown size in fields of 32 bits.
  private static let openSize = 0xFFFF_FFFF

  /// The smallest value for an unknown size in WAV and AIFF; programs write different values just below 2 and 4 GiB.
  private static let doubtfulSize = 0x7FFF_0000
}

extension AudioChunk {
  /// Whether a file of a size ends before the samples do.
  func isCut(inFileOf size: Int) -> Bool {
    if isUnfinished { return size > offset }
    guard let byteCount else { return false }
    return byteCount > size - offset
  }
}
