/// The bytes that a decoder reads as its file: parts of a file, spliced with bytes of this library.
struct SplicedBytes: Sendable {
  /// A part of the file, or bytes of this library.
  enum Piece: Sendable {
    case file(Range<Int>)
    case bytes([UInt8])

    var count: Int {
      switch self {
      case .file(let range): range.count
      case .bytes(let bytes): bytes.count
      }
    }
  }

  private let source: ByteSource
  private let pieces: [Piece]
  /// The start of each piece, followed by the end of the last.
  private let starts: [Int]

  init(_ source: ByteSource, _ pieces: [Piece]) {
    self.source = source
    self.pieces = pieces
    var starts = [0]
    starts.reserveCapacity(pieces.count + 1)
    for piece in pieces { starts.append(starts[starts.count - 1] + piece.count) }
    self.starts = starts
  }

  /// Whether reads are calls of the system.
  var isOnDisk: Bool { source.isOnDisk }

  /// The number of bytes in all pieces.
  var byteCount: Int { starts[starts.count - 1] }

  /// Reads bytes at an offset until the memory is full or the last piece ends, and returns their number.
  func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    guard offset >= 0, offset < byteCount else { return 0 }
    var index = piece(at: offset)
    var count = 0
    while count < target.count, index < pieces.count {
      let skipped = offset + count - starts[index]
      let wanted = min(target.count - count, pieces[index].count - skipped)
      // The slice is in bounds as `wanted` is at most the rest of the memory.
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: target[count..<count + wanted])
      switch pieces[index] {
      case .file(let range):
        // A source writes at most as many bytes as the slice has.
        let arrived = unsafe try source.read(at: range.lowerBound + skipped, into: rest)
        count += arrived
        // A reader returned fewer bytes than its file has.
        if arrived < wanted { return count }
      case .bytes(let bytes):
        // The slice has room for `wanted` bytes, and the piece has as many behind `skipped`.
        unsafe rest.copyBytes(from: bytes[skipped..<skipped + wanted])
        count += wanted
      }
      index += 1
    }
    return count
  }

  /// Reads up to a number of bytes at an offset; fewer at the end of the last piece.
  func bytes(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    guard offset >= 0, offset < byteCount, count > 0 else { return [] }
    return unsafe try [UInt8](reading: min(count, byteCount - offset)) { (memory) throws(SystemError) in
      // `read` writes at most as many bytes as the memory has.
      unsafe try read(at: offset, into: memory)
    }
  }

  /// The bytes at the start of the view that are in memory, or in a part of the file that was read from an offset on.
  func start(in part: [UInt8], from offset: Int) -> [UInt8] {
    switch pieces.first {
    case .bytes(let bytes)?: bytes
    case .file(let range)? where range.lowerBound == offset:
      range.count < part.count ? Array(part.prefix(range.count)) : part
    case .file?, nil: []
    }
  }

  /// A function for parsers that reads bytes of the view, and throws the error for the file at a path.
  func reader(path: String) -> ByteReading<AudioFileError> {
    { (offset, count) throws(AudioFileError) in
      do throws(SystemError) {
        return try self.bytes(at: offset, count: count)
      } catch {
        throw .reading(path, error)
      }
    }
  }

  /// The bytes from an offset on, behind other bytes and in front of others.
  func suffix(from offset: Int, behind front: [UInt8], inFrontOf end: [UInt8] = []) -> SplicedBytes {
    var rest: [Piece] = []
    for (piece, start) in zip(pieces, starts) where start + piece.count > offset {
      let skipped = max(offset - start, 0)
      switch piece {
      case .file(let range): rest.append(.file(range.lowerBound + skipped..<range.upperBound))
      case .bytes(let bytes): rest.append(.bytes(Array(bytes[skipped...])))
      }
    }
    return SplicedBytes(source, [.bytes(front)] + rest + [.bytes(end)])
  }

  /// The last piece that starts at or before an offset.
  private func piece(at offset: Int) -> Int {
    var low = 0
    var high = pieces.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }
}
