/// A part of a file, read in blocks for small steps through it.
struct ReadingWindow {
  private var start = 0
  private var block: [UInt8] = []

  /// How much is read at once.
  static let size = 1 << 16

  /// The bytes at a place: fewer than asked for only where the file ends.
  mutating func bytes<Failure>(
    at offset: Int,
    count: Int,
    _ read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> ArraySlice<UInt8> {
    if offset < start || offset + count > start + block.count {
      block = try read(offset, max(count, ReadingWindow.size))
      start = offset
    }
    let from = min(offset - start, block.count)
    return block[from..<min(from + count, block.count)]
  }
}
