/// A part of a file in memory, for small steps through the file.
struct ReadingWindow {
  private var start = 0
  private var block: [UInt8] = []

  /// The number of bytes in a read.
  static let size = 1 << 16

  /// The bytes at an offset: fewer than requested only at the end of the file.
  mutating func bytes<Failure>(
    at offset: Int,
    count: Int,
    _ read: ByteReading<Failure>
  ) throws(Failure) -> ArraySlice<UInt8> {
    if offset < start || offset + count > start + block.count {
      do throws(Failure) {
        block = try read(offset, max(count, ReadingWindow.size))
      } catch {
        // The bytes ahead may be the ones that cannot be read.
        guard count < ReadingWindow.size else { throw error }
        block = try read(offset, count)
      }
      start = offset
    }
    let from = min(offset - start, block.count)
    return block[from..<min(from + count, block.count)]
  }
}
