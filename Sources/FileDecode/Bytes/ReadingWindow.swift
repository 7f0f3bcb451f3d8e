/// A part of a file in memory, for small steps through the file.
struct ReadingWindow {
  private var start = 0
  private var block: [UInt8] = []
  private let readSize: Int

  /// The number of bytes in a read.
  static let size = 1 << 16

  /// A window that reads a number of bytes at once; fewer are enough for a short way.
  init(reading readSize: Int = ReadingWindow.size) {
    self.readSize = readSize
  }

  /// The bytes at an offset: fewer than requested only at the end of the file.
  mutating func bytes<Failure>(
    at offset: Int,
    count: Int,
    _ read: ByteReading<Failure>
  ) throws(Failure) -> ArraySlice<UInt8> {
    if !holds(count, at: offset) { try fill(offset, count, read) }
    let from = min(offset - start, block.count)
    return block[from..<min(from + count, block.count)]
  }

  /// The number in four bytes at an offset, with the highest byte first; `nil` at the end of the file.
  @inline(__always)
  mutating func word<Failure>(at offset: Int, _ read: ByteReading<Failure>) throws(Failure) -> UInt32? {
    if !holds(4, at: offset) {
      try fill(offset, 4, read)
      guard holds(4, at: offset) else { return nil }
    }
    let from = offset - start
    return UInt32(block[from]) << 24 | UInt32(block[from + 1]) << 16 | UInt32(block[from + 2]) << 8
      | UInt32(block[from + 3])
  }

  /// Whether the file has a byte at an offset.
  @inline(__always)
  mutating func hasByte<Failure>(at offset: Int, _ read: ByteReading<Failure>) throws(Failure) -> Bool {
    if holds(1, at: offset) { return true }
    try fill(offset, 1, read)
    return holds(1, at: offset)
  }

  /// Whether bytes are in memory.
  private func holds(_ count: Int, at offset: Int) -> Bool {
    offset >= start && offset + count <= start + block.count
  }

  /// Reads the block that begins at an offset.
  @inline(never)
  private mutating func fill<Failure>(
    _ offset: Int,
    _ count: Int,
    _ read: ByteReading<Failure>
  ) throws(Failure) {
    // The new block takes the memory of the old one: the memory of two at once would go back to the system each time.
    block = []
    do throws(Failure) {
      block = try read(offset, max(count, readSize))
    } catch {
      // The bytes ahead may be the ones that cannot be read.
      guard count < readSize else { throw error }
      block = try read(offset, count)
    }
    start = offset
  }
}
