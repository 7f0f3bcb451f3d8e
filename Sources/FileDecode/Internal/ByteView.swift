/// What libsndfile gets to see of a file: the sound, with a size in the header that it takes.
struct ByteView: Sendable {
  private let source: ByteSource
  private let range: Range<Int>
  private let patch: [UInt8]
  private let patchOffset: Int

  /// The view of a file whose sound starts at an offset.
  init(_ source: ByteSource, _ container: Container, from offset: Int, _ chunk: AudioChunk?) {
    self.source = source
    var end = source.size
    var patch: [UInt8] = []
    var patchOffset = 0
    if let chunk, chunk.offset < end {
      switch (container, chunk.byteCount) {
      case (.wav, nil) where chunk.isUnfinished:
        // The size that programs write to a pipe.
        patch = [0xFF, 0xFF, 0xFF, 0xFF]
      case (.caf, let byteCount) where byteCount == nil || chunk.isCut(inFileOf: end):
        // libsndfile refuses a CAF file whose last chunk does not end with it.
        patch = (0..<8).map { UInt8(truncatingIfNeeded: (end - chunk.offset) >> (56 - 8 * $0)) }
      case (.wav, let byteCount?), (.rf64, let byteCount?), (.w64, let byteCount?):
        // libsndfile takes what follows the samples of Wave64 for samples, and refuses a WAV file behind a WAV file.
        end -= max(end - chunk.offset - byteCount, 0)
      default: break
      }
      patchOffset = chunk.offset - patch.count
    }
    range = min(offset, end)..<end
    self.patch = patch
    self.patchOffset = patchOffset
  }

  /// How many bytes there are to see.
  var byteCount: Int { range.count }

  /// Reads bytes at a place until the memory is full or the view ends, and returns how many came.
  func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    guard offset < range.count else { return 0 }
    let start = range.lowerBound + offset
    let wanted = min(target.count, range.upperBound - start)
    // The slice is in bounds as it is no longer than the memory.
    let count = unsafe try source.read(at: start, into: UnsafeMutableRawBufferPointer(rebasing: target[..<wanted]))
    for (index, byte) in patch.enumerated() {
      let place = patchOffset + index - start
      if (0..<count).contains(place) { unsafe target[place] = byte }
    }
    return count
  }
}
