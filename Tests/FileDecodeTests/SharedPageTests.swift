import Testing

@testable import FileDecode

/// Reads of a few bytes from a file on the disk, which share a page.
@Suite struct SharedPageTests {
  private let content = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

  /// Reads of all sizes, forward, backward, across the ends of pages and behind the end of the file.
  private let reads: [(offset: Int, count: Int)] =
    [0, 1, 4_000, 4_095, 4_096, 4_097, 3, 9_999, 9_990, 8_191, 10_000, 20_000, 5_000, .max, 0].flatMap { offset in
      [0, 1, 4, 64, 65, 512, 513, 4_096, 6_000].map { (offset, $0) }
    }

  @Test func `A parser reads the bytes of the file`() throws {
    let folder = try TemporaryFolder()
    let source = try ByteSource(opening: folder.write(content, as: "a"))
    let reader = source.reader(path: "a")
    for (offset, count) in reads {
      #expect(try reader(offset, count) == Array(content.dropFirst(offset).prefix(count)), "\(offset), \(count)")
    }
    #expect(try reader(-1, 4) == [])
  }

  @Test func `A decoder reads the bytes of its view`() throws {
    let folder = try TemporaryFolder()
    let source = try ByteSource(opening: folder.write(content, as: "a"))
    let view = SplicedBytes(source, [.file(100..<5_000), .bytes([1, 2, 3]), .file(5_000..<10_000)])
    let expected = Array(content[100..<5_000]) + [1, 2, 3] + content[5_000...]
    let cursor = ByteCursor(view, hidingEnd: false)
    for (offset, count) in reads {
      #expect(cursor.seek(by: offset, from: 0) == offset)
      var memory = [UInt8](repeating: 9, count: count)
      let arrived = unsafe memory.withUnsafeMutableBytes { unsafe cursor.read(into: $0) }
      let bytes = Array(expected.dropFirst(offset).prefix(count))
      #expect(Array(memory.prefix(arrived)) == bytes && cursor.offset == offset + bytes.count, "\(offset), \(count)")
    }
    #expect(cursor.failure == nil)
  }
}
